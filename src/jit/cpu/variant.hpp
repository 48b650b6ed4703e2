#pragma once

#include "src/jit/cpu/plugin.hpp"

#include <cstdint>

namespace heald::cpu {

/// The variant that runs a block of this shape best. `maximum_lanes` 0: no limit.
Variant best_variant(const KernelRecord& kernel, const std::uint32_t block[3],
                     std::uint32_t maximum_lanes);

}  // namespace heald::cpu
