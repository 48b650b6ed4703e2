#include "src/jit/cpu/simt/scalar_atomic.hpp"

#include "src/jit/cpu/simt/shared_layout.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace heald::cpu::simt {

bool is_block_private_atomic(const llvm::Instruction& instruction) {
    if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        return points_to_shared(atomic->getPointerOperand());
    }
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        return points_to_shared(exchange->getPointerOperand());
    }
    return false;
}

llvm::Value* replace_by_plain(llvm::Instruction& instruction, llvm::IRBuilder<>& builder) {
    llvm::Value* result = nullptr;
    if (auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        llvm::Value* address = atomic->getPointerOperand();
        llvm::Value* old =
            builder.CreateAlignedLoad(atomic->getType(), address, atomic->getAlign());
        llvm::Value* changed = llvm::buildAtomicRMWValue(atomic->getOperation(), builder, old,
                                                         atomic->getValOperand());
        builder.CreateAlignedStore(changed, address, atomic->getAlign());
        result = old;
    } else {
        auto& exchange = llvm::cast<llvm::AtomicCmpXchgInst>(instruction);
        llvm::Value* address = exchange.getPointerOperand();
        llvm::Value* expected = exchange.getCompareOperand();
        llvm::Value* old =
            builder.CreateAlignedLoad(expected->getType(), address, exchange.getAlign());
        llvm::Value* equal = builder.CreateICmpEQ(old, expected);
        llvm::Value* changed = builder.CreateSelect(equal, exchange.getNewValOperand(), old);
        builder.CreateAlignedStore(changed, address, exchange.getAlign());
        result = builder.CreateInsertValue(llvm::PoisonValue::get(exchange.getType()), old, 0);
        result = builder.CreateInsertValue(result, equal, 1);
    }
    instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
    return result;
}

}  // namespace heald::cpu::simt
