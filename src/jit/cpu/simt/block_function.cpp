#include "src/jit/cpu/simt/block_function.hpp"

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/jit/cpu/intrinsics.hpp"
#include "src/jit/cpu/simt/block_loop.hpp"

#include <llvm/IR/Module.h>

namespace heald::cpu::simt {
namespace {

constexpr std::size_t state_bytes = sizeof(std::uint32_t);

// The machine over the states of a block's warps.
class BlockMachine {
public:
    BlockMachine(const StepFunction& step, const Variant& variant, const std::string& name)
        : step_(step),
          loop_(*step.function, variant, name),
          builder_(loop_.builder),
          state_type_(builder_.getInt32Ty()),
          lowest_(loop_.variable(state_type_, "lowest")),
          highest_(loop_.variable(state_type_, "highest")) {
        frames_ = load_context(builder_, loop_.context, builder_.getPtrTy(),
                               offsetof(BlockContext, frames));
        llvm::Value* frame_bytes =
            builder_.CreateMul(builder_.CreateZExt(loop_.warps, builder_.getInt64Ty()),
                               builder_.getInt64(step.frame_bytes));
        states_ = builder_.CreateGEP(builder_.getInt8Ty(), frames_, frame_bytes, "states");
    }

    llvm::Function* build() {
        loop_.emit([&] { run_block(); });
        return loop_.function;
    }

private:
    llvm::ConstantInt* constant(unsigned state) { return builder_.getInt32(state); }

    void run_block() {
        dispatch_ = loop_.new_block("dispatch");
        irregular_ = loop_.new_block("irregular");
        block_end_ = loop_.new_block("block.end");
        llvm::BasicBlock* from = builder_.GetInsertBlock();
        builder_.CreateBr(dispatch_);
        builder_.SetInsertPoint(dispatch_);
        state_ = builder_.CreatePHI(state_type_, step_.barriers + 2, "state");
        state_->addIncoming(constant(0), from);
        llvm::SwitchInst* choice = builder_.CreateSwitch(state_, irregular_, step_.barriers + 2);
        choice->addCase(constant(step_.done()), block_end_);
        for (unsigned state = 0; state <= step_.barriers; ++state) {
            llvm::BasicBlock* region = loop_.new_block("region");
            choice->addCase(constant(state), region);
            builder_.SetInsertPoint(region);
            run_region(state);
        }
        builder_.SetInsertPoint(irregular_);
        run_irregular();
        builder_.SetInsertPoint(block_end_);
    }

    void reset_range() {
        builder_.CreateStore(llvm::Constant::getAllOnesValue(state_type_), lowest_);
        builder_.CreateStore(constant(0), highest_);
    }
    void widen_range(llvm::Value* state) {
        builder_.CreateStore(
            builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                           builder_.CreateLoad(state_type_, lowest_), state),
            lowest_);
        builder_.CreateStore(
            builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umax,
                                           builder_.CreateLoad(state_type_, highest_), state),
            highest_);
    }
    // All warps in one state: dispatch on it, else continue with a state per warp.
    void go_on() {
        llvm::Value* lowest = builder_.CreateLoad(state_type_, lowest_);
        llvm::Value* highest = builder_.CreateLoad(state_type_, highest_);
        state_->addIncoming(lowest, builder_.GetInsertBlock());
        builder_.CreateCondBr(builder_.CreateICmpEQ(lowest, highest), dispatch_, irregular_);
    }

    llvm::Value* state_address(llvm::Value* warp) {
        return builder_.CreateGEP(state_type_, states_,
                                  builder_.CreateZExt(warp, builder_.getInt64Ty()));
    }

    llvm::CallInst* call_step(std::vector<llvm::Value*> arguments, llvm::Value* warp,
                              llvm::Value* state) {
        llvm::Value* offset = builder_.CreateMul(builder_.CreateZExt(warp, builder_.getInt64Ty()),
                                                 builder_.getInt64(step_.frame_bytes));
        arguments.push_back(builder_.CreateGEP(builder_.getInt8Ty(), frames_, offset));
        arguments.push_back(state);
        return builder_.CreateCall(step_.function, arguments);
    }

    void run_region(unsigned state) {
        reset_range();
        loop_.for_each_warp([&](std::vector<llvm::Value*> arguments, llvm::Value* warp) {
            llvm::CallInst* next = call_step(std::move(arguments), warp, constant(state));
            next->addFnAttr(llvm::Attribute::AlwaysInline);
            builder_.CreateStore(next, state_address(warp));
            widen_range(next);
        });
        go_on();
    }

    llvm::Value* is_yield(llvm::Value* state) {
        return builder_.CreateICmpULT(builder_.CreateSub(state, constant(step_.barriers + 1)),
                                      constant(step_.yields));
    }

    // Warps that yielded run until they wait at a barrier or end; only then is the barrier open.
    void run_irregular() {
        llvm::Value* yielding = nullptr;
        if (step_.yields != 0) {
            llvm::AllocaInst* any = loop_.variable(builder_.getInt1Ty(), "yielding");
            builder_.CreateStore(builder_.getFalse(), any);
            loop_.repeat(loop_.warps, [&](llvm::Value* warp) {
                llvm::Value* state = builder_.CreateLoad(state_type_, state_address(warp));
                llvm::Value* so_far = builder_.CreateLoad(builder_.getInt1Ty(), any);
                builder_.CreateStore(builder_.CreateOr(so_far, is_yield(state)), any);
            });
            yielding = builder_.CreateLoad(builder_.getInt1Ty(), any);
        }
        reset_range();
        loop_.for_each_warp([&](std::vector<llvm::Value*> arguments, llvm::Value* warp) {
            run_one(std::move(arguments), warp, yielding);
        });
        if (yielding) let_others_run(yielding);
        go_on();
    }

    void run_one(std::vector<llvm::Value*> arguments, llvm::Value* warp, llvm::Value* yielding) {
        llvm::Value* address = state_address(warp);
        llvm::Value* state = builder_.CreateLoad(state_type_, address);
        llvm::Value* runs = builder_.CreateICmpNE(state, constant(step_.done()));
        if (yielding) {
            runs = builder_.CreateAnd(
                runs, builder_.CreateOr(builder_.CreateNot(yielding), is_yield(state)));
        }
        llvm::BasicBlock* before = builder_.GetInsertBlock();
        llvm::BasicBlock* run = loop_.new_block("run");
        llvm::BasicBlock* after = loop_.new_block("ran");
        builder_.CreateCondBr(runs, run, after);
        builder_.SetInsertPoint(run);
        llvm::CallInst* next = call_step(std::move(arguments), warp, state);
        next->addFnAttr(llvm::Attribute::NoInline);
        builder_.CreateStore(next, address);
        builder_.CreateBr(after);
        builder_.SetInsertPoint(after);
        llvm::PHINode* now = builder_.CreatePHI(state_type_, 2);
        now->addIncoming(state, before);
        now->addIncoming(next, run);
        widen_range(now);
    }

    // What the warps wait for may come from another worker's block, or never.
    void let_others_run(llvm::Value* yielding) {
        llvm::BasicBlock* relax = loop_.new_block("relax");
        llvm::BasicBlock* after = loop_.new_block("relaxed");
        builder_.CreateCondBr(yielding, relax, after);
        builder_.SetInsertPoint(relax);
        llvm::Module& module = *loop_.function->getParent();
        builder_.CreateCall(module.getOrInsertFunction(
            intrinsics::relax, llvm::FunctionType::get(builder_.getVoidTy(), false)));
        builder_.CreateCondBr(load_cancelled(builder_, loop_.context), loop_.end, after);
        builder_.SetInsertPoint(after);
    }

    const StepFunction& step_;
    BlockLoop loop_;
    llvm::IRBuilder<>& builder_;
    llvm::Type* state_type_;
    llvm::AllocaInst* lowest_;
    llvm::AllocaInst* highest_;
    llvm::Value* frames_ = nullptr;
    llvm::Value* states_ = nullptr;
    llvm::BasicBlock* dispatch_ = nullptr;
    llvm::BasicBlock* irregular_ = nullptr;
    llvm::BasicBlock* block_end_ = nullptr;
    llvm::PHINode* state_ = nullptr;
};

}  // namespace

llvm::Function* build_block_function(llvm::Function& warp, const Variant& variant,
                                     const std::string& name) {
    BlockLoop loop(warp, variant, name);
    loop.emit([&] {
        loop.for_each_warp([&](const std::vector<llvm::Value*>& arguments, llvm::Value*) {
            loop.builder.CreateCall(&warp, arguments);
        });
    });
    return loop.function;
}

llvm::Function* build_block_function(const StepFunction& step, const Variant& variant,
                                     const std::string& name) {
    return BlockMachine(step, variant, name).build();
}

std::size_t arena_bytes_per_warp(const StepFunction& step) {
    return step.frame_bytes + state_bytes;
}

std::uint32_t warps_per_block(const Variant& variant, const std::uint32_t block[3]) {
    const auto rounded_up = [&](std::uint32_t threads) {
        return (threads + variant.lanes - 1) / variant.lanes;
    };
    if (variant.contiguous) return rounded_up(block[0]) * block[1] * block[2];
    return rounded_up(block[0] * block[1] * block[2]);
}

}  // namespace heald::cpu::simt
