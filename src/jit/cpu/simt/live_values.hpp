#pragma once

// Values that are live at the start of given blocks.

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>

#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
}  // namespace llvm

namespace heald::cpu::simt {

using LiveValues = llvm::SmallSetVector<llvm::Instruction*, 16>;

/// For every one of `blocks`, the instructions whose values are used after its start and defined
/// before, in a fixed order.
llvm::DenseMap<const llvm::BasicBlock*, LiveValues> live_at_start(
    llvm::Function& function, const std::vector<llvm::BasicBlock*>& blocks);

}  // namespace heald::cpu::simt
