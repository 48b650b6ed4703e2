// Coordinates, warp operations and barriers.

#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/emit.hpp"
#include "src/jit/cpu/simt/lane_context.hpp"
#include "src/jit/cpu/simt/special_calls.hpp"
#include "src/jit/cpu/simt/suspend.hpp"
#include "src/jit/cpu/simt/unsupported.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>

namespace heald::cpu::simt {
namespace {

constexpr unsigned warp_size = 32;

llvm::Value* mask_word(Emission& emission, llvm::Value* mask) {
    return emission.builder.CreateZExtOrTrunc(emission.mask_bits(mask),
                                              emission.builder.getInt32Ty());
}

// The lanes of `mask` argument whose predicate is not zero. Lanes may name different masks (tiles).
void emit_ballot(Emission& emission, llvm::CallBase& call, llvm::Value* mask) {
    llvm::IRBuilder<>& builder = emission.builder;
    llvm::Value* members = call.getArgOperand(0);
    llvm::Value* predicate = emission.vector(call.getArgOperand(1));
    llvm::Value* voting = builder.CreateLogicalAnd(
        mask, builder.CreateICmpNE(predicate, llvm::Constant::getNullValue(predicate->getType())));
    llvm::Value* votes = mask_word(emission, voting);
    if (emission.shape(members).is_uniform()) {
        emission.define(&call, builder.CreateAnd(votes, emission.base(members)));
    } else {
        emission.define(&call, builder.CreateAnd(emission.splat(votes), emission.vector(members)));
    }
}

// Source lanes as constants, or false.
bool constant_lanes(llvm::Value* sources, llvm::SmallVectorImpl<int>& lanes) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(sources);
    if (!constant) return false;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const auto* element =
            llvm::dyn_cast_or_null<llvm::ConstantInt>(constant->getAggregateElement(lane));
        if (!element) return false;
        lanes.push_back(static_cast<int>(element->getZExtValue() % warp_size));
    }
    return true;
}

void emit_shuffle(Emission& emission, llvm::CallBase& call, llvm::Value* mask) {
    llvm::IRBuilder<>& builder = emission.builder;
    llvm::Value* value = call.getArgOperand(1);
    llvm::Value* source = call.getArgOperand(2);
    if (emission.shape(value).is_uniform()) {
        emission.define(&call, emission.base(value));
        return;
    }
    llvm::Value* vector = emission.vector(value);
    if (emission.shape(source).is_uniform()) {
        llvm::Value* lane = builder.CreateAnd(emission.base(source), warp_size - 1);
        emission.define(&call, emission.splat(builder.CreateExtractElement(vector, lane)));
        return;
    }
    llvm::Value* sources = emission.vector(source);
    llvm::SmallVector<int, warp_size> lanes;
    if (constant_lanes(sources, lanes)) {
        emission.define(&call, builder.CreateShuffleVector(vector, lanes));
        return;
    }
    llvm::Type* element = builder.getInt32Ty();
    llvm::AllocaInst* slot = emission.slot(vector->getType(), "shuffle");
    builder.CreateStore(vector, slot);
    llvm::Value* index =
        builder.CreateAnd(sources, llvm::ConstantInt::get(sources->getType(), warp_size - 1));
    if (emission.isa.gather) {
        llvm::Value* addresses = builder.CreateGEP(element, slot, index);
        emission.define(
            &call, builder.CreateMaskedGather(vector->getType(), addresses, llvm::Align(4), mask,
                                              llvm::PoisonValue::get(vector->getType())));
        return;
    }
    // Element by element: there is no instruction for it, and the indices are all in registers.
    llvm::Value* result = llvm::PoisonValue::get(vector->getType());
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        llvm::Value* from = builder.CreateExtractElement(index, lane);
        llvm::Value* loaded = builder.CreateLoad(
            element,
            builder.CreateGEP(element, slot, builder.CreateZExt(from, builder.getInt64Ty())));
        result = builder.CreateInsertElement(result, loaded, lane);
    }
    emission.define(&call, result);
}

void emit_lane(Emission& emission, llvm::CallBase& call) {
    llvm::IRBuilder<>& builder = emission.builder;
    if (emission.lanes == warp_size) {
        emission.define(&call, builder.getInt32(0));
    } else if (emission.lanes < warp_size) {
        emission.define(&call, builder.CreateAnd(emission.arguments.linear, warp_size - 1));
    } else {
        emission.define(&call, builder.CreateAnd(emission.linear_index(),
                                                 emission.splat(builder.getInt32(warp_size - 1))));
    }
}

void emit_warp(Emission& emission, llvm::CallBase& call) {
    llvm::IRBuilder<>& builder = emission.builder;
    if (emission.lanes <= warp_size) {
        emission.define(&call, builder.CreateLShr(emission.arguments.linear, 5));
    } else {
        emission.define(&call, builder.CreateLShr(emission.linear_index(),
                                                  emission.splat(builder.getInt32(5))));
    }
}

}  // namespace

void emit_special_call(Emission& emission, llvm::CallBase& call, const SpecialCall& special,
                       llvm::Value* mask) {
    llvm::IRBuilder<>& builder = emission.builder;
    if (special.is_warp_operation() && emission.lanes != warp_size) {
        unsupported(call, "internal: a warp operation needs 32 lanes");
    }
    switch (special.kind) {
        case SpecialCall::Kind::thread_index:
            emission.define(&call, emission.thread_index(special.axis));
            return;
        case SpecialCall::Kind::block_index:
            emission.define(&call, emission.arguments.block[special.axis]);
            return;
        case SpecialCall::Kind::block_dim:
            emission.define(&call, emission.block_dim(special.axis));
            return;
        case SpecialCall::Kind::grid_dim:
            emission.define(&call, emission.grid_dim(special.axis));
            return;
        case SpecialCall::Kind::lane:
            emit_lane(emission, call);
            return;
        case SpecialCall::Kind::warp:
            emit_warp(emission, call);
            return;
        case SpecialCall::Kind::dynamic_shared_bytes:
            emission.define(&call, load_dynamic_shared_bytes(builder, emission.arguments.context));
            return;
        case SpecialCall::Kind::lane_context: {
            llvm::AllocaInst* slot = emission.slot(
                llvm::ArrayType::get(builder.getInt64Ty(), sizeof(LaneContext) / 8), "thread");
            emission.define(&call, slot);
            return;
        }
        case SpecialCall::Kind::barrier:
            emit_suspend(builder, SuspendKind::barrier);
            return;
        case SpecialCall::Kind::shuffle:
            emit_shuffle(emission, call, mask);
            return;
        case SpecialCall::Kind::ballot:
            emit_ballot(emission, call, mask);
            return;
        case SpecialCall::Kind::active_mask:
            emission.define(&call, mask_word(emission, mask));
            return;
        // Lanes run in lockstep, and the back edge of the loop around a relax is the yield point.
        case SpecialCall::Kind::sync_warp:
        case SpecialCall::Kind::relax:
        case SpecialCall::Kind::none:
            return;
    }
}

}  // namespace heald::cpu::simt
