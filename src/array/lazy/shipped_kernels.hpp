#pragma once

#include "src/base/hash.hpp"
#include "src/core/code.hpp"
#include "src/core/device_state.hpp"

#include <map>
#include <memory>
#include <string>

namespace heald::array {

// Kernels of common operations are compiled for the CPU when heald is built (src/aot): a file
// beside the library for each level of the architecture holds their code, by source.

/// The code of a generated kernel, if it was compiled beforehand; else null.
[[nodiscard]] std::shared_ptr<const core::CodeData> shipped_code(core::DeviceState& device,
                                                                 const std::string& source);

/// "heald_kernels.x86-64-v3.bin"
[[nodiscard]] std::string shipped_file_name(const std::string& architecture);
/// The contents of such a file: serialised CodeData by the hash of its source.
[[nodiscard]] std::string shipped_file(const std::map<Hash128, std::string>& codes);

}  // namespace heald::array
