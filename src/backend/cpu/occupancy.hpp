#pragma once

#include "src/backend/cpu/function.hpp"

#include <cstddef>

namespace heald::cpu {

KernelAttributes attributes(const Function& function);

/// Blocks per worker. One worker runs one block at a time; a few more per worker even out
/// differences between blocks, and more than that would only make grid-stride loops jump further.
int max_active_blocks(const Function& function, int block, std::size_t dynamic_shared);

BlockSize suggest_block_size(const Function& function, std::size_t dynamic_shared);

}  // namespace heald::cpu
