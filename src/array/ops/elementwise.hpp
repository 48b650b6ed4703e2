#pragma once

#include <heald/array.hpp>
#include <heald/export.hpp>

#include "src/array/lazy/node.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/array/ops/ufunc.hpp"

#include <optional>
#include <span>
#include <variant>

namespace heald::array {

/// One of Python's own numbers, without a dtype yet.
struct WeakScalar {
    WeakKind kind = WeakKind::real;
    std::int64_t integer = 0;  ///< of boolean and integer
    bool is_unsigned = false;  ///< `integer` holds the bits of a number from 2^63 to 2^64 - 1
    std::int8_t beyond = 0;    ///< sign of an integer that 64 bits do not hold; `real` is near it
    double real = 0;           ///< of real and complex
    double imaginary = 0;
};

/// A number with a dtype, as numpy.float32(2).
struct TypedScalar {
    DType dtype = DType::float64;
    Value value;
};

using UfuncOperand = std::variant<Array, WeakScalar, TypedScalar>;

/// Records a ufunc of operands that broadcast together. `dtype`: the loop's, instead of the one
/// that promotion gives. Errors are NumPy's: Error(type_mismatch) without a loop,
/// Error(invalid_value) for shapes and devices that do not fit, Error(overflow) for an int that the
/// dtype cannot hold.
[[nodiscard]] HEALD_API Array elementwise(const Ufunc& ufunc,
                                          std::span<const UfuncOperand> operands,
                                          std::optional<DType> dtype = std::nullopt);

/// The number as an element of a dtype.
[[nodiscard]] HEALD_API Value element_of(const WeakScalar& scalar, DType dtype);

/// `array` in another dtype; itself if it has it.
[[nodiscard]] HEALD_API Array cast(const Array& array, DType dtype);

/// The shape that both broadcast to; throws Error(invalid_value).
[[nodiscard]] HEALD_API Shape broadcast_shapes(std::span<const Shape* const> shapes,
                                               std::string_view operation);
/// A view with that shape.
[[nodiscard]] HEALD_API Array broadcast_view(Array array, const Shape& shape);

}  // namespace heald::array
