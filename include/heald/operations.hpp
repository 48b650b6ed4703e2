#pragma once

// Elementwise operations and reductions of arrays, as in NumPy: recorded, and computed in fused
// kernels when a value is needed (Array::copy_to_host, data(), a launch, evaluate()).

#include <heald/array.hpp>
#include <heald/export.hpp>

#include <complex>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace heald {

/// An operand of an elementwise operation: an array, or a number, which takes the dtype of the
/// arrays that it meets, as NumPy 2 does with Python's own numbers.
class Operand {
public:
    Operand(Array array) : value_(std::move(array)) {}  // NOLINT(google-explicit-constructor)
    template <std::integral T>
    Operand(T number)  // NOLINT(google-explicit-constructor)
        : value_(convert(number)) {}
    Operand(double number) : value_(number) {}                // NOLINT(google-explicit-constructor)
    Operand(std::complex<double> number) : value_(number) {}  // NOLINT(google-explicit-constructor)

    using Value = std::variant<Array, bool, std::int64_t, double, std::complex<double>>;
    [[nodiscard]] const Value& value() const noexcept { return value_; }

private:
    template <class T>
    static Value convert(T number) {
        if constexpr (std::same_as<T, bool>)
            return Value(std::in_place_type<bool>, number);
        else
            return Value(std::in_place_type<std::int64_t>, static_cast<std::int64_t>(number));
    }

    Value value_;
};

/// The operation that NumPy's ufunc of that name does, with its rules for dtypes and shapes.
/// Error(not_found) for an unknown name, Error(type_mismatch) for dtypes without such an operation,
/// Error(invalid_value) for shapes that do not broadcast and arrays of different devices.
[[nodiscard]] HEALD_API Array elementwise(std::string_view ufunc,
                                          std::initializer_list<Operand> operands);
/// The names that elementwise() takes.
[[nodiscard]] HEALD_API std::vector<std::string_view> elementwise_names();

/// NumPy's ufunc.reduce over axes (none: all of them), and argmax and argmin. Names: add, multiply,
/// maximum, minimum, logical_and, logical_or, bitwise_and, bitwise_or, bitwise_xor, argmax, argmin.
[[nodiscard]] HEALD_API Array reduce(std::string_view ufunc, const Array& array,
                                     std::span<const int> axes = {}, bool keep_axes = false,
                                     std::optional<DType> dtype = std::nullopt);

/// start + i * step for i from 0 to count - 1.
[[nodiscard]] HEALD_API Array range(double start, double step, std::int64_t count,
                                    DType dtype = DType::float64,
                                    const Stream& stream = Stream::current());

/// `array` in another dtype; itself if it has it.
[[nodiscard]] HEALD_API Array as_type(const Array& array, DType dtype);

/// target[...] = value, converted and broadcast. What is pending and reads the target reads the old
/// elements.
HEALD_API void assign(const Array& target, const Operand& value);

/// Enqueues what the arrays wait for; does not wait for the device.
HEALD_API void evaluate(std::initializer_list<Array> arrays);

// The usual ones by name and operator.

#define HEALD_BINARY(name, symbol)                                                 \
    [[nodiscard]] inline Array operator symbol(const Array& a, const Operand& b) { \
        return elementwise(name, {a, b});                                          \
    }                                                                              \
    template <class T>                                                             \
        requires std::is_arithmetic_v<T>                                           \
    [[nodiscard]] Array operator symbol(T a, const Array& b) {                     \
        return elementwise(name, {a, b});                                          \
    }
HEALD_BINARY("add", +)
HEALD_BINARY("subtract", -)
HEALD_BINARY("multiply", *)
HEALD_BINARY("divide", /)
HEALD_BINARY("remainder", %)
HEALD_BINARY("less", <)
HEALD_BINARY("less_equal", <=)
HEALD_BINARY("greater", >)
HEALD_BINARY("greater_equal", >=)
HEALD_BINARY("equal", ==)
HEALD_BINARY("not_equal", !=)
HEALD_BINARY("bitwise_and", &)
HEALD_BINARY("bitwise_or", |)
HEALD_BINARY("bitwise_xor", ^)
#undef HEALD_BINARY

[[nodiscard]] inline Array operator-(const Array& a) {
    return elementwise("negative", {a});
}
[[nodiscard]] inline Array operator~(const Array& a) {
    return elementwise("invert", {a});
}

#define HEALD_UNARY(function, name)                       \
    [[nodiscard]] inline Array function(const Array& x) { \
        return elementwise(name, {x});                    \
    }
HEALD_UNARY(abs, "absolute")
HEALD_UNARY(sqrt, "sqrt")
HEALD_UNARY(exp, "exp")
HEALD_UNARY(log, "log")
HEALD_UNARY(sin, "sin")
HEALD_UNARY(cos, "cos")
HEALD_UNARY(tan, "tan")
HEALD_UNARY(tanh, "tanh")
HEALD_UNARY(floor, "floor")
HEALD_UNARY(ceil, "ceil")
HEALD_UNARY(isnan, "isnan")
#undef HEALD_UNARY

[[nodiscard]] inline Array pow(const Array& x, const Operand& y) {
    return elementwise("power", {x, y});
}
[[nodiscard]] inline Array maximum(const Array& x, const Operand& y) {
    return elementwise("maximum", {x, y});
}
[[nodiscard]] inline Array minimum(const Array& x, const Operand& y) {
    return elementwise("minimum", {x, y});
}
[[nodiscard]] inline Array where(const Array& condition, const Operand& x, const Operand& y) {
    return elementwise("where", {condition, x, y});
}
[[nodiscard]] inline Array sum(const Array& x, std::span<const int> axes = {},
                               bool keep_axes = false) {
    return reduce("add", x, axes, keep_axes);
}

}  // namespace heald
