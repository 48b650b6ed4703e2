// Atomic read-modify-writes. If nobody wants the old value and all lanes have the same address, the
// lanes are combined first.

#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/emit.hpp"
#include "src/jit/cpu/simt/scalar_atomic.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace heald::cpu::simt {
namespace {

using Operation = llvm::AtomicRMWInst::BinOp;

// The operand that changes nothing; null for operations that cannot be combined.
llvm::Constant* neutral(Operation operation, llvm::Type* type) {
    switch (operation) {
        case Operation::Add:
        case Operation::Sub:
        case Operation::Or:
        case Operation::Xor:
        case Operation::UMax:
            return llvm::Constant::getNullValue(type);
        case Operation::And:
        case Operation::UMin:
            return llvm::Constant::getAllOnesValue(type);
        case Operation::Max:
            return llvm::ConstantInt::get(
                type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth()));
        case Operation::Min:
            return llvm::ConstantInt::get(
                type, llvm::APInt::getSignedMaxValue(type->getIntegerBitWidth()));
        case Operation::FAdd:
        case Operation::FSub:
            return llvm::ConstantFP::getZero(type, true);
        default:
            return nullptr;
    }
}

llvm::Value* combine(llvm::IRBuilder<>& builder, Operation operation, llvm::Value* vector,
                     llvm::Constant* start) {
    switch (operation) {
        case Operation::Add:
        case Operation::Sub:
            return builder.CreateAddReduce(vector);
        case Operation::Or:
            return builder.CreateOrReduce(vector);
        case Operation::Xor:
            return builder.CreateXorReduce(vector);
        case Operation::And:
            return builder.CreateAndReduce(vector);
        case Operation::Max:
        case Operation::UMax:
            return builder.CreateIntMaxReduce(vector, operation == Operation::Max);
        case Operation::Min:
        case Operation::UMin:
            return builder.CreateIntMinReduce(vector, operation == Operation::Min);
        default: {
            llvm::CallInst* sum = builder.CreateFAddReduce(start, vector);
            sum->setHasAllowReassoc(true);
            return sum;
        }
    }
}

}  // namespace

void emit_atomic(Emission& emission, llvm::AtomicRMWInst& atomic, llvm::Value* mask) {
    llvm::IRBuilder<>& builder = emission.builder;
    llvm::Type* type = atomic.getType();
    llvm::Constant* start = type->isVectorTy() ? nullptr : neutral(atomic.getOperation(), type);
    if (!atomic.use_empty() || !start || atomic.isVolatile() ||
        !emission.shape(atomic.getPointerOperand()).is_uniform()) {
        emit_per_lane(emission, atomic, mask);
        return;
    }
    llvm::Value* operands = emission.vector(atomic.getValOperand());
    if (!emission.is_all(mask)) {
        operands = builder.CreateSelect(mask, operands, emission.splat(start));
    }
    llvm::Value* address = emission.base(atomic.getPointerOperand());
    llvm::Value* combined = combine(builder, atomic.getOperation(), operands, start);
    llvm::AtomicRMWInst* once =
        builder.CreateAtomicRMW(atomic.getOperation(), address, combined, atomic.getAlign(),
                                atomic.getOrdering(), atomic.getSyncScopeID());
    if (is_block_private_atomic(atomic)) replace_by_plain(*once, builder);
    emission.define(&atomic, llvm::PoisonValue::get(emission.widen(type)));
}

}  // namespace heald::cpu::simt
