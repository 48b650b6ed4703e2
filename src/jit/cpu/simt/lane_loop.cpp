#include "src/jit/cpu/simt/lane_loop.hpp"

#include "src/jit/cpu/simt/emission.hpp"

#include <llvm/IR/Module.h>

namespace heald::cpu::simt {
namespace {

unsigned member_count(const llvm::Type* type) {
    return type->isStructTy() ? type->getStructNumElements()
                              : static_cast<unsigned>(type->getArrayNumElements());
}

llvm::Type* member_type(llvm::Type* type, unsigned index) {
    return type->isStructTy() ? type->getStructElementType(index) : type->getArrayElementType();
}

// Elements narrower than a byte, or of an odd width, take whole bytes in memory.
llvm::Type* memory_element(llvm::Type* element) {
    if (!element->isIntegerTy()) return element;
    const unsigned bits = element->getIntegerBitWidth();
    const unsigned stored = bits <= 8    ? 8
                            : bits <= 16 ? 16
                            : bits <= 32 ? 32
                            : bits <= 64 ? 64
                                         : (bits + 127) / 128 * 128;
    return llvm::IntegerType::get(element->getContext(), stored);
}

llvm::Type* memory_type(llvm::Type* widened) {
    auto* vector = llvm::cast<llvm::FixedVectorType>(widened);
    return llvm::FixedVectorType::get(memory_element(vector->getElementType()),
                                      vector->getNumElements());
}

}  // namespace

void for_each_lane(Emission& emission, llvm::Value* mask,
                   const std::function<void(llvm::Value* lane)>& body) {
    llvm::IRBuilder<>& builder = emission.builder;
    llvm::Value* all_bits = builder.CreateZExtOrTrunc(
        emission.mask_bits(mask), builder.getIntNTy(emission.lanes > 32 ? 64 : 32));
    llvm::Type* type = all_bits->getType();
    llvm::BasicBlock* before = builder.GetInsertBlock();
    llvm::BasicBlock* loop = emission.new_block("lane");
    llvm::BasicBlock* after = emission.new_block("lane.end");
    builder.CreateBr(loop);
    builder.SetInsertPoint(loop);
    llvm::PHINode* bits = builder.CreatePHI(type, 2, "lanes");
    bits->addIncoming(all_bits, before);
    llvm::Value* lane =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder.getTrue());
    body(builder.CreateZExtOrTrunc(lane, builder.getInt64Ty()));
    llvm::Value* rest =
        builder.CreateAnd(bits, builder.CreateSub(bits, llvm::ConstantInt::get(type, 1)));
    bits->addIncoming(rest, builder.GetInsertBlock());
    builder.CreateCondBr(builder.CreateICmpNE(rest, llvm::ConstantInt::get(type, 0)), loop, after);
    builder.SetInsertPoint(after);
}

LaneMemory::LaneMemory(Emission& emission, llvm::Type* type) : emission_(&emission), type_(type) {
    if (type->isAggregateType()) {
        for (unsigned i = 0; i < member_count(type); ++i) {
            members_.emplace_back(emission, member_type(type, i));
        }
    } else {
        slot_ = emission.slot(memory_type(emission.widen(type)), "lanes");
    }
}

LaneMemory LaneMemory::holding(Emission& emission, llvm::Value* value) {
    if (emission.shape(value).is_uniform()) {
        LaneMemory memory;
        memory.uniform_ = emission.base(value);
        return memory;
    }
    LaneMemory memory(emission, value->getType());
    memory.store_all(emission.vector(value));
    return memory;
}

void LaneMemory::store_all(llvm::Value* widened) const {
    llvm::IRBuilder<>& builder = emission_->builder;
    for (unsigned i = 0; i < members_.size(); ++i) {
        members_[i].store_all(builder.CreateExtractValue(widened, i));
    }
    if (!slot_) return;
    llvm::Type* stored = slot_->getAllocatedType();
    if (stored != widened->getType()) widened = builder.CreateZExt(widened, stored);
    builder.CreateStore(widened, slot_);
}

llvm::Value* LaneMemory::lane_address(llvm::Value* lane) const {
    llvm::IRBuilder<>& builder = emission_->builder;
    auto* stored = llvm::cast<llvm::FixedVectorType>(slot_->getAllocatedType());
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type_);
    const unsigned per_lane = vector ? vector->getNumElements() : 1;
    return builder.CreateGEP(stored->getElementType(), slot_,
                             builder.CreateMul(lane, builder.getInt64(per_lane), "", true, true));
}

llvm::Value* LaneMemory::load_lane(llvm::Value* lane) const {
    if (uniform_) return uniform_;
    llvm::IRBuilder<>& builder = emission_->builder;
    if (type_->isAggregateType()) {
        llvm::Value* result = llvm::PoisonValue::get(type_);
        for (unsigned i = 0; i < members_.size(); ++i) {
            result = builder.CreateInsertValue(result, members_[i].load_lane(lane), i);
        }
        return result;
    }
    auto* stored = llvm::cast<llvm::FixedVectorType>(slot_->getAllocatedType());
    llvm::Type* element = stored->getElementType();
    llvm::Type* type = element;
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type_)) {
        type = llvm::FixedVectorType::get(element, vector->getNumElements());
    }
    const llvm::Align alignment(emission_->layout().getTypeStoreSize(element).getFixedValue());
    llvm::Value* value = builder.CreateAlignedLoad(type, lane_address(lane), alignment);
    return type == type_ ? value : builder.CreateTrunc(value, type_);
}

void LaneMemory::store_lane(llvm::Value* lane, llvm::Value* value) const {
    llvm::IRBuilder<>& builder = emission_->builder;
    if (type_->isAggregateType()) {
        for (unsigned i = 0; i < members_.size(); ++i) {
            members_[i].store_lane(lane, builder.CreateExtractValue(value, i));
        }
        return;
    }
    auto* stored = llvm::cast<llvm::FixedVectorType>(slot_->getAllocatedType());
    llvm::Type* element = stored->getElementType();
    if (value->getType()->getScalarType() != element) {
        value = builder.CreateZExt(value, value->getType()->getWithNewType(element));
    }
    const llvm::Align alignment(emission_->layout().getTypeStoreSize(element).getFixedValue());
    builder.CreateAlignedStore(value, lane_address(lane), alignment);
}

llvm::Value* LaneMemory::load_all() const {
    llvm::IRBuilder<>& builder = emission_->builder;
    llvm::Type* widened = emission_->widen(type_);
    if (type_->isAggregateType()) {
        llvm::Value* result = llvm::PoisonValue::get(widened);
        for (unsigned i = 0; i < members_.size(); ++i) {
            result = builder.CreateInsertValue(result, members_[i].load_all(), i);
        }
        return result;
    }
    llvm::Value* value = builder.CreateLoad(slot_->getAllocatedType(), slot_);
    return value->getType() == widened ? value : builder.CreateTrunc(value, widened);
}

}  // namespace heald::cpu::simt
