#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heald::nvrtc {

/// The names of the kernels in a cubin, read from its ELF symbol table; empty if it is not one.
[[nodiscard]] std::vector<std::string> kernels_of_cubin(std::string_view cubin);

/// The names of the kernels in PTX (`.entry`).
[[nodiscard]] std::vector<std::string> kernels_of_ptx(std::string_view ptx);

}  // namespace heald::nvrtc
