#include "src/jit/cpu/simt/shape_analysis.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>

namespace heald::cpu::simt {

unsigned integer_bits(const llvm::Type* type) {
    if (type->isPointerTy()) return 64;
    return type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
}

ShapeAnalysis::ShapeAnalysis(llvm::Function& function, const Variant& variant,
                             const llvm::LoopInfo& loops,
                             const llvm::PostDominatorTree& post_dominators)
    : function_(function), variant_(variant), loops_(loops), divergence_(loops, post_dominators) {
    run();
}

Shape ShapeAnalysis::shape(const llvm::Value* value) const {
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(value)) {
        if (integer->getBitWidth() > 64) return Shape::uniform();
        return Shape::constant(integer->getZExtValue()).truncated(integer->getBitWidth());
    }
    if (!llvm::isa<llvm::Instruction>(value)) return Shape::uniform();
    return shapes_.lookup(value);
}

void ShapeAnalysis::run() {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    bool changed = true;
    while (changed) {
        changed = false;
        for (llvm::BasicBlock* block : order) {
            for (llvm::Instruction& instruction : *block) changed |= update(instruction);
            const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
            if (!branch || !branch->isConditional()) continue;
            const Shape condition = shape(branch->getCondition());
            if (condition.known() && !condition.is_uniform()) changed |= divergence_.mark(*block);
        }
    }
}

bool ShapeAnalysis::update(llvm::Instruction& instruction) {
    const Shape before = shapes_.lookup(&instruction);
    if (before.is_varying()) return false;
    const unsigned bits = integer_bits(instruction.getType());
    Shape now = compute(instruction);
    if (now.has_base() && bits == 0 && now.stride() != 0) now = Shape::varying();
    if (bits != 0) now = now.truncated(bits);
    now = before.join(now);
    if (now.has_base() && bits == 1 && !now.is_uniform()) now = Shape::varying();
    if (now == before) return false;
    shapes_[&instruction] = now;
    return true;
}

Shape ShapeAnalysis::phi(const llvm::PHINode& phi) const {
    Shape result;
    const llvm::Value* only = nullptr;
    bool same_value = true;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        const llvm::Value* value = phi.getIncomingValue(i);
        if (llvm::isa<llvm::UndefValue>(value)) continue;
        same_value &= !only || value == only;
        only = value;
        const Shape incoming = shape(value);
        result = result.join(incoming.is_guarded() ? Shape::varying() : incoming);
        // A value that leaves a divergent loop was computed in a different iteration per lane.
        const auto* definition = llvm::dyn_cast<llvm::Instruction>(value);
        if (!definition) continue;
        for (const llvm::Loop* loop = loops_.getLoopFor(phi.getIncomingBlock(i));
             loop && !loop->contains(phi.getParent()); loop = loop->getParentLoop()) {
            if (divergence_.is_divergent(loop) && loop->contains(definition->getParent())) {
                return Shape::varying();
            }
        }
    }
    if (!only) return Shape::uniform();
    if (result.known() && divergence_.is_join(phi.getParent()) && !same_value) {
        return Shape::varying();
    }
    return result;
}

}  // namespace heald::cpu::simt
