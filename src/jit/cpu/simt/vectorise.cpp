// The entry point: one kernel and variant to a block function.

#include "src/jit/cpu/simt/block_function.hpp"
#include "src/jit/cpu/simt/block_order.hpp"
#include "src/jit/cpu/simt/cleanup.hpp"
#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/kept_branches.hpp"
#include "src/jit/cpu/simt/linearise.hpp"
#include "src/jit/cpu/simt/loop_facts.hpp"
#include "src/jit/cpu/simt/scalar_warp.hpp"
#include "src/jit/cpu/simt/shape_analysis.hpp"
#include "src/jit/cpu/simt/shared_layout.hpp"
#include "src/jit/cpu/simt/simt.hpp"
#include "src/jit/cpu/simt/step_function.hpp"
#include "src/jit/cpu/simt/suspend.hpp"
#include "src/jit/cpu/simt/unsupported.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <bit>

namespace heald::cpu::simt {
namespace {

llvm::Function* build_vector_warp(llvm::Function& entry, const Variant& variant,
                                  const VectorIsa& isa, const SharedLayout& shared,
                                  const std::string& name) {
    llvm::DominatorTree dominators(entry);
    llvm::PostDominatorTree post_dominators(entry);
    llvm::LoopInfo loops(dominators);
    const LoopFacts loop_facts(entry, dominators, loops);
    const ShapeAnalysis shapes(entry, variant, loops, post_dominators);
    const BlockOrder order(entry, dominators, loops);
    const KeptBranches kept(order, shapes, loops, post_dominators);
    llvm::Function* warp = create_warp_function(entry, name);
    Emission emission(entry, variant, isa, shapes, shared, *warp);
    Linearise(emission, order, kept, loop_facts, dominators, post_dominators, loops).run();
    return warp;
}

/// The kernel's own description, if it was compiled with line information: the entry is the kernel,
/// inlined.
llvm::DISubprogram* kernel_description(const llvm::Function& entry) {
    for (const llvm::Instruction& instruction : llvm::instructions(entry)) {
        const llvm::DebugLoc& location = instruction.getDebugLoc();
        if (!location) continue;
        auto* scope = llvm::cast<llvm::DILocalScope>(location.getInlinedAtScope());
        return scope->getSubprogram();
    }
    return nullptr;
}

void check(const llvm::Function& function) {
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyFunction(function, &stream)) {
        unsupported(function, "internal: the vectoriser made invalid code: " + problem);
    }
}

}  // namespace

Result vectorise(llvm::Function& entry, const Variant& wanted, const VectorIsa& isa,
                 const std::string& name) {
    Variant variant = wanted;
    if (variant.lanes == 1) variant.contiguous = variant.full = true;
    if (!std::has_single_bit(variant.lanes) || variant.lanes > 64) {
        unsupported(entry, "internal: no variant with " + std::to_string(variant.lanes) + " lanes");
    }
    llvm::DISubprogram* const description = kernel_description(entry);
    expand_shared_constants(entry);
    const SharedLayout shared(entry);
    llvm::Function* warp = variant.lanes == 1
                               ? build_scalar_warp(entry, shared, name + ".warp")
                               : build_vector_warp(entry, variant, isa, shared, name + ".warp");
    promote_slots(*warp);
    check(*warp);
    Result result;
    result.static_shared_bytes = shared.static_bytes();
    if (suspend_points(*warp).empty()) {
        warp->addFnAttr(llvm::Attribute::AlwaysInline);
        result.blocks = build_block_function(*warp, variant, name);
    } else {
        // Other warps write shared memory at every suspension: until the split, a value stored
        // before one must not be taken for what a load after it finds.
        warp->removeParamAttr(2, llvm::Attribute::NoAlias);
        simplify_before_split(*warp);
        const StepFunction step = make_step_function(*warp);
        step.function->addParamAttr(2, llvm::Attribute::NoAlias);
        warp->eraseFromParent();
        check(*step.function);
        result.blocks = build_block_function(step, variant, name);
        result.frame_bytes_per_warp = arena_bytes_per_warp(step);
    }
    result.blocks->setSubprogram(description);
    check(*result.blocks);
    return result;
}

}  // namespace heald::cpu::simt
