#pragma once

// How much one thread of a kernel does at most.

#include <cstdint>

namespace llvm {
class Function;
class LoopInfo;
}  // namespace llvm

namespace heald::cpu::simt {

class LoopFacts;

/// Instructions per thread, those inside loops as often as they run at most and calls by what they
/// cost. 0: some loop has no constant bound.
std::uint64_t work_bound(llvm::Function& entry, const llvm::LoopInfo& loops,
                         const LoopFacts& facts);

}  // namespace heald::cpu::simt
