#pragma once

#include <heald/export.hpp>
#include "src/core/block.hpp"

#include <memory>
#include <span>

namespace heald::array {

/// Enqueues what the pending ones of these blocks need, fused, and then they are settled.
HEALD_API void evaluate(std::span<const std::shared_ptr<core::Block>> blocks);

/// While a thread plans or enqueues pending work, its own uses of memory evaluate nothing.
class Evaluating {
public:
    Evaluating() noexcept;
    ~Evaluating();
    Evaluating(const Evaluating&) = delete;
    Evaluating& operator=(const Evaluating&) = delete;
};

/// HEALD_FUSION as it was at the first evaluation.
[[nodiscard]] bool fusion_wanted();

HEALD_API void evaluate_block(core::Block& block);
/// Evaluates every pending node that reads `block`.
HEALD_API void evaluate_readers(core::Block& block);

}  // namespace heald::array
