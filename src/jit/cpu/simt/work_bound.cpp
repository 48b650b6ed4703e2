#include "src/jit/cpu/simt/work_bound.hpp"

#include "src/jit/cpu/simt/loop_facts.hpp"
#include "src/jit/cpu/simt/math_table.hpp"
#include "src/jit/cpu/simt/special_calls.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

namespace heald::cpu::simt {
namespace {

// Against one vector instruction's share of one thread.
constexpr std::uint64_t vector_math_cost = 16;
constexpr std::uint64_t scalar_call_cost = 256;
constexpr std::uint64_t scalar_access_cost = 32;

std::uint64_t cost(const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) {
        return scalar_access_cost;
    }
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || special_call(instruction).kind != SpecialCall::Kind::none) return 1;
    if (find_math_function(*call)) return vector_math_cost;
    return llvm::isa<llvm::IntrinsicInst>(call) ? 1 : scalar_call_cost;
}

}  // namespace

std::uint64_t work_bound(llvm::Function& entry, const llvm::LoopInfo& loops,
                         const LoopFacts& facts) {
    std::uint64_t total = 0;
    for (const llvm::BasicBlock& block : entry) {
        std::uint64_t once = 0;
        for (const llvm::Instruction& instruction : block) once += cost(instruction);
        for (const llvm::Loop* loop = loops.getLoopFor(&block); loop;
             loop = loop->getParentLoop()) {
            if (facts.most_iterations(loop) == 0) return 0;
            once = llvm::SaturatingMultiply(once, facts.most_iterations(loop));
        }
        total = llvm::SaturatingAdd(total, once);
    }
    return total;
}

}  // namespace heald::cpu::simt
