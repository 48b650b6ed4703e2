#pragma once

#include <heald/dtype.hpp>
#include <heald/export.hpp>

#include <cstdint>
#include <optional>

namespace heald::array {

/// The dtype that holds the values of both, as NumPy 2 says (bfloat16 as float16, with which it
/// gives float32).
[[nodiscard]] HEALD_API DType promote(DType a, DType b) noexcept;

/// Python's own numbers, which take the dtype of the arrays they meet: "weak" scalars.
enum class WeakKind : std::uint8_t { boolean, integer, real, complex };

/// `dtype` with a weak scalar of that kind; nullopt stands for no array.
[[nodiscard]] HEALD_API DType promote(std::optional<DType> dtype, WeakKind kind) noexcept;

/// The floating-point type in which functions such as sin take place for a dtype: itself if it is
/// one, else the smallest that NumPy takes for its size.
[[nodiscard]] HEALD_API DType floating_for(DType dtype) noexcept;

/// float16 and bfloat16: a value is kept in a float, and rounded after each operation.
[[nodiscard]] constexpr bool is_narrow(DType dtype) noexcept {
    return dtype == DType::float16 || dtype == DType::bfloat16;
}
/// In which NumPy sums and multiplies elements: small integers and bool as 64-bit integers.
[[nodiscard]] DType dtype_of_sums(DType dtype) noexcept;

/// float32 of complex64 and so on; other dtypes are returned as they are.
[[nodiscard]] HEALD_API DType real_part_of(DType dtype) noexcept;
/// complex64 of float32 and so on; float16 and bfloat16 give complex64.
[[nodiscard]] HEALD_API DType complex_of(DType dtype) noexcept;

/// NumPy's casting rules "safe" and "same_kind".
[[nodiscard]] HEALD_API bool can_cast_safely(DType from, DType to) noexcept;
[[nodiscard]] HEALD_API bool can_cast_same_kind(DType from, DType to) noexcept;

}  // namespace heald::array
