#include "src/jit/cpu/simt/warp_function.hpp"

#include "src/backend/cpu/kernel_abi.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <vector>

namespace heald::cpu::simt {

void copy_target_attributes(const llvm::Function& from, llvm::Function& to) {
    for (const char* attribute : {"target-cpu", "target-features", "prefer-vector-width"}) {
        if (from.hasFnAttribute(attribute)) to.addFnAttr(from.getFnAttribute(attribute));
    }
    // An access to address 0 is a fault to report, not a licence to drop the code.
    if (from.hasFnAttribute(llvm::Attribute::NullPointerIsValid)) {
        to.addFnAttr(llvm::Attribute::NullPointerIsValid);
    }
}

llvm::Function* create_warp_function(llvm::Function& entry, const std::string& name) {
    llvm::LLVMContext& context = entry.getContext();
    auto* pointer = llvm::PointerType::getUnqual(context);
    std::vector<llvm::Type*> parameters(3, pointer);
    parameters.resize(WarpArguments::count, llvm::Type::getInt32Ty(context));
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
    auto* warp =
        llvm::Function::Create(type, llvm::Function::InternalLinkage, name, entry.getParent());
    set_warp_attributes(entry, *warp);
    return warp;
}

void set_warp_attributes(const llvm::Function& entry, llvm::Function& warp) {
    warp.setAttributes({});
    copy_target_attributes(entry, warp);
    warp.setDoesNotThrow();
    // Nothing but this code and the other warps touches a block's shared memory, and between two
    // barriers the other warps do not run.
    warp.addParamAttr(1, llvm::Attribute::NoAlias);
    warp.addParamAttr(2, llvm::Attribute::NoAlias);
}

WarpArguments warp_arguments(llvm::Function& warp) {
    WarpArguments arguments;
    arguments.argv = warp.getArg(0);
    arguments.context = warp.getArg(1);
    arguments.shared = warp.getArg(2);
    for (unsigned axis = 0; axis < 3; ++axis) {
        arguments.block[axis] = warp.getArg(3 + axis);
        arguments.thread[axis] = warp.getArg(6 + axis);
    }
    arguments.linear = warp.getArg(9);
    return arguments;
}

llvm::LoadInst* load_context(llvm::IRBuilderBase& builder, llvm::Value* context, llvm::Type* type,
                             std::size_t offset) {
    llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), context, offset);
    llvm::LoadInst* load = builder.CreateLoad(type, address);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                      llvm::MDNode::get(builder.getContext(), {}));
    return load;
}

llvm::Value* load_grid_dim(llvm::IRBuilderBase& builder, llvm::Value* context, unsigned axis) {
    return load_context(builder, context, builder.getInt32Ty(),
                        offsetof(BlockContext, grid) + axis * sizeof(std::uint32_t));
}

llvm::Value* load_block_dim(llvm::IRBuilderBase& builder, llvm::Value* context, unsigned axis) {
    return load_context(builder, context, builder.getInt32Ty(),
                        offsetof(BlockContext, block) + axis * sizeof(std::uint32_t));
}

llvm::Value* load_dynamic_shared_bytes(llvm::IRBuilderBase& builder, llvm::Value* context) {
    return load_context(builder, context, builder.getInt32Ty(),
                        offsetof(BlockContext, dynamic_shared_bytes));
}

llvm::Value* load_cancelled(llvm::IRBuilderBase& builder, llvm::Value* context) {
    llvm::Value* flag =
        load_context(builder, context, builder.getPtrTy(), offsetof(BlockContext, cancel));
    llvm::LoadInst* load = builder.CreateLoad(builder.getInt32Ty(), flag, "cancel");
    load->setAtomic(llvm::AtomicOrdering::Monotonic);
    load->setAlignment(llvm::Align(4));
    return builder.CreateICmpNE(load, builder.getInt32(0));
}

}  // namespace heald::cpu::simt
