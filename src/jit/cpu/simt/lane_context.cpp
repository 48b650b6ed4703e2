#include "src/jit/cpu/simt/lane_context.hpp"

#include "src/jit/cpu/simt/emission.hpp"

namespace heald::cpu::simt {
namespace {

std::size_t axis_offset(std::size_t member, unsigned axis) {
    return member + axis * sizeof(std::uint32_t);
}

llvm::Value* spilled(Emission& emission, llvm::Value* vector) {
    llvm::AllocaInst* slot = emission.slot(vector->getType(), "coordinate");
    emission.builder.CreateStore(vector, slot);
    return slot;
}

}  // namespace

llvm::Value* lane_context_member(llvm::IRBuilderBase& builder, llvm::Value* lane_context,
                                 std::size_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), lane_context, offset);
}

void store_block_coordinates(Emission& emission, llvm::Value* lane_context) {
    llvm::IRBuilder<>& builder = emission.builder;
    const WarpArguments& arguments = emission.arguments;
    const auto store = [&](llvm::Value* value, std::size_t offset) {
        builder.CreateStore(value, lane_context_member(builder, lane_context, offset));
    };
    store(arguments.context, offsetof(LaneContext, context));
    store(arguments.shared, offsetof(LaneContext, shared));
    store(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), arguments.shared,
                                             emission.shared.static_bytes()),
          offsetof(LaneContext, dynamic_shared));
    for (unsigned axis = 0; axis < 3; ++axis) {
        store(arguments.block[axis], axis_offset(offsetof(LaneContext, block), axis));
    }
}

LaneCoordinates::LaneCoordinates(Emission& emission) : emission_(emission) {
    linear_ = spilled(emission, emission.linear_index());
    for (unsigned axis = 0; axis < 3; ++axis) {
        thread_[axis] = emission.thread_index(axis);
        if (emission.variant.contiguous && axis == 0) {
            thread_[axis] =
                emission.builder.CreateAdd(emission.splat(thread_[axis]),
                                           emission.progression(emission.builder.getInt32Ty(), 1));
        }
        is_slot_[axis] = thread_[axis]->getType()->isVectorTy();
        if (is_slot_[axis]) thread_[axis] = spilled(emission, thread_[axis]);
    }
}

llvm::Value* LaneCoordinates::of_lane(llvm::Value* scalar_or_slot, bool is_slot,
                                      llvm::Value* lane) const {
    if (!is_slot) return scalar_or_slot;
    llvm::IRBuilder<>& builder = emission_.builder;
    llvm::Type* type = builder.getInt32Ty();
    return builder.CreateLoad(type, builder.CreateGEP(type, scalar_or_slot, lane));
}

void LaneCoordinates::store(llvm::Value* lane_context, llvm::Value* lane) const {
    llvm::IRBuilder<>& builder = emission_.builder;
    builder.CreateStore(
        of_lane(linear_, true, lane),
        lane_context_member(builder, lane_context, offsetof(LaneContext, linear_thread)));
    for (unsigned axis = 0; axis < 3; ++axis) {
        builder.CreateStore(of_lane(thread_[axis], is_slot_[axis], lane),
                            lane_context_member(builder, lane_context,
                                                axis_offset(offsetof(LaneContext, thread), axis)));
    }
}

}  // namespace heald::cpu::simt
