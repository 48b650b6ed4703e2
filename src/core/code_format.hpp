#pragma once

#include "src/core/code.hpp"

#include <string>

namespace heald::core {

/// Code that came as bytes, its kind found by its first bytes: cubin, PTX, LTO-IR, a fat binary or
/// heald's CPU code. Throws Error(invalid_value) for anything else.
[[nodiscard]] CodeData recognise_code(std::string bytes, std::string name);

}  // namespace heald::core
