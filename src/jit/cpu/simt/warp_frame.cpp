#include "src/jit/cpu/simt/warp_frame.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace heald::cpu::simt {
namespace {

constexpr std::uint64_t frame_alignment = 64;

}  // namespace

llvm::Align WarpFrame::alignment_of(llvm::Type* type) const {
    const std::uint64_t wanted = layout_.getABITypeAlign(type).value();
    return llvm::Align(std::clamp<std::uint64_t>(wanted, 8, frame_alignment));
}

void WarpFrame::reserve(const llvm::Value* key, llvm::Type* type, llvm::Align least) {
    size_ = llvm::alignTo(size_, std::max(alignment_of(type), least));
    offsets_[key] = size_;
    size_ += layout_.getTypeAllocSize(type).getFixedValue();
}

llvm::Value* WarpFrame::address_of(llvm::IRBuilderBase& builder, const llvm::Value* key) const {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), address_, offsets_.lookup(key));
}

void WarpFrame::store(llvm::IRBuilderBase& builder, llvm::Value* value) const {
    builder.CreateAlignedStore(value, address_of(builder, value), alignment_of(value->getType()));
}

llvm::Value* WarpFrame::load(llvm::IRBuilderBase& builder, llvm::Value* key) const {
    return builder.CreateAlignedLoad(key->getType(), address_of(builder, key),
                                     alignment_of(key->getType()));
}

std::uint64_t WarpFrame::size() const {
    return llvm::alignTo(size_, frame_alignment);
}

bool is_rematerialisable(llvm::Value* value, unsigned depth) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return true;
    if (depth == 0) return false;
    if (llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::CallBase>(instruction)) return false;
    if (instruction->mayHaveSideEffects()) return false;
    if (instruction->mayReadFromMemory() &&
        !instruction->hasMetadata(llvm::LLVMContext::MD_invariant_load)) {
        return false;
    }
    return std::all_of(instruction->op_begin(), instruction->op_end(),
                       [&](llvm::Use& operand) { return is_rematerialisable(operand, depth - 1); });
}

}  // namespace heald::cpu::simt
