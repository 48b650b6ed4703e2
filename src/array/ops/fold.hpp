#pragma once

#include <heald/dtype.hpp>
#include <heald/export.hpp>

#include "src/array/ops/ufunc.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace heald::array {

/// How a fold begins: its value for no elements.
enum class Identity : std::uint8_t {
    zero,
    one,
    all_ones,  ///< of bits
    lowest,    ///< below every element; an empty fold is an error
    highest,
};

/// One row of the table of folds: NumPy's ufunc.reduce of a ufunc, and positions of extremes.
struct Fold {
    std::string_view name;   ///< NumPy's name of the ufunc, or argmax and argmin
    std::string_view ufunc;  ///< combines two values; of argmax and argmin: whether b beats a
    Identity identity;
    bool widens = false;             ///< small integers are folded as 64-bit ones
    bool boolean = false;            ///< elements count as bool
    bool position = false;           ///< the result is an int64: where the element is
    const Ufunc* combine = nullptr;  ///< instead of `ufunc`, for any dtype
    std::string_view begin = {};     ///< instead of `identity`: CUDA C++ of the folded dtype
};

/// What combines two values.
[[nodiscard]] const Ufunc& combine_ufunc(const Fold& fold);

[[nodiscard]] HEALD_API std::span<const Fold> folds() noexcept;
/// Throws Error(not_found).
[[nodiscard]] HEALD_API const Fold& fold(std::string_view name);

/// CUDA C++ of the identity in `dtype`.
[[nodiscard]] std::string identity_text(const Fold& fold, DType dtype);

}  // namespace heald::array
