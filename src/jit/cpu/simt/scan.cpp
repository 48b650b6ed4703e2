// What launches need to know of a kernel.

#include "src/jit/cpu/simt/loop_facts.hpp"
#include "src/jit/cpu/simt/shape_analysis.hpp"
#include "src/jit/cpu/simt/shared_layout.hpp"
#include "src/jit/cpu/simt/simt.hpp"
#include "src/jit/cpu/simt/single_lane.hpp"
#include "src/jit/cpu/simt/special_calls.hpp"
#include "src/jit/cpu/simt/unsupported.hpp"
#include "src/jit/cpu/simt/work_bound.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

namespace heald::cpu::simt {
namespace {

// A loop that waits for others, and from which lanes of one warp leave at different times: the one
// that holds the lock may be held up by those that wait for it.
bool has_lane_yield(llvm::Function& entry, const LoopFacts& facts, const llvm::LoopInfo& loops,
                    const llvm::DominatorTree& dominators) {
    if (!facts.any_yield()) return false;
    const llvm::PostDominatorTree post_dominators(entry);
    const Variant widest{.lanes = 32, .contiguous = true, .full = true};
    const ShapeAnalysis shapes(entry, widest, loops, post_dominators);
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
        if (facts.is_yield(loop) && shapes.divergence().is_divergent(loop) &&
            !runs_in_single_lane(*loop->getHeader(), shapes, dominators)) {
            return true;
        }
    }
    return false;
}

bool computes_in_double(const llvm::Instruction& instruction) {
    return instruction.getType()->getScalarType()->isDoubleTy() &&
           llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CallBase>(instruction);
}

}  // namespace

KernelTraits scan(llvm::Function& entry) {
    KernelTraits traits;
    expand_shared_constants(entry);
    for (const llvm::Instruction& instruction : llvm::instructions(entry)) {
        const SpecialCall call = special_call(instruction);
        traits.has_barrier |= call.kind == SpecialCall::Kind::barrier;
        traits.uses_warp |= call.is_warp_operation();
        traits.computes_in_double |= computes_in_double(instruction);
        traits.calls_out_of_line |= call.kind == SpecialCall::Kind::lane_context;
    }
    const SharedLayout shared(entry);
    traits.has_dynamic_shared = shared.has_dynamic();
    traits.static_shared_bytes = shared.static_bytes();
    llvm::DominatorTree dominators(entry);
    llvm::LoopInfo loops(dominators);
    const LoopFacts facts(entry, dominators, loops);
    traits.work = work_bound(entry, loops, facts);
    traits.has_unbounded_loop = facts.any_unbounded() || traits.calls_out_of_line;
    traits.has_yield_loop = facts.any_yield();
    traits.has_lane_yield = has_lane_yield(entry, facts, loops, dominators);
    if (traits.has_lane_yield && traits.uses_warp) {
        unsupported(entry,
                    "threads of one warp wait for each other (a lock or flag that every thread "
                    "takes), which cannot be combined with warp operations (shuffles, votes, "
                    "__syncwarp) on the CPU: let one thread of the warp take the lock");
    }
    return traits;
}

}  // namespace heald::cpu::simt
