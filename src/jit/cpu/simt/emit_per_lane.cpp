// The last resort: an instruction once per active lane, as a scalar.

#include "src/jit/cpu/simt/emission.hpp"
#include "src/jit/cpu/simt/emit.hpp"
#include "src/jit/cpu/simt/lane_context.hpp"
#include "src/jit/cpu/simt/lane_loop.hpp"
#include "src/jit/cpu/simt/scalar_atomic.hpp"
#include "src/jit/cpu/simt/special_calls.hpp"
#include "src/jit/cpu/simt/unsupported.hpp"

#include <llvm/IR/Instructions.h>

#include <optional>
#include <vector>

namespace heald::cpu::simt {
namespace {

// The thread coordinates that an out-of-line function gets from its caller.
llvm::Value* lane_context_of(Emission& emission, const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call) return nullptr;
    for (const llvm::Use& argument : call->args()) {
        const auto* source = llvm::dyn_cast<llvm::Instruction>(argument);
        if (source && special_call(*source).kind == SpecialCall::Kind::lane_context) {
            return emission.base(argument);
        }
    }
    return nullptr;
}

}  // namespace

void emit_per_lane(Emission& emission, llvm::Instruction& instruction, llvm::Value* mask) {
    const bool has_result = !instruction.getType()->isVoidTy() && !instruction.use_empty();
    if (has_result && emission.shape(&instruction).has_base()) {
        unsupported(instruction, "internal: a uniform value computed per lane");
    }
    std::vector<LaneMemory> operands;
    for (llvm::Use& operand : instruction.operands()) {
        operands.push_back(LaneMemory::holding(emission, operand));
    }
    llvm::Value* lane_context = lane_context_of(emission, instruction);
    if (lane_context) store_block_coordinates(emission, lane_context);
    std::optional<LaneMemory> result;
    if (has_result) result.emplace(emission, instruction.getType());
    std::optional<LaneCoordinates> coordinates;
    if (lane_context) coordinates.emplace(emission);
    for_each_lane(emission, mask, [&](llvm::Value* lane) {
        if (coordinates) coordinates->store(lane_context, lane);
        llvm::SmallVector<llvm::Value*, 4> values;
        for (const LaneMemory& operand : operands) values.push_back(operand.load_lane(lane));
        llvm::Instruction* copy = instruction.clone();
        for (unsigned i = 0; i < values.size(); ++i) copy->setOperand(i, values[i]);
        copy->dropUnknownNonDebugMetadata();
        copy->setDebugLoc({});
        emission.builder.Insert(copy);
        llvm::Value* value = copy;
        if (is_block_private_atomic(instruction)) {
            value = replace_by_plain(*copy, emission.builder);
        }
        if (result) result->store_lane(lane, value);
    });
    if (has_result) {
        emission.define(&instruction, result->load_all());
    } else if (!instruction.getType()->isVoidTy()) {
        emission.define(&instruction,
                        llvm::PoisonValue::get(emission.widen(instruction.getType())));
    }
}

}  // namespace heald::cpu::simt
