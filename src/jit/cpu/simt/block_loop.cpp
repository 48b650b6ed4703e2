#include "src/jit/cpu/simt/block_loop.hpp"

#include "src/backend/cpu/kernel_abi.hpp"

#include <llvm/IR/Module.h>

#include <cstddef>

namespace heald::cpu::simt {

BlockLoop::BlockLoop(const llvm::Function& like, const Variant& variant, const std::string& name)
    : builder(like.getContext()), variant_(variant) {
    llvm::Type* pointer = builder.getPtrTy();
    llvm::Type* index = builder.getInt64Ty();
    auto* type = llvm::FunctionType::get(builder.getVoidTy(),
                                         {pointer, pointer, pointer, index, index}, false);
    function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name,
                                      const_cast<llvm::Module*>(like.getParent()));
    copy_target_attributes(like, *function);
    function->setDoesNotThrow();
    function->addParamAttr(1, llvm::Attribute::NoAlias);
    function->addParamAttr(2, llvm::Attribute::NoAlias);
    context = function->getArg(1);
    begin();
}

llvm::BasicBlock* BlockLoop::new_block(const char* label) {
    return llvm::BasicBlock::Create(function->getContext(), label, function);
}

llvm::AllocaInst* BlockLoop::variable(llvm::Type* type, const char* label) {
    llvm::BasicBlock& entry = function->getEntryBlock();
    llvm::IRBuilder<> at_start(&entry, entry.begin());
    return at_start.CreateAlloca(type, nullptr, label);
}

void BlockLoop::begin() {
    builder.SetInsertPoint(new_block("entry"));
    end = new_block("end");
    for (unsigned axis = 0; axis < 3; ++axis) {
        block_dim_[axis] = load_block_dim(builder, context, axis);
    }
    const auto rounded_up = [&](llvm::Value* threads) {
        return builder.CreateUDiv(builder.CreateAdd(threads, builder.getInt32(variant_.lanes - 1)),
                                  builder.getInt32(variant_.lanes));
    };
    if (variant_.contiguous) {
        warp_dim_[0] = rounded_up(block_dim_[0]);
        warp_dim_[1] = block_dim_[1];
        warp_dim_[2] = block_dim_[2];
    } else {
        warp_dim_[0] = rounded_up(
            builder.CreateMul(block_dim_[0], builder.CreateMul(block_dim_[1], block_dim_[2])));
        warp_dim_[1] = warp_dim_[2] = builder.getInt32(1);
    }
    warps = builder.CreateMul(warp_dim_[0], builder.CreateMul(warp_dim_[1], warp_dim_[2]));
}

void BlockLoop::repeat(llvm::Value* count, const std::function<void(llvm::Value*)>& body) {
    llvm::BasicBlock* before = builder.GetInsertBlock();
    llvm::BasicBlock* loop = new_block("loop");
    llvm::BasicBlock* after = new_block("loop.end");
    builder.CreateBr(loop);
    builder.SetInsertPoint(loop);
    llvm::PHINode* index = builder.CreatePHI(builder.getInt32Ty(), 2);
    index->addIncoming(builder.getInt32(0), before);
    body(index);
    llvm::Value* next = builder.CreateAdd(index, builder.getInt32(1), "", true, true);
    index->addIncoming(next, builder.GetInsertBlock());
    builder.CreateCondBr(builder.CreateICmpULT(next, count), loop, after);
    builder.SetInsertPoint(after);
}

void BlockLoop::for_each_warp(const WarpBody& body) {
    repeat(warp_dim_[2], [&](llvm::Value* z) {
        repeat(warp_dim_[1], [&](llvm::Value* y) {
            repeat(warp_dim_[0], [&](llvm::Value* x) {
                llvm::Value* row = builder.CreateAdd(y, builder.CreateMul(z, block_dim_[1]));
                llvm::Value* first = builder.CreateMul(x, builder.getInt32(variant_.lanes));
                llvm::Value* linear = first;
                llvm::Value* warp = x;
                if (variant_.contiguous) {
                    linear = builder.CreateAdd(first, builder.CreateMul(block_dim_[0], row));
                    warp = builder.CreateAdd(x, builder.CreateMul(warp_dim_[0], row));
                }
                body({function->getArg(0), context, function->getArg(2), block_[0], block_[1],
                      block_[2], first, y, z, linear},
                     warp);
            });
        });
    });
}

void BlockLoop::emit(const std::function<void()>& body) {
    llvm::Value* first = function->getArg(3);
    llvm::Value* last = function->getArg(4);
    llvm::Value* grid_x = load_grid_dim(builder, context, 0);
    llvm::Value* grid_y = load_grid_dim(builder, context, 1);
    llvm::Type* index = builder.getInt32Ty();
    llvm::Value* wide_x = builder.CreateZExt(grid_x, builder.getInt64Ty());
    llvm::Value* wide_y = builder.CreateZExt(grid_y, builder.getInt64Ty());
    llvm::Value* row = builder.CreateUDiv(first, wide_x);
    llvm::Value* starts[3] = {
        builder.CreateTrunc(builder.CreateURem(first, wide_x), index),
        builder.CreateTrunc(builder.CreateURem(row, wide_y), index),
        builder.CreateTrunc(builder.CreateUDiv(row, wide_y), index),
    };
    llvm::BasicBlock* entry = builder.GetInsertBlock();
    llvm::BasicBlock* loop = new_block("block");
    llvm::BasicBlock* run = new_block("block.run");
    builder.CreateBr(loop);
    builder.SetInsertPoint(loop);
    llvm::PHINode* linear = builder.CreatePHI(builder.getInt64Ty(), 2, "block");
    linear->addIncoming(first, entry);
    llvm::PHINode* block[3];
    for (unsigned axis = 0; axis < 3; ++axis) {
        block[axis] = builder.CreatePHI(index, 2);
        block[axis]->addIncoming(starts[axis], entry);
        block_[axis] = block[axis];
    }
    builder.CreateCondBr(load_cancelled(builder, context), end, run);
    builder.SetInsertPoint(run);
    // Volatile: read by signal handlers, so it may be neither dropped nor moved.
    builder.CreateAlignedStore(
        linear,
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), context,
                                           offsetof(BlockContext, current_block)),
        llvm::Align(8), true);
    body();

    llvm::Value* next = builder.CreateAdd(linear, builder.getInt64(1));
    llvm::Value* x = builder.CreateAdd(block[0], builder.getInt32(1));
    llvm::Value* wraps_x = builder.CreateICmpEQ(x, grid_x);
    llvm::Value* y = builder.CreateAdd(block[1], builder.CreateZExt(wraps_x, index));
    llvm::Value* wraps_y = builder.CreateICmpEQ(y, grid_y);
    llvm::BasicBlock* from = builder.GetInsertBlock();
    linear->addIncoming(next, from);
    block[0]->addIncoming(builder.CreateSelect(wraps_x, builder.getInt32(0), x), from);
    block[1]->addIncoming(builder.CreateSelect(wraps_y, builder.getInt32(0), y), from);
    block[2]->addIncoming(builder.CreateAdd(block[2], builder.CreateZExt(wraps_y, index)), from);
    builder.CreateCondBr(builder.CreateICmpULT(next, last), loop, end);
    builder.SetInsertPoint(end);
    builder.CreateRetVoid();
}

}  // namespace heald::cpu::simt
