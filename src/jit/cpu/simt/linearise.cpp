#include "src/jit/cpu/simt/linearise.hpp"

#include "src/jit/cpu/simt/emit.hpp"
#include "src/jit/cpu/simt/suspend.hpp"
#include "src/jit/cpu/simt/unsupported.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>

#include <algorithm>

namespace heald::cpu::simt {

Linearise::Linearise(Emission& emission, const BlockOrder& order, const KeptBranches& kept,
                     const LoopFacts& loop_facts, const llvm::DominatorTree& dominators,
                     const llvm::PostDominatorTree& post_dominators, const llvm::LoopInfo& loops)
    : emission_(emission),
      builder_(emission.builder),
      order_(order),
      kept_(kept),
      loop_facts_(loop_facts),
      dominators_(dominators),
      post_dominators_(post_dominators),
      loops_(loops),
      divergence_(emission.shapes.divergence()) {}

void Linearise::run() {
    for (llvm::BasicBlock* block : order_.blocks()) {
        emitted_[block] = emission_.new_block(block->getName());
    }
    end_ = emission_.new_block("end");
    make_slots();
    builder_.CreateBr(emitted_[order_.blocks().front()]);
    for (unsigned i = 0; i < order_.blocks().size(); ++i) emit_block(i);
    builder_.SetInsertPoint(end_);
    builder_.CreateRetVoid();
}

void Linearise::make_slots() {
    llvm::Value* none = llvm::Constant::getNullValue(emission_.mask_type());
    for (llvm::BasicBlock* block : order_.blocks()) {
        if (is_divergent_header(block) || is_collected(block)) {
            mask_slots_[block] = emission_.slot(emission_.mask_type(), "mask");
            builder_.CreateStore(none, mask_slots_[block]);
        }
        for (llvm::PHINode& phi : block->phis()) {
            const bool is_scalar = emission_.shape(&phi).has_base();
            llvm::Type* type = is_scalar ? phi.getType() : emission_.widen(phi.getType());
            phi_slots_[&phi] = emission_.slot(type, "phi");
            if (loops_.isLoopHeader(block)) continue;
            if (llvm::BasicBlock* above = level_dominator(block)) {
                phis_below_[above].push_back(&phi);
            }
        }
    }
}

llvm::BasicBlock* Linearise::emitted(llvm::BasicBlock* block) const {
    return block ? emitted_.lookup(block) : end_;
}

bool Linearise::is_back_edge(const llvm::BasicBlock* block, const llvm::BasicBlock* target) const {
    const llvm::Loop* loop = loops_.getLoopFor(target);
    return loop && loop->getHeader() == target && loop->contains(block);
}

bool Linearise::leaves_by_mask(const llvm::BasicBlock* block,
                               const llvm::BasicBlock* target) const {
    const llvm::Loop* loop = loops_.getLoopFor(block);
    if (!loop || loop->contains(target)) return false;
    return divergence_.is_divergent(loop) || !loop->getUniqueExitBlock();
}

llvm::BasicBlock* Linearise::landing(llvm::BasicBlock* block, llvm::BasicBlock* target) const {
    if (!leaves_by_mask(block, target)) return target;
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loops_.getLoopFor(block)->getExitBlocks(exits);
    return *std::min_element(exits.begin(), exits.end(),
                             [&](auto* a, auto* b) { return order_.index(a) < order_.index(b); });
}

bool Linearise::is_divergent_header(const llvm::BasicBlock* block) const {
    const llvm::Loop* loop = loops_.getLoopFor(block);
    return loop && loop->getHeader() == block && divergence_.is_divergent(loop);
}

bool Linearise::inherits_mask(llvm::BasicBlock* block) const {
    llvm::BasicBlock* dominator = level_dominator(block);
    return dominator && loops_.getLoopFor(dominator) == loops_.getLoopFor(block) &&
           post_dominators_.dominates(block, dominator);
}

bool Linearise::is_collected(llvm::BasicBlock* block) const {
    if (block == order_.blocks().front() || loops_.isLoopHeader(block)) return false;
    const llvm::BasicBlock* from = block->getUniquePredecessor();
    if (from && !leaves_by_mask(from, block)) return false;
    return !inherits_mask(block);
}

llvm::Value* Linearise::common_edge_mask(llvm::BasicBlock* block) const {
    llvm::Value* common = nullptr;
    for (const llvm::BasicBlock* from : llvm::predecessors(block)) {
        const auto edge = edge_masks_.find({from, block});
        if (edge == edge_masks_.end()) return nullptr;
        if (common && edge->second != common) return nullptr;
        if (leaves_by_mask(from, block)) return nullptr;
        common = edge->second;
    }
    return common;
}

llvm::BasicBlock* Linearise::level_dominator(llvm::BasicBlock* block) const {
    const auto* node = dominators_.getNode(block)->getIDom();
    llvm::BasicBlock* dominator = node->getBlock();
    while (dominator) {
        const llvm::Loop* loop = loops_.getLoopFor(dominator);
        if (!loop || loop->contains(block)) return dominator;
        while (loop->getParentLoop() && !loop->getParentLoop()->contains(block)) {
            loop = loop->getParentLoop();
        }
        dominator = loop->getLoopPreheader();
    }
    return nullptr;
}

Linearise::BlockMask Linearise::mask_of(llvm::BasicBlock* block) {
    if (block == order_.blocks().front()) return {emission_.entry_mask(), false};
    const llvm::Loop* loop = loops_.getLoopFor(block);
    if (loop && loop->getHeader() == block) {
        if (!divergence_.is_divergent(loop)) return {masks_[loop->getLoopPreheader()], false};
        return {builder_.CreateLoad(emission_.mask_type(), mask_slots_[block]), false};
    }
    if (llvm::Value* common = common_edge_mask(block)) {
        bool is_fresh = false;
        for (const llvm::BasicBlock* from : llvm::predecessors(block)) {
            is_fresh |= masks_.lookup(from) != common;
        }
        return {common, is_fresh};
    }
    if (inherits_mask(block)) return {masks_[level_dominator(block)], false};
    return collected_mask(block);
}

Linearise::BlockMask Linearise::collected_mask(llvm::BasicBlock* block) {
    llvm::Value* mask = builder_.CreateLoad(emission_.mask_type(), mask_slots_[block]);
    builder_.CreateStore(llvm::Constant::getNullValue(emission_.mask_type()), mask_slots_[block]);
    return {mask, true};
}

void Linearise::emit_block(unsigned index) {
    llvm::BasicBlock* block = order_.blocks()[index];
    builder_.SetInsertPoint(emitted_[block]);
    const BlockMask block_mask = mask_of(block);
    masks_[block] = block_mask.mask;
    if (block_mask.is_fresh && !emission_.is_all(block_mask.mask)) {
        // Needed, not only quick: nothing below may run without an active lane.
        llvm::BasicBlock* body = emission_.new_block(block->getName() + ".on");
        llvm::BasicBlock* skip = emitted(kept_.fall_through(order_.end_of_subtree(block) - 1));
        builder_.CreateCondBr(emission_.any(block_mask.mask), body, skip);
        builder_.SetInsertPoint(body);
    }
    for (llvm::Instruction& instruction : *block) {
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
            llvm::AllocaInst* slot = phi_slots_[phi];
            emission_.define(phi, builder_.CreateLoad(slot->getAllocatedType(), slot));
        } else if (!instruction.isTerminator()) {
            emit_instruction(emission_, instruction, block_mask.mask);
        }
    }
    reset_phis_below(block);
    const auto edges = edges_of(block, block_mask.mask);
    if (kept_.is_kept(block)) {
        emit_kept_branch(block, edges);
        return;
    }
    for (const Edge& edge : edges) leave_along(block, edge);
    emit_terminator(index, edges);
}

void Linearise::reset_phis_below(llvm::BasicBlock* block) {
    const auto below = phis_below_.find(block);
    if (below == phis_below_.end()) return;
    for (llvm::PHINode* phi : below->second) {
        llvm::AllocaInst* slot = phi_slots_[phi];
        const bool is_undefined = llvm::any_of(phi->incoming_values(), [](const llvm::Use& value) {
            return llvm::isa<llvm::UndefValue>(value) && !llvm::isa<llvm::PoisonValue>(value);
        });
        llvm::Type* type = slot->getAllocatedType();
        builder_.CreateStore(
            is_undefined ? llvm::UndefValue::get(type) : llvm::PoisonValue::get(type), slot);
    }
}

llvm::SmallVector<Linearise::Edge, 2> Linearise::edges_of(llvm::BasicBlock* block,
                                                          llvm::Value* mask) {
    const llvm::Instruction* terminator = block->getTerminator();
    if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(terminator)) return {};
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(terminator);
    if (!branch) {
        unsupported(*terminator, "cannot be compiled for the CPU: " + text_of(*terminator));
    }
    llvm::BasicBlock* yes = branch->getSuccessor(0);
    if (branch->isUnconditional() || branch->getSuccessor(1) == yes) return {{yes, mask}};
    llvm::BasicBlock* no = branch->getSuccessor(1);
    if (kept_.is_kept(block)) return {{yes, mask}, {no, mask}};
    llvm::Value* condition = emission_.vector(branch->getCondition());
    llvm::Value* inverse = builder_.CreateNot(condition);
    if (emission_.is_all(mask)) return {{yes, condition}, {no, inverse}};
    // Logical: in lanes that do not run the condition may be poison.
    return {{yes, builder_.CreateLogicalAnd(mask, condition)},
            {no, builder_.CreateLogicalAnd(mask, inverse)}};
}

void Linearise::leave_along(llvm::BasicBlock* block, const Edge& edge) {
    edge_masks_[{block, edge.target}] = edge.mask;
    if (llvm::AllocaInst* slot = mask_slots_.lookup(edge.target)) {
        llvm::Value* mask = edge.mask;
        if (!loops_.isLoopHeader(edge.target)) {
            mask = builder_.CreateOr(builder_.CreateLoad(emission_.mask_type(), slot), mask);
        }
        builder_.CreateStore(mask, slot);
    }
    set_phis(block, edge);
}

// Whether lanes that came to the target along other edges must keep their values.
bool Linearise::needs_blend(llvm::BasicBlock* block, const Edge& edge) const {
    const llvm::Loop* loop = loops_.getLoopFor(edge.target);
    if (loop && loop->getHeader() == edge.target) return false;
    if (emission_.is_all(edge.mask)) return false;
    if (leaves_by_mask(block, edge.target)) return true;
    if (edge.target->getUniquePredecessor() == block) return false;
    // All lanes of the dominator, hence of the target, come along this edge.
    const auto* dominator = dominators_.getNode(edge.target)->getIDom()->getBlock();
    const bool all_take_it =
        block->getTerminator()->getNumSuccessors() == 1 || kept_.is_kept(block);
    return !(all_take_it && masks_.lookup(dominator) == edge.mask);
}

void Linearise::set_phis(llvm::BasicBlock* block, const Edge& edge) {
    for (llvm::PHINode& phi : edge.target->phis()) {
        llvm::Value* incoming = phi.getIncomingValueForBlock(block);
        llvm::AllocaInst* slot = phi_slots_[&phi];
        if (llvm::isa<llvm::UndefValue>(incoming)) continue;
        if (emission_.shape(&phi).has_base()) {
            builder_.CreateStore(emission_.base(incoming), slot);
            continue;
        }
        llvm::Value* value = emission_.vector(incoming);
        if (needs_blend(block, edge)) {
            llvm::Value* before = builder_.CreateLoad(slot->getAllocatedType(), slot);
            value = emission_.select_lanes(edge.mask, value, before, phi.getType());
        }
        builder_.CreateStore(value, slot);
    }
}

llvm::BasicBlock* Linearise::back_edge_target(llvm::BasicBlock* header) {
    const llvm::Loop* loop = loops_.getLoopFor(header);
    const bool polls = loop_facts_.is_unbounded(loop);
    const bool yields = loop_facts_.is_yield(loop);
    if (!polls && !yields) return emitted(header);
    const llvm::IRBuilderBase::InsertPointGuard restore(builder_);
    llvm::BasicBlock* back = emission_.new_block("back");
    builder_.SetInsertPoint(back);
    if (polls) {
        llvm::BasicBlock* go_on = emission_.new_block("back.on");
        llvm::Value* cancelled = load_cancelled(builder_, emission_.arguments.context);
        builder_.CreateCondBr(cancelled, end_, go_on);
        builder_.SetInsertPoint(go_on);
    }
    if (yields) emit_suspend(builder_, SuspendKind::yield);
    builder_.CreateBr(emitted(header));
    return back;
}

// What an edge does is done on the edge: its lanes may meet others that did not come to the branch.
void Linearise::emit_kept_branch(llvm::BasicBlock* block,
                                 const llvm::SmallVectorImpl<Edge>& edges) {
    const auto* branch = llvm::cast<llvm::BranchInst>(block->getTerminator());
    llvm::BasicBlock* sides[2] = {emission_.new_block("side"), emission_.new_block("side")};
    builder_.CreateCondBr(emission_.base(branch->getCondition()), sides[0], sides[1]);
    for (unsigned i = 0; i < 2; ++i) {
        builder_.SetInsertPoint(sides[i]);
        leave_along(block, edges[i]);
        llvm::BasicBlock* target = edges[i].target;
        builder_.CreateBr(is_back_edge(block, target) ? back_edge_target(target)
                                                      : emitted(landing(block, target)));
    }
}

void Linearise::emit_terminator(unsigned index, const llvm::SmallVectorImpl<Edge>& edges) {
    llvm::BasicBlock* block = order_.blocks()[index];
    llvm::BasicBlock* next = emitted(kept_.fall_through(index));
    for (const Edge& edge : edges) {
        if (!is_back_edge(block, edge.target)) continue;
        llvm::BasicBlock* back = back_edge_target(edge.target);
        if (divergence_.is_divergent(loops_.getLoopFor(edge.target))) {
            builder_.CreateCondBr(emission_.any(edge.mask), back, next);
        } else {
            builder_.CreateBr(back);
        }
        return;
    }
    builder_.CreateBr(next);
}

}  // namespace heald::cpu::simt
