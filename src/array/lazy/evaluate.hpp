#pragma once

#include <heald/export.hpp>
#include "src/core/block.hpp"

#include <memory>
#include <span>

namespace heald::array {

/// Enqueues what the pending ones of these blocks need, fused, and then they are settled.
HEALD_API void evaluate(std::span<const std::shared_ptr<core::Block>> blocks);

HEALD_API void evaluate_block(core::Block& block);
/// Evaluates every pending node that reads `block`.
HEALD_API void evaluate_readers(core::Block& block);

}  // namespace heald::array
