#include "src/jit/cpu/simt/suspend.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heald::cpu::simt {
namespace {

constexpr const char* marker_name = "__heald_suspend_marker";

}  // namespace

void emit_suspend(llvm::IRBuilderBase& builder, SuspendKind kind) {
    llvm::Module& module = *builder.GetInsertBlock()->getModule();
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty()}, false);
    llvm::CallInst* call = builder.CreateCall(module.getOrInsertFunction(marker_name, type),
                                              builder.getInt32(static_cast<std::uint32_t>(kind)));
    call->addFnAttr(llvm::Attribute::NoDuplicate);
    call->addFnAttr(llvm::Attribute::Convergent);
    call->setDoesNotThrow();
}

std::vector<SuspendPoint> suspend_points(llvm::Function& function) {
    std::vector<SuspendPoint> points;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call || !call->getCalledFunction()) continue;
        if (call->getCalledFunction()->getName() != marker_name) continue;
        const auto* kind = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0));
        points.push_back({call, static_cast<SuspendKind>(kind->getZExtValue())});
    }
    std::stable_partition(points.begin(), points.end(), [](const SuspendPoint& point) {
        return point.kind == SuspendKind::barrier;
    });
    return points;
}

}  // namespace heald::cpu::simt
