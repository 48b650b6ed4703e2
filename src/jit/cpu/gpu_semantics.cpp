#include "src/jit/cpu/gpu_semantics.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heald::cpu {
namespace {

using llvm::APInt;
using llvm::BinaryOperator;
using llvm::Constant;
using llvm::ConstantInt;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

Constant* splat(llvm::Type* type, const APInt& value) {
    return ConstantInt::get(type, value);
}

/// True if every lane of the constant fulfils the predicate.
template <typename Predicate>
bool constant_lanes(const Value* value, Predicate predicate) {
    const auto* constant = llvm::dyn_cast<Constant>(value);
    if (constant == nullptr) return false;
    if (const auto* integer = llvm::dyn_cast<ConstantInt>(constant)) {
        return predicate(integer->getValue());
    }
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(constant->getType());
    if (vector == nullptr) return false;
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
        const auto* lane = llvm::dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(i));
        if (lane == nullptr || !predicate(lane->getValue())) return false;
    }
    return true;
}

// shl and lshr: 0 past the width. ashr: the sign.
Value* lower_shift(BinaryOperator& shift) {
    llvm::Type* type = shift.getType();
    const unsigned width = type->getScalarSizeInBits();
    Value* amount = shift.getOperand(1);
    if (constant_lanes(amount, [&](const APInt& n) { return n.ult(width); })) return nullptr;
    IRBuilder<> build(&shift);
    if (shift.getOpcode() == Instruction::AShr) {
        Value* limited = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount,
                                                     splat(type, APInt(width, width - 1)));
        return build.CreateAShr(shift.getOperand(0), limited, "", shift.isExact());
    }
    Value* fits = build.CreateICmpULT(amount, splat(type, APInt(width, width)));
    // The shift itself may be poison; the select does not look at it then.
    Value* shifted = shift.getOpcode() == Instruction::Shl
                         ? build.CreateShl(shift.getOperand(0), amount)
                         : build.CreateLShr(shift.getOperand(0), amount);
    return build.CreateSelect(fits, shifted, Constant::getNullValue(type));
}

// n / 0 or n % 0. In 64 bits, either is 32 ones if the dividend's high half is 0.
Value* divided_by_zero(IRBuilder<>& build, Value* number, bool is_remainder) {
    llvm::Type* type = number->getType();
    if (type->getScalarSizeInBits() == 64) {
        Value* is_low = build.CreateICmpULE(number, splat(type, APInt(64, 0xffffffff)));
        return build.CreateSelect(is_low, splat(type, APInt(64, 0xffffffff)),
                                  Constant::getAllOnesValue(type));
    }
    return is_remainder ? number : Constant::getAllOnesValue(type);
}

// n / 0 is all ones, n % 0 is n, INT_MIN / -1 is INT_MIN and leaves 0.
Value* lower_division(BinaryOperator& division) {
    llvm::Type* type = division.getType();
    const unsigned width = type->getScalarSizeInBits();
    const auto opcode = division.getOpcode();
    const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
    const bool is_remainder = opcode == Instruction::SRem || opcode == Instruction::URem;
    Value* number = division.getOperand(0);
    Value* divisor = division.getOperand(1);
    if (constant_lanes(divisor, [&](const APInt& n) {
            return !n.isZero() && !(is_signed && n.isAllOnes());
        })) {
        return nullptr;
    }
    IRBuilder<> build(&division);
    Value* by_zero = build.CreateICmpEQ(divisor, Constant::getNullValue(type));
    Value* unsafe = by_zero;
    if (is_signed) {
        Value* lowest = build.CreateICmpEQ(number, splat(type, APInt::getSignedMinValue(width)));
        Value* minus_one = build.CreateICmpEQ(divisor, Constant::getAllOnesValue(type));
        unsafe = build.CreateOr(by_zero, build.CreateAnd(lowest, minus_one));
    }
    Value* safe = build.CreateSelect(unsafe, splat(type, APInt(width, 1)), divisor);
    Value* result = build.CreateBinOp(opcode, number, safe);
    return build.CreateSelect(by_zero, divided_by_zero(build, number, is_remainder), result);
}

// Out of range: the nearest value. NaN: 0, except that conversions from double or to 64 bits give
// the lowest signed value's bits. Narrower than 32 bits: as by way of 32 bits.
Value* lower_to_integer(llvm::CastInst& cast) {
    llvm::Type* type = cast.getType();
    const bool is_signed = cast.getOpcode() == Instruction::FPToSI;
    const unsigned width = type->getScalarSizeInBits();
    Value* number = cast.getOperand(0);
    IRBuilder<> build(&cast);
    llvm::Type* wide = type;
    if (width < 32) wide = type->getWithNewBitWidth(32);
    const auto intrinsic = is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    Value* result = build.CreateIntrinsic(intrinsic, {wide, number->getType()}, {number});
    const bool from_double = number->getType()->getScalarType()->isDoubleTy();
    if (from_double || width == 64) {
        const unsigned bits = wide->getScalarSizeInBits();
        Value* is_nan = build.CreateFCmpUNO(number, Constant::getNullValue(number->getType()));
        result = build.CreateSelect(is_nan, splat(wide, APInt::getSignMask(bits)), result);
    }
    return wide == type ? result : build.CreateTrunc(result, type);
}

Value* lowered(Instruction& instruction) {
    switch (instruction.getOpcode()) {
        case Instruction::Shl:
        case Instruction::LShr:
        case Instruction::AShr:
            return lower_shift(llvm::cast<BinaryOperator>(instruction));
        case Instruction::UDiv:
        case Instruction::SDiv:
        case Instruction::URem:
        case Instruction::SRem:
            return lower_division(llvm::cast<BinaryOperator>(instruction));
        case Instruction::FPToSI:
        case Instruction::FPToUI:
            return lower_to_integer(llvm::cast<llvm::CastInst>(instruction));
        default:
            return nullptr;
    }
}

bool is_bfloat(const llvm::Type* type) {
    return type->getScalarType()->isBFloatTy();
}

llvm::Type* as_float(llvm::Type* type) {
    return type->getWithNewType(llvm::Type::getFloatTy(type->getContext()));
}

Value* widen_bfloat(IRBuilder<>& build, Value* value) {
    llvm::Type* narrow_bits = value->getType()->getWithNewType(build.getInt16Ty());
    llvm::Type* bits = value->getType()->getWithNewType(build.getInt32Ty());
    Value* word = build.CreateZExt(build.CreateBitCast(value, narrow_bits), bits);
    return build.CreateBitCast(build.CreateShl(word, 16), as_float(value->getType()));
}

Value* round_to_bfloat(IRBuilder<>& build, Value* value, llvm::Type* type) {
    llvm::Type* bits = type->getWithNewType(build.getInt32Ty());
    Value* word = build.CreateBitCast(value, bits);
    Value* odd = build.CreateAnd(build.CreateLShr(word, 16), ConstantInt::get(bits, 1));
    Value* rounded = build.CreateAdd(word, build.CreateAdd(odd, ConstantInt::get(bits, 0x7fff)));
    // A NaN must not become an infinity; CUDA's is 0x7fff.
    Value* is_nan = build.CreateFCmpUNO(value, Constant::getNullValue(value->getType()));
    Value* chosen = build.CreateSelect(is_nan, ConstantInt::get(bits, 0x7fff0000U), rounded);
    Value* narrow =
        build.CreateTrunc(build.CreateLShr(chosen, 16), type->getWithNewType(build.getInt16Ty()));
    return build.CreateBitCast(narrow, type);
}

/// double -> bfloat through float would round twice; keep the lost bits as a sticky bit.
Value* double_to_float_sticky(IRBuilder<>& build, Value* value) {
    llvm::Type* target = as_float(value->getType());
    llvm::Type* bits = value->getType()->getWithNewType(build.getInt32Ty());
    Value* near = build.CreateFPTrunc(value, target);
    Value* back = build.CreateFPExt(near, value->getType());
    Value* inexact = build.CreateFCmpONE(back, value);
    Value* word = build.CreateBitCast(near, bits);
    Value* even = build.CreateICmpEQ(build.CreateAnd(word, ConstantInt::get(bits, 1)),
                                     Constant::getNullValue(bits));
    // Round to odd: when inexact and even, take the neighbour towards `value`.
    auto* magnitude = build.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
    auto* near_magnitude = build.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back);
    Value* up = build.CreateFCmpOGT(magnitude, near_magnitude);
    Value* step =
        build.CreateSelect(up, ConstantInt::get(bits, 1), Constant::getAllOnesValue(bits));
    Value* finite = build.CreateFCmpONE(near_magnitude,
                                        llvm::ConstantFP::getInfinity(near_magnitude->getType()));
    Value* adjust = build.CreateAnd(build.CreateAnd(inexact, even), finite);
    Value* odd = build.CreateSelect(adjust, build.CreateAdd(word, step), word);
    return build.CreateBitCast(odd, target);
}

Value* lowered_bfloat(Instruction& instruction) {
    IRBuilder<> build(&instruction);
    llvm::Type* type = instruction.getType();
    switch (instruction.getOpcode()) {
        case Instruction::FPExt: {
            if (!is_bfloat(instruction.getOperand(0)->getType())) return nullptr;
            Value* wide = widen_bfloat(build, instruction.getOperand(0));
            return wide->getType() == type ? wide : build.CreateFPExt(wide, type);
        }
        case Instruction::FPTrunc: {
            if (!is_bfloat(type)) return nullptr;
            Value* value = instruction.getOperand(0);
            if (!value->getType()->getScalarType()->isFloatTy()) {
                value = double_to_float_sticky(build, value);
            }
            return round_to_bfloat(build, value, type);
        }
        case Instruction::FAdd:
        case Instruction::FSub:
        case Instruction::FMul:
        case Instruction::FDiv:
        case Instruction::FRem: {
            if (!is_bfloat(type)) return nullptr;
            Value* left = widen_bfloat(build, instruction.getOperand(0));
            Value* right = widen_bfloat(build, instruction.getOperand(1));
            auto opcode = static_cast<Instruction::BinaryOps>(instruction.getOpcode());
            return round_to_bfloat(build, build.CreateBinOp(opcode, left, right), type);
        }
        case Instruction::FNeg: {
            if (!is_bfloat(type)) return nullptr;
            llvm::Type* bits = type->getWithNewType(build.getInt16Ty());
            Value* flipped = build.CreateXor(build.CreateBitCast(instruction.getOperand(0), bits),
                                             ConstantInt::get(bits, 0x8000));
            return build.CreateBitCast(flipped, type);
        }
        case Instruction::FCmp: {
            auto& compare = llvm::cast<llvm::FCmpInst>(instruction);
            if (!is_bfloat(compare.getOperand(0)->getType())) return nullptr;
            return build.CreateFCmp(compare.getPredicate(),
                                    widen_bfloat(build, compare.getOperand(0)),
                                    widen_bfloat(build, compare.getOperand(1)));
        }
        case Instruction::SIToFP:
        case Instruction::UIToFP: {
            if (!is_bfloat(type)) return nullptr;
            llvm::Type* wide = type->getWithNewType(build.getDoubleTy());
            Value* value =
                build.CreateCast(static_cast<Instruction::CastOps>(instruction.getOpcode()),
                                 instruction.getOperand(0), wide);
            return round_to_bfloat(build, double_to_float_sticky(build, value), type);
        }
        case Instruction::FPToSI:
        case Instruction::FPToUI: {
            if (!is_bfloat(instruction.getOperand(0)->getType())) return nullptr;
            return build.CreateCast(static_cast<Instruction::CastOps>(instruction.getOpcode()),
                                    widen_bfloat(build, instruction.getOperand(0)), type);
        }
        default:
            return nullptr;
    }
}

template <typename Lowering>
void replace_each(llvm::Module& module, Lowering lowering) {
    for (llvm::Function& function : module) {
        llvm::SmallVector<Instruction*, 64> work;
        for (Instruction& instruction : llvm::instructions(function)) work.push_back(&instruction);
        for (Instruction* instruction : work) {
            Value* replacement = lowering(*instruction);
            if (replacement == nullptr) continue;
            replacement->takeName(instruction);
            instruction->replaceAllUsesWith(replacement);
            instruction->eraseFromParent();
        }
    }
}

}  // namespace

void apply_gpu_semantics(llvm::Module& module) {
    replace_each(module, lowered);
}

void lower_bfloat(llvm::Module& module) {
    replace_each(module, lowered_bfloat);
}

}  // namespace heald::cpu
