#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace heald::cuda {

/// True if two types are passed alike: pointers to pointers, integers and enumerations by size,
/// structures by size and alignment.
template <class Ours, class Theirs>
constexpr bool passed_alike() {
    if constexpr (std::is_void_v<Ours> || std::is_void_v<Theirs>)
        return std::is_void_v<Ours> && std::is_void_v<Theirs>;
    else if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>)
        return std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>;
    else if constexpr (std::is_floating_point_v<Ours> || std::is_floating_point_v<Theirs>)
        return std::is_same_v<Ours, Theirs>;
    else
        return sizeof(Ours) == sizeof(Theirs) && alignof(Ours) == alignof(Theirs) &&
               std::is_class_v<Ours> == std::is_class_v<Theirs>;
}

template <class Ours, class Theirs>
struct SameAbi : std::false_type {};

template <class R1, class... A1, class R2, class... A2>
    requires(sizeof...(A1) == sizeof...(A2))
struct SameAbi<R1(A1...), R2(A2...)>
    : std::bool_constant<passed_alike<R1, R2>() && (passed_alike<A1, A2>() && ...)> {};

}  // namespace heald::cuda
