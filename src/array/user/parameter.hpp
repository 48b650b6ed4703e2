#pragma once

#include <heald/array.hpp>
#include <heald/dtype.hpp>

#include "src/array/ops/elementwise.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heald::array {

/// One parameter of a user's kernel on arrays: "T x", "raw float32 table".
struct UserParameter {
    std::string type;  ///< name of a dtype, or one letter that stands for any
    std::string name;
    bool raw = false;  ///< indexed by the kernel's text

    [[nodiscard]] bool is_placeholder() const noexcept { return type.size() == 1; }
};

/// Throws Error(invalid_value) for what is not such a list.
[[nodiscard]] std::vector<UserParameter> parse_parameters(std::string_view list,
                                                          std::string_view kernel);

/// Dtypes of a call.
struct UserDtypes {
    std::vector<DType> inputs;
    std::vector<DType> outputs;
    std::map<std::string, DType> placeholders;
};

/// Arrays and typed scalars must have the dtype of their parameter, and agree about a letter;
/// Python's own numbers take it. Throws Error(type_mismatch).
[[nodiscard]] UserDtypes bind_dtypes(std::string_view kernel, std::span<const UserParameter> inputs,
                                     std::span<const UfuncOperand> operands,
                                     std::span<const UserParameter> outputs,
                                     std::span<const Array> given);

/// The operand as a value of its parameter's dtype, broadcast to `shape` if it is an array.
[[nodiscard]] Operand bound_operand(const UfuncOperand& operand, DType dtype, const Shape& shape);

/// The stream of a call: of the arrays' device, which must be one.
[[nodiscard]] Stream call_stream(std::string_view kernel, std::span<const UfuncOperand> operands,
                                 std::span<const Array> given);

/// Whether `text` has the identifier.
[[nodiscard]] bool mentions(std::string_view text, std::string_view identifier) noexcept;

}  // namespace heald::array
