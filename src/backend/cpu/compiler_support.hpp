#pragma once

// Functions that a code generator calls for operations that a machine lacks: conversions of 16-bit
// floats on CPUs without F16C, 128-bit division.

#include <string_view>

namespace heald::cpu {

/// Null for other names.
[[nodiscard]] void* compiler_support_function(std::string_view name) noexcept;

}  // namespace heald::cpu
