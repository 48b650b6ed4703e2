// Calls: intrinsics in vector form, vector math, and one scalar call per active lane for the rest.

#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/emit.hpp"
#include "src/jit/cpu/simt/math_table.hpp"
#include "src/jit/cpu/simt/special_calls.hpp"
#include "src/jit/cpu/simt/unsupported.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace heald::cpu::simt {
namespace {

// Says something about values or scopes, and does nothing.
bool is_without_effect(const llvm::IntrinsicInst& call) {
    return call.isAssumeLikeIntrinsic() && call.getType()->isVoidTy();
}

bool is_memory_intrinsic(const llvm::CallBase& call) {
    return llvm::isa<llvm::AnyMemIntrinsic>(call);
}

bool has_uniform_operands(Emission& emission, const llvm::CallBase& call) {
    for (const llvm::Use& argument : call.args()) {
        if (!emission.shape(argument).is_uniform()) return false;
    }
    return true;
}

void emit_once(Emission& emission, llvm::CallBase& call) {
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (llvm::Use& operand : call.operands()) operands.push_back(emission.base(operand));
    llvm::Instruction* copy = call.clone();
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
    copy->setDebugLoc({});
    emission.builder.Insert(copy);
    emission.define(&call, copy);
}

// Element-wise intrinsics that LLVM's list of vectorisable ones leaves out.
bool is_elementwise(llvm::Intrinsic::ID id) {
    switch (id) {
        case llvm::Intrinsic::sadd_with_overflow:
        case llvm::Intrinsic::uadd_with_overflow:
        case llvm::Intrinsic::ssub_with_overflow:
        case llvm::Intrinsic::usub_with_overflow:
        case llvm::Intrinsic::smul_with_overflow:
        case llvm::Intrinsic::umul_with_overflow:
        case llvm::Intrinsic::is_fpclass:
        case llvm::Intrinsic::arithmetic_fence:
            return true;
        default:
            return llvm::isTriviallyVectorizable(id);
    }
}

bool is_overloaded_result(llvm::Intrinsic::ID id) {
    return llvm::isTriviallyVectorizable(id) &&
           llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1);
}

llvm::Value* widen_intrinsic(Emission& emission, llvm::IntrinsicInst& call) {
    const llvm::Intrinsic::ID id = call.getIntrinsicID();
    if (!is_elementwise(id)) return nullptr;
    const bool listed = llvm::isTriviallyVectorizable(id);
    llvm::SmallVector<llvm::Value*, 4> arguments;
    llvm::SmallVector<llvm::Type*, 2> overloads;
    if (is_overloaded_result(id)) overloads.push_back(emission.widen(call.getType()));
    for (unsigned i = 0; i < call.arg_size(); ++i) {
        llvm::Value* argument = call.getArgOperand(i);
        const bool stays_scalar = listed ? llvm::isVectorIntrinsicWithScalarOpAtArg(id, i)
                                         : id == llvm::Intrinsic::is_fpclass && i == 1;
        if (stays_scalar) {
            if (!emission.shape(argument).is_uniform()) return nullptr;
            arguments.push_back(emission.base(argument));
        } else {
            arguments.push_back(emission.vector(argument));
        }
        const bool overloaded =
            listed ? llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i)) : i == 0;
        if (overloaded) overloads.push_back(arguments.back()->getType());
    }
    llvm::CallInst* widened = emission.builder.CreateIntrinsic(id, overloads, arguments);
    if (llvm::isa<llvm::FPMathOperator>(widened)) widened->copyIRFlags(&call);
    return widened;
}

// Only empty assembly, which hides a value from the optimiser, means something on a CPU.
void emit_assembly(Emission& emission, llvm::CallBase& call, llvm::Value* mask) {
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    if (!assembly->getAsmString().empty()) {
        unsupported(call, "inline assembly cannot be compiled for the CPU: " + text_of(call));
    }
    if (!call.getType()->isVoidTy()) emit_per_lane(emission, call, mask);
}

}  // namespace

void emit_call(Emission& emission, llvm::CallBase& call, llvm::Value* mask) {
    if (call.isInlineAsm()) {
        emit_assembly(emission, call, mask);
        return;
    }
    if (const SpecialCall special = special_call(call); special.kind != SpecialCall::Kind::none) {
        emit_special_call(emission, call, special, mask);
        return;
    }
    auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
    if (intrinsic && is_without_effect(*intrinsic)) return;
    const bool is_uniform_value = !call.getType()->isVoidTy() && emission.shape(&call).is_uniform();
    if (is_uniform_value || (is_memory_intrinsic(call) && has_uniform_operands(emission, call))) {
        emit_once(emission, call);
        return;
    }
    if (emit_small_copy(emission, call, mask)) return;
    if (find_math_function(call)) {
        llvm::SmallVector<llvm::Value*, 2> arguments;
        for (llvm::Use& argument : call.args()) arguments.push_back(emission.vector(argument));
        if (llvm::Value* result = emit_vector_math(emission, call, arguments)) {
            emission.define(&call, result);
            return;
        }
        // A vector intrinsic would become scalar calls for all lanes, the inactive ones too.
        emit_per_lane(emission, call, mask);
        return;
    }
    if (intrinsic) {
        llvm::Value* result = emit_saturating_conversion(emission, *intrinsic);
        if (!result) result = widen_intrinsic(emission, *intrinsic);
        if (result) {
            emission.define(&call, result);
            return;
        }
    }
    emit_per_lane(emission, call, mask);
}

}  // namespace heald::cpu::simt
