#pragma once

// A warp that can stop: the warp function becomes `state step(…, frame, state)`.

#include <cstdint>

namespace llvm {
class Function;
}

namespace heald::cpu::simt {

/// States: 0 start; 1…barriers after a barrier; then `yields` states after a yield; the last one
/// (`done()`) ended.
struct StepFunction {
    llvm::Function* function = nullptr;  ///< i32(warp arguments…, ptr frame, i32 state)
    unsigned barriers = 0;
    unsigned yields = 0;
    std::uint64_t frame_bytes = 0;

    unsigned done() const { return barriers + yields + 1; }
};

/// Replaces `warp`, which has suspend markers, by its step function. Values that are needed after a
/// marker live in the frame or are computed again.
StepFunction make_step_function(llvm::Function& warp);

}  // namespace heald::cpu::simt
