#pragma once

#include <set>
#include <string>

namespace heald::aot {

/// The text of the kernels of common operations on the CPU: each operation on each common dtype, on
/// arrays and scalars as they mostly come.
[[nodiscard]] std::set<std::string> common_sources();

}  // namespace heald::aot
