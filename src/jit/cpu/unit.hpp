#pragma once

// Compiled units and kernel objects as byte strings for the disk cache. Nothing of LLVM is needed
// to read them.

#include "src/jit/cpu/plugin.hpp"

#include <string>
#include <string_view>

namespace heald::cpu {

/// Changes with every change of what is written.
inline constexpr std::uint32_t unit_format_version = 3;

std::string serialize(const CompiledUnit& unit);
std::string serialize(const KernelObject& object);

/// Throw Error(invalid_value) for bytes that `serialize` of this version did not write: truncated,
/// damaged (a checksum is kept) or of another version.
CompiledUnit deserialize_unit(std::string_view bytes);
KernelObject deserialize_object(std::string_view bytes);

}  // namespace heald::cpu
