#pragma once

// Atomics on shared memory: one worker runs all threads of a block, one after another, so plain
// loads and stores do.

#include <llvm/IR/IRBuilder.h>

namespace heald::cpu::simt {

/// An atomic read-modify-write or compare-exchange on memory that is certainly shared memory.
bool is_block_private_atomic(const llvm::Instruction& instruction);

/// Replaces such a scalar instruction, at the builder's insertion point, by plain accesses; returns
/// its result.
llvm::Value* replace_by_plain(llvm::Instruction& instruction, llvm::IRBuilder<>& builder);

}  // namespace heald::cpu::simt
