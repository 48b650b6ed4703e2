#include "src/jit/cpu/simt/scalar_warp.hpp"

#include "src/jit/cpu/simt/lane_context.hpp"
#include "src/jit/cpu/simt/scalar_body.hpp"
#include "src/jit/cpu/simt/suspend.hpp"
#include "src/jit/cpu/simt/unsupported.hpp"
#include "src/jit/cpu/simt/warp_function.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstddef>

namespace heald::cpu::simt {
namespace {

class ScalarWarp {
public:
    ScalarWarp(llvm::Function& entry, const SharedLayout& shared, const std::string& name)
        : shared_(shared),
          warp_(create_warp_function(entry, name)),
          arguments_(warp_arguments(*warp_)) {
        llvm::ValueToValueMapTy values;
        values[entry.getArg(0)] = arguments_.argv;
        llvm::SmallVector<llvm::ReturnInst*, 2> returns;
        llvm::CloneFunctionInto(warp_, &entry, values,
                                llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
        warp_->setSubprogram(nullptr);
        warp_->setLinkage(llvm::Function::InternalLinkage);
        set_warp_attributes(entry, *warp_);
        warp_->setCallingConv(llvm::CallingConv::C);
    }

    llvm::Function* build() {
        mark_parameter_loads();
        instrument_back_edges(*warp_, true, [&](llvm::IRBuilder<>&) { return arguments_.context; });
        ScalarSources sources;
        sources.special = [&](llvm::IRBuilder<>& builder, const SpecialCall& call,
                              llvm::Instruction& at) { return special(builder, call, at); };
        sources.shared_address = [&](llvm::IRBuilder<>& builder,
                                     const llvm::GlobalVariable& variable) {
            return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), arguments_.shared,
                                                      shared_.offset(&variable));
        };
        replace_special_values(*warp_, sources);
        return warp_;
    }

private:
    void mark_parameter_loads() {
        for (llvm::Instruction& instruction : llvm::instructions(*warp_)) {
            auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
            if (!load || !load->isSimple()) continue;
            if (llvm::getUnderlyingObject(load->getPointerOperand()) != arguments_.argv) continue;
            load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                              llvm::MDNode::get(load->getContext(), {}));
        }
    }

    llvm::Value* special(llvm::IRBuilder<>& builder, const SpecialCall& call,
                         llvm::Instruction& at) {
        using Kind = SpecialCall::Kind;
        if (call.is_warp_operation()) {
            unsupported(*warp_,
                        "threads of one warp wait for each other (a lock or flag that "
                        "every thread takes), which cannot be combined with warp "
                        "operations on the CPU");
        }
        llvm::Value* context = arguments_.context;
        switch (call.kind) {
            case Kind::thread_index:
                return arguments_.thread[call.axis];
            case Kind::block_index:
                return arguments_.block[call.axis];
            case Kind::block_dim:
                return load_block_dim(builder, context, call.axis);
            case Kind::grid_dim:
                return load_grid_dim(builder, context, call.axis);
            case Kind::lane:
                return builder.CreateAnd(arguments_.linear, 31);
            case Kind::warp:
                return builder.CreateLShr(arguments_.linear, 5);
            case Kind::dynamic_shared_bytes:
                return load_dynamic_shared_bytes(builder, context);
            case Kind::lane_context:
                return lane_context();
            case Kind::barrier:
                builder.SetInsertPoint(&at);
                emit_suspend(builder, SuspendKind::barrier);
                return nullptr;
            default:
                return nullptr;
        }
    }

    llvm::Value* lane_context() {
        if (lane_context_) return lane_context_;
        llvm::IRBuilder<> builder(&*warp_->getEntryBlock().getFirstInsertionPt());
        lane_context_ = builder.CreateAlloca(
            llvm::ArrayType::get(builder.getInt64Ty(), sizeof(LaneContext) / 8), nullptr, "thread");
        const auto store = [&](llvm::Value* value, std::size_t offset) {
            builder.CreateStore(value, lane_context_member(builder, lane_context_, offset));
        };
        store(arguments_.context, offsetof(LaneContext, context));
        store(arguments_.shared, offsetof(LaneContext, shared));
        store(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), arguments_.shared,
                                                 shared_.static_bytes()),
              offsetof(LaneContext, dynamic_shared));
        store(arguments_.linear, offsetof(LaneContext, linear_thread));
        for (unsigned axis = 0; axis < 3; ++axis) {
            const std::size_t offset = axis * sizeof(std::uint32_t);
            store(arguments_.thread[axis], offsetof(LaneContext, thread) + offset);
            store(arguments_.block[axis], offsetof(LaneContext, block) + offset);
        }
        return lane_context_;
    }

    const SharedLayout& shared_;
    llvm::Function* warp_;
    WarpArguments arguments_;
    llvm::Value* lane_context_ = nullptr;
};

}  // namespace

llvm::Function* build_scalar_warp(llvm::Function& entry, const SharedLayout& shared,
                                  const std::string& name) {
    return ScalarWarp(entry, shared, name).build();
}

}  // namespace heald::cpu::simt
