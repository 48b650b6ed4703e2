#pragma once

// The skeleton of a block function: the loop over blocks, and loops over the warps of one.

#include "src/jit/cpu/plugin.hpp"
#include "src/jit/cpu/simt/warp_function.hpp"

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <string>
#include <vector>

namespace heald::cpu::simt {

class BlockLoop {
public:
    /// Creates the function (a BlocksFunction) with the target attributes of `like`.
    BlockLoop(const llvm::Function& like, const Variant& variant, const std::string& name);

    /// Emits the loop; `body` emits what is done per block at `builder`.
    void emit(const std::function<void()>& body);

    /// Emits a loop over the warps of the block. `body` gets the warp's arguments and its index.
    using WarpBody = std::function<void(std::vector<llvm::Value*> arguments, llvm::Value* warp)>;
    void for_each_warp(const WarpBody& body);

    /// for (i32 i = 0; i < count; ++i), with at least one iteration.
    void repeat(llvm::Value* count, const std::function<void(llvm::Value*)>& body);

    llvm::BasicBlock* new_block(const char* label);
    llvm::AllocaInst* variable(llvm::Type* type, const char* label);

    llvm::IRBuilder<> builder;
    llvm::Function* function = nullptr;
    llvm::Value* context = nullptr;
    llvm::Value* warps = nullptr;     ///< i32: warps per block
    llvm::BasicBlock* end = nullptr;  ///< leaves the function

private:
    void begin();

    Variant variant_;
    llvm::Value* block_dim_[3] = {};
    llvm::Value* warp_dim_[3] = {};  // warps along x, y, z
    llvm::Value* block_[3] = {};     // index of the running block
};

}  // namespace heald::cpu::simt
