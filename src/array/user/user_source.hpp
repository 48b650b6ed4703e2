#pragma once

#include <heald/device.hpp>

#include "src/array/ops/ufunc.hpp"
#include "src/array/user/parameter.hpp"

#include <span>
#include <string>
#include <string_view>

namespace heald::array {

/// What a user wrote of a function.
struct UserText {
    std::string name;
    std::string preamble;
    std::string body;  ///< statements
};

/// "using T = float;" of every letter.
[[nodiscard]] std::string placeholder_types(const UserDtypes& dtypes);

/// The preamble in two parts: its #include lines, and what can stand in a namespace.
struct SplitPreamble {
    std::string includes, rest;
};
[[nodiscard]] SplitPreamble split_preamble(const std::string& preamble);

/// The body as statements that may `return;`, with the user's own line numbers.
[[nodiscard]] std::string user_statements(const UserText& text);

/// A function of `parameters` ("const float x, const float y"), of dtypes `operands`, that runs
/// `text` and gives the variable `output`; `before` are statements in front of it.
[[nodiscard]] TypedFunction user_function(const UserText& text, const std::string& parameters,
                                          std::vector<DType> operands, const std::string& before,
                                          const std::string& output, DType result);

/// Compiles the function by itself, once for a device: throws CompileError with the user's lines.
void check_function(const Ufunc& ufunc, const Device& device);

}  // namespace heald::array
