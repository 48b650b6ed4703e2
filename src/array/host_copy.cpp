#include "src/array/host_copy.hpp"

#include <cstdint>
#include <cstring>

namespace heald::array {
namespace {

template <std::size_t Size>
void copy_line(std::byte* destination, const std::byte* source, const Axis& axis) noexcept {
    constexpr auto size = static_cast<std::int64_t>(Size);
    if (axis.destination == size && axis.source == size) {
        std::memcpy(destination, source, static_cast<std::size_t>(axis.length) * Size);
        return;
    }
    for (std::int64_t i = 0; i < axis.length; ++i)
        std::memcpy(destination + i * axis.destination, source + i * axis.source, Size);
}

template <std::size_t Size>
void copy_loops(std::byte* destination, const std::byte* source,
                std::span<const Axis> loops) noexcept {
    if (loops.size() == 1) {
        copy_line<Size>(destination, source, loops[0]);
        return;
    }
    for (std::int64_t i = 0; i < loops[0].length; ++i)
        copy_loops<Size>(destination + i * loops[0].destination, source + i * loops[0].source,
                         loops.subspan(1));
}

}  // namespace

void copy_elements(void* destination, const void* source, std::span<const Axis> loops,
                   std::size_t item_size) noexcept {
    auto* to = static_cast<std::byte*>(destination);
    const auto* from = static_cast<const std::byte*>(source);
    switch (item_size) {
        case 1:
            copy_loops<1>(to, from, loops);
            break;
        case 2:
            copy_loops<2>(to, from, loops);
            break;
        case 4:
            copy_loops<4>(to, from, loops);
            break;
        case 8:
            copy_loops<8>(to, from, loops);
            break;
        default:
            copy_loops<16>(to, from, loops);
            break;
    }
}

}  // namespace heald::array
