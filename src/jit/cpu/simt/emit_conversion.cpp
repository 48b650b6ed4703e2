// Saturating conversions to integers. LLVM takes the vector form of these apart on x86; a plain
// conversion and the values for what is out of range stay vectors.

#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/emit.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cmath>

namespace heald::cpu::simt {

llvm::Value* emit_saturating_conversion(Emission& emission, const llvm::IntrinsicInst& call) {
    const llvm::Intrinsic::ID id = call.getIntrinsicID();
    const bool is_signed = id == llvm::Intrinsic::fptosi_sat;
    if (!is_signed && id != llvm::Intrinsic::fptoui_sat) return nullptr;
    const llvm::Type* from = call.getArgOperand(0)->getType();
    const unsigned bits = call.getType()->getScalarSizeInBits();
    if (!(from->isFloatTy() || from->isDoubleTy()) || (bits != 32 && bits != 64)) return nullptr;

    llvm::IRBuilder<>& builder = emission.builder;
    llvm::Value* number = emission.vector(call.getArgOperand(0));
    llvm::Type* type = emission.widen(call.getType());
    const auto limit = [&](double value) {
        return llvm::ConstantFP::get(number->getType(), value);
    };
    const auto integer = [&](const llvm::APInt& value) {
        return llvm::ConstantInt::get(type, value);
    };
    const double past = std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits));
    // Out of range it is poison: frozen, it is some value that is not chosen.
    llvm::Value* result = builder.CreateFreeze(is_signed ? builder.CreateFPToSI(number, type)
                                                         : builder.CreateFPToUI(number, type));
    if (is_signed) {
        result = builder.CreateSelect(builder.CreateFCmpOLT(number, limit(-past)),
                                      integer(llvm::APInt::getSignedMinValue(bits)), result);
        result =
            builder.CreateSelect(builder.CreateFCmpUNO(number, number), integer({bits, 0}), result);
    } else {
        // Below 0 and NaN.
        result = builder.CreateSelect(builder.CreateFCmpOGE(number, limit(0)), result,
                                      integer({bits, 0}));
    }
    return builder.CreateSelect(
        builder.CreateFCmpOGE(number, limit(past)),
        integer(is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits)),
        result);
}

}  // namespace heald::cpu::simt
