#pragma once

// Clean-up of a fresh warp function.

namespace llvm {
class Function;
}

namespace heald::cpu::simt {

/// Makes SSA values of the slots for phis and masks.
void promote_slots(llvm::Function& warp);

/// Removes what would otherwise be kept across a stop: common subexpressions, dead code.
void simplify_before_split(llvm::Function& warp);

}  // namespace heald::cpu::simt
