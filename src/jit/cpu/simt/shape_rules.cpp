// How each kind of instruction turns the shapes of its operands into its own.

#include "src/jit/cpu/simt/exact_range.hpp"
#include "src/jit/cpu/simt/math_table.hpp"
#include "src/jit/cpu/simt/shape_analysis.hpp"
#include "src/jit/cpu/simt/special_calls.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <bit>

namespace heald::cpu::simt {
namespace {

// Strides above this never make a contiguous or short strided access, so a run-time check for them
// would be wasted.
constexpr std::int64_t largest_guarded_stride = 64;

unsigned log2_of(unsigned lanes) {
    return static_cast<unsigned>(std::countr_zero(lanes));
}

// A guarded value is strided only under a condition: most instructions see it as varying.
Shape plain(const Shape& shape) {
    return shape.is_guarded() ? Shape::varying() : shape;
}

}  // namespace

bool ShapeAnalysis::all_uniform(const llvm::Instruction& instruction) const {
    for (const llvm::Use& operand : instruction.operands()) {
        if (llvm::isa<llvm::BasicBlock>(operand)) continue;
        if (!shape(operand).is_uniform()) return false;
    }
    return true;
}

Shape ShapeAnalysis::compute(const llvm::Instruction& instruction) const {
    if (const auto* phi_node = llvm::dyn_cast<llvm::PHINode>(&instruction)) return phi(*phi_node);
    for (const llvm::Use& operand : instruction.operands()) {
        if (!llvm::isa<llvm::BasicBlock>(operand) && !shape(operand).known()) return {};
    }
    const auto uniform_or_varying = [&] {
        return all_uniform(instruction) ? Shape::uniform() : Shape::varying();
    };
    switch (instruction.getOpcode()) {
        case llvm::Instruction::Alloca: {
            const auto& slot = llvm::cast<llvm::AllocaInst>(instruction);
            const auto size = slot.getAllocationSize(instruction.getModule()->getDataLayout());
            return size ? Shape::strided(static_cast<std::int64_t>(size->getFixedValue()))
                        : Shape::varying();
        }
        case llvm::Instruction::Load:
            return shape(instruction.getOperand(0)).is_uniform() ? Shape::uniform()
                                                                 : Shape::varying();
        case llvm::Instruction::AtomicRMW:
        case llvm::Instruction::AtomicCmpXchg:
            return Shape::varying();
        case llvm::Instruction::Call:
            return call(llvm::cast<llvm::CallBase>(instruction));
        case llvm::Instruction::Freeze:
            return plain(shape(instruction.getOperand(0)));
        case llvm::Instruction::GetElementPtr:
            return address(llvm::cast<llvm::GetElementPtrInst>(instruction));
        case llvm::Instruction::Select:
            return select(llvm::cast<llvm::SelectInst>(instruction));
        case llvm::Instruction::ICmp:
            return comparison(llvm::cast<llvm::ICmpInst>(instruction));
        default:
            break;
    }
    if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
        return operation->getType()->isIntegerTy() ? binary(*operation) : uniform_or_varying();
    }
    if (const auto* cast_instruction = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
        return cast(*cast_instruction);
    }
    return uniform_or_varying();
}

Shape ShapeAnalysis::call(const llvm::CallBase& call) const {
    const unsigned lane_bits = log2_of(variant_.lanes);
    switch (const SpecialCall special = special_call(call); special.kind) {
        case SpecialCall::Kind::thread_index:
            if (!variant_.contiguous) return Shape::varying();
            return special.axis == 0 ? Shape::strided(1, lane_bits, 0) : Shape::uniform();
        case SpecialCall::Kind::block_dim:
            if (special.axis == 0 && variant_.contiguous && variant_.full) {
                return Shape::uniform(lane_bits, 0);
            }
            return Shape::uniform();
        case SpecialCall::Kind::lane:
            if (variant_.lanes > 32) return Shape::varying();
            return Shape::strided(1, variant_.lanes == 32 ? Shape::max_known_bits : lane_bits, 0);
        case SpecialCall::Kind::warp:
            return variant_.lanes > 32 ? Shape::varying() : Shape::uniform();
        case SpecialCall::Kind::ballot:
            return plain(shape(call.getArgOperand(0))).is_uniform() ? Shape::uniform()
                                                                    : Shape::varying();
        case SpecialCall::Kind::shuffle:
            return shape(call.getArgOperand(1)).is_uniform() ? Shape::uniform() : Shape::varying();
        case SpecialCall::Kind::none:
            break;
        default:
            return Shape::uniform();
    }
    if (call.getType()->isVoidTy()) return Shape::uniform();
    if (!all_uniform(call)) return Shape::varying();
    if (find_math_function(call)) return Shape::uniform();
    const bool pure = !call.mayHaveSideEffects() && call.onlyReadsMemory();
    return pure && call.getCalledFunction() ? Shape::uniform() : Shape::varying();
}

Shape ShapeAnalysis::binary(const llvm::BinaryOperator& operation) const {
    const Shape left = shape(operation.getOperand(0));
    const Shape right = shape(operation.getOperand(1));
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
    const unsigned bits = operation.getType()->getIntegerBitWidth();
    if (bits > 64) return all_uniform(operation) ? Shape::uniform() : Shape::varying();
    const bool uniform = left.is_uniform() && right.is_uniform();
    const Shape otherwise = uniform ? Shape::uniform() : Shape::varying();
    const auto shift_amount = [&]() -> unsigned {
        return constant && constant->getZExtValue() < bits
                   ? static_cast<unsigned>(constant->getZExtValue())
                   : 64;
    };
    // Dividing by 2^amount: uniform if the warp stays within one quotient.
    const auto quotient = [&](unsigned amount) {
        const bool same = amount < 64 && left.same_above(amount, variant_.lanes);
        if (!uniform && !same) return otherwise;
        const bool known = amount < left.known_bits();
        return known ? Shape::uniform(left.known_bits() - amount, left.residue() >> amount)
                     : Shape::uniform();
    };
    const auto remainder = [&](unsigned amount) {
        if (amount >= 64 || !left.same_above(amount, variant_.lanes)) return otherwise;
        const std::uint64_t mask = (std::uint64_t{1} << amount) - 1;
        const bool known = amount <= left.known_bits();
        return Shape::strided(left.stride(), known ? Shape::max_known_bits : left.known_bits(),
                              left.residue() & mask);
    };
    const auto power_of_two = [&]() -> unsigned {
        return constant && constant->getValue().isPowerOf2() ? constant->getValue().logBase2() : 64;
    };
    // Signed division rounds towards zero, so it needs non-negative values.
    const auto is_non_negative = [&] {
        return llvm::computeKnownBits(operation.getOperand(0),
                                      operation.getModule()->getDataLayout())
            .isNonNegative();
    };
    // Bits above those in which the lanes differ change for all lanes alike.
    const auto bits_above = [&](std::uint64_t residue) {
        const unsigned known = std::min(left.known_bits(), right.known_bits());
        const unsigned zeros = right.residue() == 0
                                   ? known
                                   : std::min<unsigned>(known, llvm::countr_zero(right.residue()));
        const bool apart = right.is_uniform() && left.same_above(zeros, variant_.lanes);
        return apart ? Shape::strided(left.stride(), known, residue) : otherwise;
    };
    switch (operation.getOpcode()) {
        case llvm::Instruction::Add:
            return left.plus(right);
        case llvm::Instruction::Sub:
            return left.minus(right);
        case llvm::Instruction::Or:
            if (llvm::cast<llvm::PossiblyDisjointInst>(operation).isDisjoint()) {
                return left.plus(right);
            }
            return bits_above(left.residue() | right.residue());
        case llvm::Instruction::Mul:
            if (constant) return left.times(constant->getSExtValue());
            if (uniform) {
                return Shape::uniform(left.known_bits() && left.residue() == 0 ? left.known_bits()
                                      : right.residue() == 0                   ? right.known_bits()
                                                                               : 0,
                                      0);
            }
            return otherwise;
        case llvm::Instruction::Shl:
            return shift_amount() < 63 ? left.times(std::int64_t{1} << shift_amount()) : otherwise;
        case llvm::Instruction::LShr:
        case llvm::Instruction::AShr:
            return quotient(shift_amount());
        case llvm::Instruction::UDiv:
            return quotient(power_of_two());
        case llvm::Instruction::SDiv:
            return is_non_negative() ? quotient(power_of_two()) : otherwise;
        case llvm::Instruction::URem:
            return remainder(power_of_two());
        case llvm::Instruction::SRem:
            return is_non_negative() ? remainder(power_of_two()) : otherwise;
        case llvm::Instruction::And:
            if (constant && llvm::isMask_64(constant->getZExtValue())) {
                return remainder(llvm::countr_one(constant->getZExtValue()));
            }
            if (constant && llvm::isMask_64(~constant->getSExtValue())) {
                const auto amount = static_cast<unsigned>(
                    llvm::countr_one(static_cast<std::uint64_t>(~constant->getSExtValue())));
                if (left.same_above(amount, variant_.lanes)) return Shape::uniform(amount, 0);
            }
            return otherwise;
        case llvm::Instruction::Xor:
            if (constant && constant->isMinusOne()) return Shape::constant(~0ULL).minus(left);
            return bits_above(left.residue() ^ right.residue());
        default:
            return otherwise;
    }
}

Shape ShapeAnalysis::extension(const llvm::CastInst& cast) const {
    const Shape inner = shape(cast.getOperand(0));
    if (inner.is_uniform()) return Shape::uniform(inner.known_bits(), inner.residue());
    if (!inner.is_strided() || integer_bits(cast.getType()) > 64) return Shape::varying();
    if (exactness(*this, cast) != Exactness::none) {
        return Shape::strided(inner.stride(), inner.known_bits(), inner.residue());
    }
    const bool worth_a_guard = std::abs(inner.stride()) <= largest_guarded_stride;
    return worth_a_guard ? Shape::guarded(inner.stride()) : Shape::varying();
}

Shape ShapeAnalysis::cast(const llvm::CastInst& cast) const {
    const Shape inner = shape(cast.getOperand(0));
    const bool from_bool = cast.getSrcTy()->isIntegerTy(1);
    switch (cast.getOpcode()) {
        case llvm::Instruction::Trunc:
            if (cast.getType()->isIntegerTy() && integer_bits(cast.getSrcTy()) <= 64)
                return plain(inner);
            break;
        case llvm::Instruction::ZExt:
        case llvm::Instruction::SExt:
            if (!from_bool && cast.getType()->isIntegerTy()) return extension(cast);
            break;
        case llvm::Instruction::PtrToInt:
        case llvm::Instruction::IntToPtr:
            if (integer_bits(cast.getSrcTy()) == 64 && integer_bits(cast.getType()) == 64) {
                return inner;
            }
            break;
        case llvm::Instruction::AddrSpaceCast:
            return inner;
        default:
            break;
    }
    return inner.is_uniform() ? Shape::uniform() : Shape::varying();
}

Shape ShapeAnalysis::address(const llvm::GetElementPtrInst& address) const {
    const llvm::DataLayout& layout = address.getModule()->getDataLayout();
    if (address.getType()->isVectorTy()) return Shape::varying();
    Shape result = shape(address.getPointerOperand());
    for (auto type = llvm::gep_type_begin(address); type != llvm::gep_type_end(address); ++type) {
        if (type.isStruct()) continue;
        const Shape index = shape(type.getOperand());
        if (index.is_varying()) return Shape::varying();
        if (index.stride() != 0 && integer_bits(type.getOperand()->getType()) != 64) {
            return Shape::varying();
        }
        const auto size = type.getSequentialElementStride(layout).getFixedValue();
        result = result.plus(index.times(static_cast<std::int64_t>(size)));
    }
    if (result.is_varying() || result.is_guarded()) return result;
    return Shape::strided(result.stride());
}

Shape ShapeAnalysis::comparison(const llvm::ICmpInst& compare) const {
    if (all_uniform(compare)) return Shape::uniform();
    const Shape left = shape(compare.getOperand(0));
    const Shape right = shape(compare.getOperand(1));
    if (!left.is_strided() || !right.is_strided()) return Shape::varying();
    if (compare.isEquality()) {
        return left.stride() == right.stride() ? Shape::uniform() : Shape::varying();
    }
    // Against a multiple of 2^k, all values within one aligned block of 2^k compare alike.
    const auto compares_alike = [&](const Shape& value, const Shape& bound, bool or_equal) {
        const unsigned bits = integer_bits(compare.getOperand(0)->getType());
        const unsigned top = std::min({value.known_bits(), bound.known_bits(), bits - 1});
        for (unsigned k = 0; k <= top; ++k) {
            const std::uint64_t mask = (std::uint64_t{1} << k) - 1;
            if ((bound.residue() & mask) != (or_equal ? mask : 0)) return false;
            if (value.same_above(k, variant_.lanes)) return true;
        }
        return false;
    };
    using Predicate = llvm::CmpInst::Predicate;
    const Predicate predicate = compare.getPredicate();
    const auto is_any_of = [&](Predicate a, Predicate b, Predicate c, Predicate d) {
        return predicate == a || predicate == b || predicate == c || predicate == d;
    };
    const bool below_or_not = is_any_of(Predicate::ICMP_ULT, Predicate::ICMP_UGE,
                                        Predicate::ICMP_SLT, Predicate::ICMP_SGE);
    if (right.is_uniform() && compares_alike(left, right, !below_or_not)) return Shape::uniform();
    if (left.is_uniform() && compares_alike(right, left, below_or_not)) return Shape::uniform();
    return Shape::varying();
}

Shape ShapeAnalysis::select(const llvm::SelectInst& select) const {
    const Shape yes = plain(shape(select.getTrueValue()));
    const Shape no = plain(shape(select.getFalseValue()));
    if (!shape(select.getCondition()).is_uniform()) return Shape::varying();
    return yes.join(no);
}

}  // namespace heald::cpu::simt
