#include "src/jit/cpu/simt/exact_range.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/KnownBits.h>

#include <algorithm>

namespace heald::cpu::simt {
namespace {

constexpr unsigned maximum_depth = 5;

enum class Signedness : bool { is_unsigned, is_signed };

const llvm::DataLayout& layout_of(const llvm::Value* value) {
    return llvm::cast<llvm::Instruction>(value)->getModule()->getDataLayout();
}

// Strides below this bound are the real differences between lanes, and so are their sums.
bool is_small_stride(const Shape& shape, unsigned bits) {
    return bits >= 8 && std::abs(shape.stride()) < (1LL << (std::min(bits, 32U) - 2));
}

// The span of a warp must be small against the type, else "non-negative" says too little.
bool has_small_span(const Shape& shape, unsigned lanes, unsigned bits) {
    const std::int64_t span = shape.stride() * static_cast<std::int64_t>(lanes);
    return std::abs(span) < (1LL << std::min(bits - 2, 60U));
}

// Whether multiplying by the constant multiplies the real difference between lanes.
bool is_exact_product(const ShapeAnalysis& shapes, const llvm::Instruction* product,
                      Signedness signedness) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(product->getOperand(1));
    if (!constant || constant->getBitWidth() > 32) return false;
    std::int64_t factor = signedness == Signedness::is_signed
                              ? constant->getSExtValue()
                              : static_cast<std::int64_t>(constant->getZExtValue());
    if (product->getOpcode() == llvm::Instruction::Shl) {
        if (factor < 0 || factor > 30) return false;
        factor = 1LL << factor;
    }
    return shapes.shape(product->getOperand(0)).stride() * factor == shapes.shape(product).stride();
}

bool is_non_negative(const llvm::Value* value) {
    return llvm::computeKnownBits(value, layout_of(value)).isNonNegative();
}

Signedness signedness_of(const llvm::CastInst& extension) {
    return llvm::isa<llvm::SExtInst>(extension) ? Signedness::is_signed : Signedness::is_unsigned;
}

bool has_non_negative_flag(const llvm::CastInst& extension) {
    const auto* flagged = llvm::dyn_cast<llvm::PossiblyNonNegInst>(&extension);
    return flagged && flagged->hasNonNeg();
}

Exactness value_exactness(const ShapeAnalysis& shapes, const llvm::Value* value,
                          Signedness signedness, unsigned depth, bool non_negative = false);

Exactness sum_exactness(const ShapeAnalysis& shapes, const llvm::Instruction* instruction,
                        Signedness signedness, unsigned depth) {
    const auto exact = [&](unsigned index) {
        return value_exactness(shapes, instruction->getOperand(index), signedness, depth + 1) !=
               Exactness::none;
    };
    if (const auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(instruction)) {
        return either->isDisjoint() && exact(0) && exact(1) ? Exactness::sum : Exactness::none;
    }
    const auto* operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(instruction);
    if (!operation) return Exactness::none;
    const bool no_wrap = signedness == Signedness::is_signed ? operation->hasNoSignedWrap()
                                                             : operation->hasNoUnsignedWrap();
    if (!no_wrap || !exact(0)) return Exactness::none;
    switch (instruction->getOpcode()) {
        case llvm::Instruction::Add:
            return exact(1) ? Exactness::sum : Exactness::none;
        case llvm::Instruction::Sub:
            return exact(1) ? Exactness::difference : Exactness::none;
        default:
            return is_exact_product(shapes, instruction, signedness) ? Exactness::product
                                                                     : Exactness::none;
    }
}

Exactness value_exactness(const ShapeAnalysis& shapes, const llvm::Value* value,
                          Signedness signedness, unsigned depth, bool non_negative) {
    const Shape shape = shapes.shape(value);
    if (!shape.is_strided()) return Exactness::none;
    if (shape.stride() == 0) return Exactness::extend;
    const unsigned bits = integer_bits(value->getType());
    if (!is_small_stride(shape, bits)) return Exactness::none;
    const unsigned low_bits = std::min(shape.known_bits(), bits - 1);
    if (shape.same_above(low_bits, shapes.lanes())) return Exactness::extend;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || depth == maximum_depth) return Exactness::none;
    if (has_small_span(shape, shapes.lanes(), bits) && (non_negative || is_non_negative(value))) {
        return Exactness::extend_downwards;
    }
    if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(instruction)) {
        const auto& extension = llvm::cast<llvm::CastInst>(*instruction);
        if (signedness == Signedness::is_unsigned &&
            signedness_of(extension) == Signedness::is_signed) {
            return Exactness::none;
        }
        return exactness(shapes, extension, depth + 1) == Exactness::none ? Exactness::none
                                                                          : Exactness::nested;
    }
    return sum_exactness(shapes, instruction, signedness, depth);
}

class WideBase {
public:
    WideBase(const ShapeAnalysis& shapes, llvm::Type* wide, llvm::IRBuilderBase& builder,
             const std::function<llvm::Value*(llvm::Value*)>& base_of)
        : shapes_(shapes), wide_(wide), builder_(builder), base_of_(base_of) {}

    llvm::Value* extension(llvm::CastInst& extension) {
        return value(extension.getOperand(0), signedness_of(extension),
                     has_non_negative_flag(extension));
    }

private:
    llvm::Value* value(llvm::Value* value, Signedness signedness, bool non_negative = false) {
        auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
        const auto part = [&](unsigned index) {
            return this->value(instruction->getOperand(index), signedness);
        };
        switch (value_exactness(shapes_, value, signedness, 0, non_negative)) {
            case Exactness::sum:
                return builder_.CreateAdd(part(0), part(1));
            case Exactness::difference:
                return builder_.CreateSub(part(0), part(1));
            case Exactness::product:
                return product(*instruction, part(0), signedness);
            case Exactness::nested:
                return extension(llvm::cast<llvm::CastInst>(*instruction));
            case Exactness::extend_downwards:
                return shapes_.shape(value).stride() > 0
                           ? builder_.CreateSExt(base_of_(value), wide_)
                           : builder_.CreateZExt(base_of_(value), wide_);
            default:
                return signedness == Signedness::is_signed
                           ? builder_.CreateSExt(base_of_(value), wide_)
                           : builder_.CreateZExt(base_of_(value), wide_);
        }
    }

    llvm::Value* product(llvm::Instruction& operation, llvm::Value* base, Signedness signedness) {
        const auto* constant = llvm::cast<llvm::ConstantInt>(operation.getOperand(1));
        if (operation.getOpcode() == llvm::Instruction::Shl) {
            return builder_.CreateShl(base, constant->getZExtValue());
        }
        const unsigned bits = wide_->getIntegerBitWidth();
        const llvm::APInt& factor = constant->getValue();
        return builder_.CreateMul(
            base,
            llvm::ConstantInt::get(wide_, signedness == Signedness::is_signed ? factor.sext(bits)
                                                                              : factor.zext(bits)));
    }

    const ShapeAnalysis& shapes_;
    llvm::Type* wide_;
    llvm::IRBuilderBase& builder_;
    const std::function<llvm::Value*(llvm::Value*)>& base_of_;
};

}  // namespace

Exactness exactness(const ShapeAnalysis& shapes, const llvm::CastInst& extension, unsigned depth) {
    return value_exactness(shapes, extension.getOperand(0), signedness_of(extension), depth,
                           has_non_negative_flag(extension));
}

llvm::Value* build_wide_base(const ShapeAnalysis& shapes, llvm::CastInst& extension,
                             llvm::Type* wide, llvm::IRBuilderBase& builder,
                             const std::function<llvm::Value*(llvm::Value*)>& base_of) {
    return WideBase(shapes, wide, builder, base_of).extension(extension);
}

}  // namespace heald::cpu::simt
