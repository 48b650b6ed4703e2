// memcpy, memmove and memset with a small constant length: a few loads and stores per lane.

#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/emit.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heald::cpu::simt {
namespace {

constexpr std::uint64_t longest_copy = 64;

struct Chunk {
    std::uint64_t offset;
    unsigned bytes;
};

// Naturally aligned pieces of 8, 4, 2 and 1 bytes.
llvm::SmallVector<Chunk, 16> chunks_of(std::uint64_t length, llvm::Align alignment) {
    llvm::SmallVector<Chunk, 16> chunks;
    std::uint64_t offset = 0;
    while (offset < length) {
        std::uint64_t bytes = std::min<std::uint64_t>(8, alignment.value());
        while (bytes > length - offset) bytes /= 2;
        chunks.push_back({offset, static_cast<unsigned>(bytes)});
        offset += bytes;
    }
    return chunks;
}

}  // namespace

bool emit_small_copy(Emission& emission, llvm::CallBase& call, llvm::Value* mask) {
    auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&call);
    if (!memory || memory->isVolatile()) return false;
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(memory->getLength());
    if (!length || length->getZExtValue() > longest_copy) return false;
    auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(memory);
    llvm::Align alignment = memory->getDestAlign().valueOrOne();
    if (transfer) alignment = std::min(alignment, transfer->getSourceAlign().valueOrOne());

    llvm::IRBuilder<>& builder = emission.builder;
    llvm::Value* to = emission.vector(memory->getDest());
    llvm::Value* from = transfer ? emission.vector(transfer->getSource()) : nullptr;
    const auto chunks = chunks_of(length->getZExtValue(), alignment);
    const auto chunk_alignment = [&](const Chunk& chunk) {
        return llvm::Align(std::min<std::uint64_t>(chunk.bytes, alignment.value()));
    };
    const auto address = [&](llvm::Value* pointers, const Chunk& chunk) {
        return builder.CreateGEP(builder.getInt8Ty(), pointers, builder.getInt64(chunk.offset));
    };
    // All loads come first, as memmove needs.
    llvm::SmallVector<llvm::Value*, 16> values;
    for (const Chunk& chunk : chunks) {
        llvm::Type* type = builder.getIntNTy(chunk.bytes * 8);
        if (transfer) {
            llvm::Type* vector = emission.widen(type);
            values.push_back(builder.CreateMaskedGather(vector, address(from, chunk),
                                                        chunk_alignment(chunk), mask,
                                                        llvm::PoisonValue::get(vector)));
            continue;
        }
        llvm::Value* byte = emission.vector(llvm::cast<llvm::MemSetInst>(memory)->getValue());
        llvm::Value* wide = builder.CreateZExt(byte, emission.widen(type));
        const std::uint64_t ones = 0x0101010101010101ULL >> (64 - chunk.bytes * 8);
        values.push_back(builder.CreateMul(wide, llvm::ConstantInt::get(wide->getType(), ones)));
    }
    for (unsigned i = 0; i < chunks.size(); ++i) {
        builder.CreateMaskedScatter(values[i], address(to, chunks[i]), chunk_alignment(chunks[i]),
                                    mask);
    }
    return true;
}

}  // namespace heald::cpu::simt
