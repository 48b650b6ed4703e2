// What happens to the IR before it is normalised.

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/jit/cpu/simt/simt.hpp"
#include "src/jit/cpu/simt/special_calls.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <limits>
#include <optional>

namespace heald::cpu::simt {
namespace {

// Largest values of CUDA's limits: 1024 threads (64 along z), grids of 2^31-1 × 65535 × 65535.
std::uint64_t upper_bound(const SpecialCall& call) {
    using Kind = SpecialCall::Kind;
    const bool is_z = call.axis == 2;
    const std::uint64_t threads = is_z ? 64 : max_block_threads;
    const std::uint64_t blocks = call.axis == 0 ? std::numeric_limits<std::int32_t>::max() : 65535;
    switch (call.kind) {
        case Kind::thread_index:
            return threads;
        case Kind::block_dim:
            return threads + 1;
        case Kind::block_index:
            return blocks;
        case Kind::grid_dim:
            return blocks + 1;
        case Kind::lane:
            return 32;
        case Kind::warp:
            return max_block_threads / 32;
        default:
            return 0;
    }
}

bool is_pure(SpecialCall::Kind kind) {
    using Kind = SpecialCall::Kind;
    return kind >= Kind::thread_index && kind <= Kind::lane_context;
}

void annotate(llvm::Function& function, const SpecialCall& call) {
    function.setDoesNotThrow();
    function.addFnAttr(llvm::Attribute::WillReturn);
    if (is_pure(call.kind)) {
        function.setMemoryEffects(llvm::MemoryEffects::none());
        function.addFnAttr(llvm::Attribute::Speculatable);
        function.removeFnAttr(llvm::Attribute::Convergent);
    } else if (call.kind != SpecialCall::Kind::relax) {
        function.addFnAttr(llvm::Attribute::Convergent);
    }
    std::optional<llvm::ConstantRange> range;
    if (const std::uint64_t bound = upper_bound(call); bound != 0) {
        const bool is_dimension =
            call.kind == SpecialCall::Kind::block_dim || call.kind == SpecialCall::Kind::grid_dim;
        range.emplace(llvm::APInt(32, is_dimension ? 1 : 0), llvm::APInt(32, bound));
        function.addRangeRetAttr(*range);
    }
    // Calls may repeat the attributes of the declaration that the headers gave, and value tracking
    // looks for ranges there.
    for (llvm::User* user : function.users()) {
        auto* use = llvm::dyn_cast<llvm::CallBase>(user);
        if (!use || use->getCalledOperand() != &function) continue;
        if (is_pure(call.kind)) use->removeFnAttr(llvm::Attribute::Convergent);
        if (range) use->addRangeRetAttr(*range);
    }
}

// The block where threads go on that do not come here: the other side of the nearest branch.
llvm::BasicBlock* continuation(llvm::BasicBlock& block, const llvm::DominatorTree& dominators) {
    const auto* node = dominators.getNode(&block);
    for (node = node ? node->getIDom() : nullptr; node; node = node->getIDom()) {
        for (llvm::BasicBlock* other : llvm::successors(node->getBlock())) {
            if (!dominators.dominates(other, &block) &&
                !dominators.dominates(other, node->getBlock())) {
                return other;
            }
        }
    }
    return nullptr;
}

}  // namespace

void annotate_intrinsics(llvm::Module& module) {
    for (llvm::Function& function : module) {
        const SpecialCall call = special_call(function);
        if (call.kind != SpecialCall::Kind::none) annotate(function, call);
    }
}

void join_noreturn(llvm::Function& function) {
    const llvm::DominatorTree dominators(function);
    for (llvm::BasicBlock& block : function) {
        auto* end = llvm::dyn_cast<llvm::UnreachableInst>(block.getTerminator());
        auto* call = end ? llvm::dyn_cast_or_null<llvm::CallInst>(end->getPrevNode()) : nullptr;
        if (!call || !call->doesNotReturn() || !dominators.isReachableFromEntry(&block)) continue;
        call->removeFnAttr(llvm::Attribute::NoReturn);
        if (llvm::Function* callee = call->getCalledFunction()) {
            callee->removeFnAttr(llvm::Attribute::NoReturn);
        }
        llvm::BasicBlock* next = continuation(block, dominators);
        if (!next) {
            end->eraseFromParent();
            llvm::Type* result = function.getReturnType();
            llvm::ReturnInst::Create(function.getContext(),
                                     result->isVoidTy() ? nullptr : llvm::PoisonValue::get(result),
                                     &block);
            continue;
        }
        for (llvm::PHINode& phi : next->phis()) {
            phi.addIncoming(llvm::PoisonValue::get(phi.getType()), &block);
        }
        llvm::BranchInst::Create(next, end->getIterator());
        end->eraseFromParent();
    }
}

}  // namespace heald::cpu::simt
