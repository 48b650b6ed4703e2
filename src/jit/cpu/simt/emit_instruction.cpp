// Dispatch, scalar emission of uniform and strided values, and widening of plain arithmetic.

#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/emit.hpp"
#include "src/jit/cpu/simt/exact_range.hpp"
#include "src/jit/cpu/simt/unsupported.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace heald::cpu::simt {
namespace {

bool is_integer_division(const llvm::Instruction& instruction) {
    switch (instruction.getOpcode()) {
        case llvm::Instruction::SDiv:
        case llvm::Instruction::UDiv:
        case llvm::Instruction::SRem:
        case llvm::Instruction::URem:
            return true;
        default:
            return false;
    }
}

// An extension that may wrap: strided if the last lane's value is where the progression says.
void emit_guarded_extension(Emission& emission, llvm::CastInst& extension) {
    llvm::IRBuilder<>& builder = emission.builder;
    llvm::Value* narrow = emission.base(extension.getOperand(0));
    llvm::Type* wide = extension.getType();
    const std::int64_t span =
        emission.shape(&extension).stride() * static_cast<std::int64_t>(emission.lanes - 1);
    const auto extend = [&](llvm::Value* value) {
        return builder.CreateCast(extension.getOpcode(), value, wide);
    };
    llvm::Value* first = extend(narrow);
    llvm::Value* last = extend(builder.CreateAdd(
        narrow, llvm::ConstantInt::get(narrow->getType(), static_cast<std::uint64_t>(span), true)));
    llvm::Value* expected = builder.CreateAdd(
        first, llvm::ConstantInt::get(wide, static_cast<std::uint64_t>(span), true));
    emission.define(&extension, first);
    emission.set_guard(&extension, builder.CreateICmpEQ(last, expected, "no_wrap"));
}

void emit_extension(Emission& emission, llvm::CastInst& extension) {
    if (emission.shape(&extension).is_guarded()) {
        emit_guarded_extension(emission, extension);
        return;
    }
    const auto base_of = [&](llvm::Value* value) { return emission.base(value); };
    emission.define(&extension, build_wide_base(emission.shapes, extension, extension.getType(),
                                                emission.builder, base_of));
}

llvm::Value* widen_address(Emission& emission, llvm::GetElementPtrInst& address) {
    const auto part = [&](llvm::Value* value) {
        if (llvm::isa<llvm::Constant>(value) && !value->getType()->isPointerTy()) return value;
        return emission.shape(value).is_uniform() ? emission.base(value) : emission.vector(value);
    };
    llvm::SmallVector<llvm::Value*, 4> indices;
    for (llvm::Use& index : address.indices()) indices.push_back(part(index));
    llvm::Value* result = emission.builder.CreateGEP(address.getSourceElementType(),
                                                     part(address.getPointerOperand()), indices);
    return result->getType()->isVectorTy() ? result : emission.splat(result);
}

llvm::Value* widen_select(Emission& emission, llvm::SelectInst& select) {
    llvm::Value* condition = select.getCondition();
    llvm::Value* yes = emission.vector(select.getTrueValue());
    llvm::Value* no = emission.vector(select.getFalseValue());
    if (emission.shape(condition).is_uniform() && !condition->getType()->isVectorTy()) {
        return emission.builder.CreateSelect(emission.base(condition), yes, no);
    }
    llvm::Value* lanes = emission.vector(condition);
    if (condition->getType()->isVectorTy()) return emission.builder.CreateSelect(lanes, yes, no);
    return emission.select_lanes(lanes, yes, no, select.getType());
}

llvm::Value* widen_binary(Emission& emission, llvm::BinaryOperator& operation, llvm::Value* mask) {
    llvm::IRBuilder<>& builder = emission.builder;
    llvm::Value* left = emission.vector(operation.getOperand(0));
    llvm::Value* right = emission.vector(operation.getOperand(1));
    // Lanes that do not run may hold any divisor.
    if (is_integer_division(operation) && !emission.is_all(mask) &&
        !llvm::isa<llvm::Constant>(right) && !operation.getType()->isVectorTy()) {
        right = builder.CreateSelect(mask, right, llvm::ConstantInt::get(right->getType(), 1));
    }
    return builder.CreateBinOp(operation.getOpcode(), left, right);
}

}  // namespace

void emit_base(Emission& emission, llvm::Instruction& instruction) {
    const Shape shape = emission.shape(&instruction);
    auto* extension = llvm::dyn_cast<llvm::CastInst>(&instruction);
    if (extension && llvm::isa<llvm::ZExtInst, llvm::SExtInst>(extension) && !shape.is_uniform()) {
        emit_extension(emission, *extension);
        return;
    }
    llvm::Value* guard = nullptr;
    for (llvm::Use& operand : instruction.operands()) {
        llvm::Value* part = emission.guard(operand);
        if (!part) continue;
        guard = guard ? emission.builder.CreateAnd(guard, part) : part;
    }
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (llvm::Use& operand : instruction.operands()) operands.push_back(emission.base(operand));
    llvm::Instruction* copy = instruction.clone();
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
    copy->setDebugLoc({});
    // Lane 0 may not run: its value must not become poison by a flag that holds for the others.
    if (!shape.is_uniform()) copy->dropPoisonGeneratingFlags();
    emission.builder.Insert(copy);
    emission.define(&instruction, copy);
    if (guard) emission.set_guard(&instruction, guard);
}

llvm::Value* widen_instruction(Emission& emission, llvm::Instruction& instruction,
                               llvm::Value* mask) {
    llvm::IRBuilder<>& builder = emission.builder;
    llvm::Value* result = nullptr;
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
        result = widen_binary(emission, *operation, mask);
    } else if (auto* unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction)) {
        result = builder.CreateUnOp(unary->getOpcode(), emission.vector(unary->getOperand(0)));
    } else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
        result = builder.CreateCast(cast->getOpcode(), emission.vector(cast->getOperand(0)),
                                    emission.widen(cast->getDestTy()));
    } else if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
        result = builder.CreateCmp(compare->getPredicate(), emission.vector(compare->getOperand(0)),
                                   emission.vector(compare->getOperand(1)));
    } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
        result = widen_select(emission, *select);
    } else if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&instruction)) {
        return builder.CreateFreeze(emission.vector(freeze->getOperand(0)));
    } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
        return widen_address(emission, *address);
    } else {
        return widen_composite(emission, instruction);
    }
    // A rebuilt guarded value covers lanes for which the flags do not hold.
    auto* emitted = llvm::dyn_cast<llvm::Instruction>(result);
    if (emitted && !emission.shape(&instruction).is_guarded()) emitted->copyIRFlags(&instruction);
    return result;
}

void emit_instruction(Emission& emission, llvm::Instruction& instruction, llvm::Value* mask) {
    // With line information, what is emitted is at the instruction's place.
    emission.builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    switch (instruction.getOpcode()) {
        case llvm::Instruction::Call:
            emit_call(emission, llvm::cast<llvm::CallBase>(instruction), mask);
            return;
        case llvm::Instruction::Load:
            emit_load(emission, llvm::cast<llvm::LoadInst>(instruction), mask);
            return;
        case llvm::Instruction::Store:
            emit_store(emission, llvm::cast<llvm::StoreInst>(instruction), mask);
            return;
        case llvm::Instruction::AtomicRMW:
            emit_atomic(emission, llvm::cast<llvm::AtomicRMWInst>(instruction), mask);
            return;
        case llvm::Instruction::AtomicCmpXchg:
            emit_per_lane(emission, instruction, mask);
            return;
        case llvm::Instruction::Fence:
            emission.builder.Insert(instruction.clone());
            return;
        case llvm::Instruction::VAArg:
        case llvm::Instruction::Invoke:
        case llvm::Instruction::LandingPad:
            unsupported(instruction, "cannot be compiled for the CPU: " + text_of(instruction));
        case llvm::Instruction::Alloca: {
            auto& variable = llvm::cast<llvm::AllocaInst>(instruction);
            const auto* count = llvm::dyn_cast<llvm::ConstantInt>(variable.getArraySize());
            if (!count) unsupported(instruction, "arrays of variable length are not supported");
            llvm::Type* one =
                llvm::ArrayType::get(variable.getAllocatedType(), count->getZExtValue());
            llvm::AllocaInst* slot =
                emission.slot(llvm::ArrayType::get(one, emission.lanes), variable.getName());
            slot->setAlignment(std::max(variable.getAlign(), llvm::Align(64)));
            emission.define(&variable, slot);
            return;
        }
        default:
            break;
    }
    if (emission.shape(&instruction).has_base()) {
        emit_base(emission, instruction);
        return;
    }
    if (llvm::Value* result = widen_instruction(emission, instruction, mask)) {
        emission.define(&instruction, result);
        return;
    }
    emit_per_lane(emission, instruction, mask);
}

}  // namespace heald::cpu::simt
