#pragma once

#include "src/array/lazy/lowered.hpp"

#include <set>
#include <string>
#include <string_view>

namespace heald::array {

// Pieces of CUDA C++ for generated kernels.

/// The type of a value in a register: float for float16 and bfloat16, whose values it has.
[[nodiscard]] std::string value_type(DType dtype);
/// The type of an element in memory.
[[nodiscard]] std::string memory_type(DType dtype);

/// A type with the size of an element, for kernels that only move elements or read their bits.
[[nodiscard]] const char* bits_type(std::size_t size);

/// The value of an element: `place` is an lvalue of memory_type.
[[nodiscard]] std::string load(DType dtype, const std::string& place);
/// What is stored for a value.
[[nodiscard]] std::string stored(DType dtype, const std::string& value);
/// A value of another dtype, as NumPy's astype gives it.
[[nodiscard]] std::string converted(DType from, DType to, const std::string& value);

/// The functions that a kernel's steps and dtypes need, before the kernel.
class Preamble {
public:
    void need(std::string_view functions);  ///< names, separated by blanks
    void need_dtype(DType dtype);
    /// Defines the step's function; its name.
    std::string step_function(const Step& step);
    std::string typed_function(const TypedFunction& function);
    [[nodiscard]] std::string source(DeviceKind device) const;

private:
    std::set<std::string, std::less<>> needed_;
    std::string sections_;
    std::set<std::string> defined_;
    std::string steps_;
};

/// Statements that compute every step: "const float v3 = …;". `inputs[k]` and `scalars[k]` are
/// expressions of values.
[[nodiscard]] std::string step_statements(const Lowered& lowered, Preamble& preamble,
                                          std::string_view indent);
/// "float* __restrict__ o0, const float* __restrict__ i0, const float p0, ": outputs, inputs (of a
/// range, the number of its first element), scalars.
[[nodiscard]] std::string operand_parameters(const Lowered& lowered, Preamble& preamble);
/// "const float s0 = p0;" of every scalar.
[[nodiscard]] std::string scalar_statements(const Lowered& lowered);
/// "const float x0 = i0[offset];"
[[nodiscard]] std::string load_statement(const Lowered& lowered, std::size_t input,
                                         const std::string& offset);
[[nodiscard]] std::string range_value(const Input& input, std::size_t number,
                                      const std::string& offset);
/// What is stored for an output.
[[nodiscard]] std::string stored_value(const Lowered& lowered, const Output& output);

/// The expression for a value: "v3", "x1", "s0".
[[nodiscard]] std::string name_of(const Ref& ref);
[[nodiscard]] DType dtype_of(const Lowered& lowered, const Ref& ref);

}  // namespace heald::array
