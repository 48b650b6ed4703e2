#pragma once

#include "src/core/code.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heald::core {

/// One spelling for the spellings of a name: "scale<float,4u>" and " & scale< float , 4 >" are
/// "scale<float,4>".
[[nodiscard]] std::string canonical_name(std::string_view name);

/// Kernels that `name` means: those with exactly that mangled name, or that name expression or
/// display name, or, for a name with a parameter list, that declaration.
[[nodiscard]] std::vector<const KernelSymbol*> kernels_named(
    const std::vector<KernelSymbol>& kernels, std::string_view name);

/// "add(float const*, int)" for a kernel, from its mangled name; else its display name.
[[nodiscard]] std::string declaration_of(const KernelSymbol& kernel);

/// A symbol for a function of which only the mangled name is known.
[[nodiscard]] KernelSymbol symbol_of_mangled(const std::string& lowered);

/// The mangled name of a variable "ns::table".
[[nodiscard]] std::string mangled_variable(std::string_view name);

}  // namespace heald::core
