#pragma once

// What is known of loops: how often they run, and what their back edges have to do: poll for
// cancellation, let other threads run.

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <cstdint>

namespace llvm {
class DominatorTree;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class Value;
}  // namespace llvm

namespace heald::cpu::simt {

class LoopFacts {
public:
    LoopFacts(llvm::Function& function, llvm::DominatorTree& dominators, llvm::LoopInfo& loops);

    /// No number of iterations is known on entry to the loop.
    bool is_unbounded(const llvm::Loop* loop) const { return unbounded_.contains(loop); }

    /// At most, whatever the arguments are; 0: not known.
    std::uint64_t most_iterations(const llvm::Loop* loop) const {
        return most_iterations_.lookup(loop);
    }

    /// Whether the loop ends depends on what other threads do meanwhile: on an atomic or volatile
    /// load, an exchange that fails, or it says so by calling relax.
    bool is_yield(const llvm::Loop* loop) const { return yields_.contains(loop); }

    bool any_unbounded() const { return !unbounded_.empty(); }
    bool any_yield() const { return !yields_.empty(); }

private:
    llvm::SmallPtrSet<const llvm::Loop*, 8> unbounded_;
    llvm::SmallPtrSet<const llvm::Loop*, 8> yields_;
    llvm::DenseMap<const llvm::Loop*, std::uint64_t> most_iterations_;
};

}  // namespace heald::cpu::simt
