#pragma once

// What a warp keeps between two runs of its step function: a frame in the worker's arena.

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace heald::cpu::simt {

class WarpFrame {
public:
    WarpFrame(const llvm::DataLayout& layout, llvm::Value* address)
        : layout_(layout), address_(address) {}

    /// Reserves room for a value; offsets are kept per key.
    void reserve(const llvm::Value* key, llvm::Type* type, llvm::Align least = llvm::Align(8));
    bool holds(const llvm::Value* key) const { return offsets_.contains(key); }
    llvm::Value* address_of(llvm::IRBuilderBase& builder, const llvm::Value* key) const;
    void store(llvm::IRBuilderBase& builder, llvm::Value* value) const;
    llvm::Value* load(llvm::IRBuilderBase& builder, llvm::Value* key) const;

    /// Bytes of one frame, a multiple of the alignment of vectors.
    std::uint64_t size() const;

private:
    llvm::Align alignment_of(llvm::Type* type) const;

    const llvm::DataLayout& layout_;
    llvm::Value* address_;
    std::uint64_t size_ = 0;
    llvm::DenseMap<const llvm::Value*, std::uint64_t> offsets_;
};

/// Whether computing `value` again from arguments and constants is cheaper than keeping it.
bool is_rematerialisable(llvm::Value* value, unsigned depth = 5);

}  // namespace heald::cpu::simt
