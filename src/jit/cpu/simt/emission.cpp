#include "src/jit/cpu/simt/emission.hpp"

#include "src/jit/cpu/simt/emit.hpp"
#include "src/jit/cpu/simt/unsupported.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace heald::cpu::simt {

Emission::Emission(llvm::Function& entry_function, const Variant& variant_, const VectorIsa& isa_,
                   const ShapeAnalysis& shapes_, const SharedLayout& shared_,
                   llvm::Function& warp_function)
    : entry(entry_function),
      variant(variant_),
      isa(isa_),
      shapes(shapes_),
      shared(shared_),
      warp(warp_function),
      arguments(warp_arguments(warp_function)),
      lanes(variant_.lanes),
      builder(entry_function.getContext()),
      mask_type_(llvm::FixedVectorType::get(builder.getInt1Ty(), lanes)),
      all_lanes_(llvm::ConstantInt::getTrue(mask_type_)) {
    begin();
}

const llvm::DataLayout& Emission::layout() const {
    return module().getDataLayout();
}

void Emission::begin() {
    builder.SetInsertPoint(new_block("entry"));
    for (unsigned axis = 0; axis < 3; ++axis) {
        grid_dim_[axis] = load_grid_dim(builder, arguments.context, axis);
        block_dim_[axis] = load_block_dim(builder, arguments.context, axis);
        thread_index_[axis] = arguments.thread[axis];
    }
    llvm::Type* index = builder.getInt32Ty();
    linear_index_ = builder.CreateAdd(splat(arguments.linear), progression(index, 1));
    if (!variant.contiguous) {
        llvm::Value* width = splat(block_dim_[0]);
        llvm::Value* height = splat(block_dim_[1]);
        llvm::Value* row = builder.CreateUDiv(linear_index_, width);
        thread_index_[0] = builder.CreateURem(linear_index_, width);
        thread_index_[1] = builder.CreateURem(row, height);
        thread_index_[2] = builder.CreateUDiv(row, height);
    }
    entry_mask_ = all_lanes_;
    if (!variant.full) {
        llvm::Value* threads =
            builder.CreateMul(builder.CreateMul(block_dim_[0], block_dim_[1]), block_dim_[2]);
        entry_mask_ = builder.CreateICmpULT(linear_index_, splat(threads), "in_block");
    }
}

llvm::Value* Emission::base(llvm::Value* value) {
    if (llvm::isa<llvm::Argument>(value)) return arguments.argv;
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
        if (is_shared(*variable)) {
            return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), arguments.shared,
                                                      shared.offset(variable));
        }
    }
    if (!llvm::isa<llvm::Instruction>(value)) return value;
    llvm::Value* emitted = values_.lookup(value);
    if (!emitted) unsupported(entry, "internal: no value for " + text_of(*value));
    return emitted;
}

llvm::Value* Emission::vector(llvm::Value* value) {
    const Shape value_shape = shape(value);
    if (!value_shape.has_base()) {
        llvm::Value* emitted = values_.lookup(value);
        if (!emitted) unsupported(entry, "internal: no value for " + text_of(*value));
        return emitted;
    }
    if (value_shape.is_guarded())
        return widen_instruction(*this, *llvm::cast<llvm::Instruction>(value), all_lanes_);
    if (llvm::isa<llvm::Constant>(value)) return splat(base(value));
    llvm::Value* vector = splat(base(value));
    if (value_shape.stride() == 0) return vector;
    if (value->getType()->isPointerTy()) {
        return builder.CreateGEP(builder.getInt8Ty(), vector,
                                 progression(builder.getInt64Ty(), value_shape.stride()));
    }
    return builder.CreateAdd(vector, progression(value->getType(), value_shape.stride()));
}

llvm::Type* Emission::widen(llvm::Type* type) const {
    if (type->isVoidTy()) return type;
    if (const auto* vector_type = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
        return llvm::FixedVectorType::get(vector_type->getElementType(),
                                          vector_type->getNumElements() * lanes);
    }
    if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
        std::vector<llvm::Type*> members;
        for (llvm::Type* member : structure->elements()) members.push_back(widen(member));
        return llvm::StructType::get(type->getContext(), members);
    }
    if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
        return llvm::ArrayType::get(widen(array->getElementType()), array->getNumElements());
    }
    return llvm::FixedVectorType::get(type, lanes);
}

llvm::Value* Emission::splat(llvm::Value* scalar) {
    llvm::Type* type = scalar->getType();
    if (const auto* vector_type = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
        const int count = static_cast<int>(vector_type->getNumElements());
        llvm::SmallVector<int> repeated;
        for (unsigned lane = 0; lane < lanes; ++lane) {
            for (int i = 0; i < count; ++i) repeated.push_back(i);
        }
        return builder.CreateShuffleVector(scalar, repeated);
    }
    if (!type->isAggregateType()) return builder.CreateVectorSplat(lanes, scalar);
    const unsigned count = type->isStructTy() ? type->getStructNumElements()
                                              : static_cast<unsigned>(type->getArrayNumElements());
    llvm::Value* result = llvm::PoisonValue::get(widen(type));
    for (unsigned i = 0; i < count; ++i) {
        result = builder.CreateInsertValue(result, splat(builder.CreateExtractValue(scalar, i)), i);
    }
    return result;
}

llvm::Constant* Emission::progression(llvm::Type* type, std::int64_t stride) const {
    std::vector<llvm::Constant*> elements;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const auto element = static_cast<std::uint64_t>(stride) * lane;
        elements.push_back(llvm::ConstantInt::get(type, element, true));
    }
    return llvm::ConstantVector::get(elements);
}

llvm::Value* Emission::mask_bits(llvm::Value* mask) {
    return builder.CreateBitCast(mask, builder.getIntNTy(lanes));
}

llvm::Value* Emission::repeat_lanes(llvm::Value* mask, unsigned count) {
    if (count == 1) return mask;
    llvm::SmallVector<int> repeated;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        repeated.append(count, static_cast<int>(lane));
    }
    return builder.CreateShuffleVector(mask, repeated);
}

llvm::Value* Emission::select_lanes(llvm::Value* mask, llvm::Value* yes, llvm::Value* no,
                                    llvm::Type* type) {
    if (!type->isAggregateType()) {
        const auto* vector_type = llvm::dyn_cast<llvm::FixedVectorType>(type);
        const unsigned per_lane = vector_type ? vector_type->getNumElements() : 1;
        return builder.CreateSelect(repeat_lanes(mask, per_lane), yes, no);
    }
    const unsigned members = type->isStructTy()
                                 ? type->getStructNumElements()
                                 : static_cast<unsigned>(type->getArrayNumElements());
    llvm::Value* result = yes;
    for (unsigned i = 0; i < members; ++i) {
        llvm::Type* member =
            type->isStructTy() ? type->getStructElementType(i) : type->getArrayElementType();
        llvm::Value* chosen = select_lanes(mask, builder.CreateExtractValue(yes, i),
                                           builder.CreateExtractValue(no, i), member);
        result = builder.CreateInsertValue(result, chosen, i);
    }
    return result;
}

llvm::AllocaInst* Emission::slot(llvm::Type* type, const llvm::Twine& name) {
    llvm::BasicBlock& first = warp.getEntryBlock();
    llvm::IRBuilder<> at_start(&first, first.begin());
    return at_start.CreateAlloca(type, nullptr, name);
}

llvm::BasicBlock* Emission::new_block(const llvm::Twine& name) {
    return llvm::BasicBlock::Create(warp.getContext(), name, &warp);
}

}  // namespace heald::cpu::simt
