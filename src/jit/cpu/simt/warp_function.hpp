#pragma once

// The warp function: what one vector warp of a block runs.

#include <array>
#include <string>

namespace llvm {
class Function;
class IRBuilderBase;
class LoadInst;
class Module;
class Type;
class Value;
}  // namespace llvm

namespace heald::cpu::simt {

/// Its parameters. `thread` is the index of lane 0, `linear` its linear index in the block.
struct WarpArguments {
    llvm::Value* argv = nullptr;
    llvm::Value* context = nullptr;  ///< BlockContext*
    llvm::Value* shared = nullptr;
    std::array<llvm::Value*, 3> block{};
    std::array<llvm::Value*, 3> thread{};
    llvm::Value* linear = nullptr;

    static constexpr unsigned count = 10;
};

/// An empty, internal `void(ptr argv, ptr context, ptr shared, i32 × 3, i32 × 3, i32)` with the
/// target attributes of `entry`.
llvm::Function* create_warp_function(llvm::Function& entry, const std::string& name);
WarpArguments warp_arguments(llvm::Function& warp);

/// Gives a warp function its attributes, and no others.
void set_warp_attributes(const llvm::Function& entry, llvm::Function& warp);

/// Copies the attributes that choose a target ("target-cpu", …), and that null may be accessed.
void copy_target_attributes(const llvm::Function& from, llvm::Function& to);

/// A field of the BlockContext that does not change while blocks run.
llvm::LoadInst* load_context(llvm::IRBuilderBase& builder, llvm::Value* context, llvm::Type* type,
                             std::size_t offset);
llvm::Value* load_grid_dim(llvm::IRBuilderBase& builder, llvm::Value* context, unsigned axis);
llvm::Value* load_block_dim(llvm::IRBuilderBase& builder, llvm::Value* context, unsigned axis);
llvm::Value* load_dynamic_shared_bytes(llvm::IRBuilderBase& builder, llvm::Value* context);

/// i1: the launch was cancelled.
llvm::Value* load_cancelled(llvm::IRBuilderBase& builder, llvm::Value* context);

}  // namespace heald::cpu::simt
