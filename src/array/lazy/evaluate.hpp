#pragma once

#include <heald/export.hpp>
#include "src/core/block.hpp"

#include <cstdint>
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

enum class Fusion : std::uint8_t {
    eager,  ///< a new kernel is compiled in the background; single operations answer meanwhile
    wait,   ///< a new kernel is compiled before it runs
    off,    ///< single operations only
};
/// HEALD_FUSION as it was at the first evaluation.
[[nodiscard]] Fusion fusion();

HEALD_API void evaluate_block(core::Block& block);
/// Evaluates every pending node that reads `block`.
HEALD_API void evaluate_readers(core::Block& block);

}  // namespace heald::array
