#pragma once

#include <heald/dtype.hpp>
#include <heald/export.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heald::array {

/// The dtype in which an operation takes place, from the promoted dtype of its operands.
enum class Loop : std::uint8_t {
    common,        ///< the promoted dtype
    no_boolean,    ///< the promoted dtype, int8 for boolean
    floating,      ///< integers in the floating-point type of their size
    float64,       ///< integers in float64 (true division)
    only_float64,  ///< float64 or complex128 always (float_power)
};

/// The dtype of the result, from that of the loop.
enum class Result : std::uint8_t {
    loop,
    boolean,
    real_part,  ///< of complex numbers; else the loop's
    uint8,
    int32,
};

/// Operands that are not converted to the loop's dtype.
enum class Mixed : std::uint8_t {
    none,
    boolean_first,  ///< a is a bool (where)
    int64_second,   ///< b is an int64, and does not count for the loop (ldexp)
    uint64_second,  ///< b is a uint64 (comparisons with a signed integer)
};

/// CUDA C++ for one kind of dtype.
struct Expression {
    std::string_view text;
    std::string_view
        functions;  ///< names in device_functions.hpp that it calls, with blanks between

    constexpr Expression(const char* expression = "", const char* called = "") noexcept
        : text(expression), functions(called) {}
};

/// Expressions of a row that differ between formats of real numbers.
struct RealFormats {
    Expression float16, bfloat16, float32, float64;
};

/// An operation with dtypes of its own for each operand, whatever the loop.
struct TypedFunction {
    std::vector<DType> operands;
    DType result = DType::float32;
    std::string symbol;      ///< what a kernel calls; it takes and returns values (value_type())
    std::string definition;  ///< CUDA C++ of `symbol`
    std::string functions;   ///< as in Expression
};

/// One row of the table of elementwise operations. An expression is CUDA C++ of operands a, b, c in
/// the loop's type T (float16 and bfloat16 as float, rounded after each operation); for integers, U
/// is the unsigned type of the same size; for complex numbers, T is heald_::complex<R>. An empty
/// expression: NumPy has no such loop, and neither has heald.
struct Ufunc {
    std::string_view name;  ///< NumPy's
    int operands;
    Loop loop;
    Result result;
    Expression boolean;
    Expression integer;
    Expression real;
    Expression complex;
    Mixed mixed = Mixed::none;
    const RealFormats* formats = nullptr;  ///< instead of `real`
    std::uint16_t id = 0;                  ///< position in the table; of typed ones, after it
    const TypedFunction* typed = nullptr;  ///< instead of the expressions; the loop is the result
};

/// Every row, by family, ids filled in.
[[nodiscard]] HEALD_API std::span<const Ufunc> ufuncs() noexcept;

/// The row of that name; throws Error(not_found).
[[nodiscard]] HEALD_API const Ufunc& ufunc(std::string_view name);

/// Conversion between dtypes: one operand, loop dtype as asked.
[[nodiscard]] HEALD_API const Ufunc& cast_ufunc();

[[nodiscard]] HEALD_API DType operand_dtype(const Ufunc& ufunc, std::size_t operand,
                                            DType loop) noexcept;
[[nodiscard]] HEALD_API DType result_dtype(const Ufunc& ufunc, DType loop) noexcept;
/// The loop for operands that promote to `promoted`; nullopt if NumPy has none.
[[nodiscard]] HEALD_API std::optional<DType> loop_dtype(const Ufunc& ufunc,
                                                        DType promoted) noexcept;

[[nodiscard]] HEALD_API const Expression& expression_of(const Ufunc& ufunc, DType loop) noexcept;

// The families, each a file.
[[nodiscard]] std::span<const Ufunc> arithmetic_ufuncs() noexcept;
[[nodiscard]] std::span<const Ufunc> comparison_ufuncs() noexcept;
[[nodiscard]] std::span<const Ufunc> bitwise_ufuncs() noexcept;
[[nodiscard]] std::span<const Ufunc> exponential_ufuncs() noexcept;
[[nodiscard]] std::span<const Ufunc> trigonometric_ufuncs() noexcept;
[[nodiscard]] std::span<const Ufunc> complex_part_ufuncs() noexcept;
[[nodiscard]] std::span<const Ufunc> floating_ufuncs() noexcept;
[[nodiscard]] std::span<const Ufunc> rounding_ufuncs() noexcept;
[[nodiscard]] std::span<const Ufunc> selection_ufuncs() noexcept;

}  // namespace heald::array
