#include "src/jit/cpu/simt/single_lane.hpp"

#include "src/jit/cpu/simt/shape_analysis.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/PatternMatch.h>

namespace heald::cpu::simt {
namespace {

using namespace llvm::PatternMatch;

bool differs_in_all_lanes(const Shape& shape) {
    return shape.is_strided() && shape.stride() != 0 && std::abs(shape.stride()) < (1 << 24);
}

// `value` == 0 implies part == 0 for the parts of an or, and for an extended value.
bool is_zero_in_one_lane(llvm::Value* value, const ShapeAnalysis& shapes) {
    if (differs_in_all_lanes(shapes.shape(value))) return true;
    llvm::Value* left = nullptr;
    llvm::Value* right = nullptr;
    if (match(value, m_Or(m_Value(left), m_Value(right)))) {
        return is_zero_in_one_lane(left, shapes) || is_zero_in_one_lane(right, shapes);
    }
    return match(value, m_ZExtOrSExt(m_Value(left))) && is_zero_in_one_lane(left, shapes);
}

bool holds_in_one_lane(llvm::Value* condition, bool is_true, const ShapeAnalysis& shapes) {
    llvm::Value* left = nullptr;
    llvm::Value* right = nullptr;
    const bool conjunction = is_true ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
                                     : match(condition, m_LogicalOr(m_Value(left), m_Value(right)));
    if (conjunction) {
        return holds_in_one_lane(left, is_true, shapes) ||
               holds_in_one_lane(right, is_true, shapes);
    }
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (!compare) return false;
    const auto wanted = is_true ? llvm::CmpInst::ICMP_EQ : llvm::CmpInst::ICMP_NE;
    if (compare->getPredicate() != wanted) return false;
    llvm::Value* a = compare->getOperand(0);
    llvm::Value* b = compare->getOperand(1);
    const Shape difference = shapes.shape(a).minus(shapes.shape(b));
    if (difference.known() && differs_in_all_lanes(difference)) return true;
    return match(b, m_Zero()) && is_zero_in_one_lane(a, shapes);
}

}  // namespace

bool runs_in_single_lane(const llvm::BasicBlock& block, const ShapeAnalysis& shapes,
                         const llvm::DominatorTree& dominators) {
    const auto* node = dominators.getNode(&block);
    for (; node && node->getIDom(); node = node->getIDom()) {
        const llvm::BasicBlock* from = node->getIDom()->getBlock();
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
        if (!branch || !branch->isConditional()) continue;
        if (branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
        for (unsigned side = 0; side < 2; ++side) {
            const llvm::BasicBlockEdge edge(from, branch->getSuccessor(side));
            if (!dominators.dominates(edge, &block)) continue;
            if (holds_in_one_lane(branch->getCondition(), side == 0, shapes)) return true;
        }
    }
    return false;
}

}  // namespace heald::cpu::simt
