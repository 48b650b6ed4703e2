#pragma once

// Markers in a warp function where the warp stops and other warps of the block run.

#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace heald::cpu::simt {

enum class SuspendKind : std::uint8_t {
    barrier,  ///< goes on when every warp has come to a barrier or ended
    yield,    ///< goes on when the others had a turn
};

struct SuspendPoint {
    llvm::CallInst* marker;
    SuspendKind kind;
};

void emit_suspend(llvm::IRBuilderBase& builder, SuspendKind kind);

/// All markers, barriers first.
std::vector<SuspendPoint> suspend_points(llvm::Function& function);

}  // namespace heald::cpu::simt
