#pragma once

// The state of turning one entry function into a warp function, and access to values: as the scalar
// of lane 0, or as a vector over all lanes.
//
// A per-lane value of type T becomes <W x T>; of <n x S>, <W*n x S> (lane after lane); of a
// structure or array, the same with every member widened.

#include "src/jit/cpu/simt/shape_analysis.hpp"
#include "src/jit/cpu/simt/shared_layout.hpp"
#include "src/jit/cpu/simt/simt.hpp"
#include "src/jit/cpu/simt/warp_function.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>

namespace heald::cpu::simt {

class Emission {
public:
    Emission(llvm::Function& entry, const Variant& variant, const VectorIsa& isa,
             const ShapeAnalysis& shapes, const SharedLayout& shared, llvm::Function& warp);

    llvm::Function& entry;
    const Variant& variant;
    const VectorIsa& isa;
    const ShapeAnalysis& shapes;
    const SharedLayout& shared;
    llvm::Function& warp;
    const WarpArguments arguments;
    const unsigned lanes;
    llvm::IRBuilder<> builder;

    llvm::Module& module() const { return *entry.getParent(); }
    const llvm::DataLayout& layout() const;
    Shape shape(const llvm::Value* value) const { return shapes.shape(value); }

    /// Sets what `value` became: a scalar if its shape has a base, else a vector.
    void define(const llvm::Value* value, llvm::Value* emitted) { values_[value] = emitted; }
    /// Lane 0's value, of a value whose shape has a base.
    llvm::Value* base(llvm::Value* value);
    /// All lanes' values.
    llvm::Value* vector(llvm::Value* value);

    /// i1: whether a guarded value really is strided. Null for others.
    llvm::Value* guard(const llvm::Value* value) const { return guards_.lookup(value); }
    void set_guard(const llvm::Value* value, llvm::Value* guard) { guards_[value] = guard; }

    llvm::Type* widen(llvm::Type* type) const;
    llvm::Value* splat(llvm::Value* scalar);
    /// <0, stride, 2 * stride, …>
    llvm::Constant* progression(llvm::Type* type, std::int64_t stride) const;

    // Masks: <W x i1>, the lanes that run.
    llvm::VectorType* mask_type() const { return mask_type_; }
    llvm::Constant* all_lanes() const { return all_lanes_; }
    bool is_all(const llvm::Value* mask) const { return mask == all_lanes_; }
    llvm::Value* any(llvm::Value* mask) { return builder.CreateOrReduce(mask); }
    /// The mask as an integer of W bits.
    llvm::Value* mask_bits(llvm::Value* mask);
    /// The mask with every lane repeated `count` times.
    llvm::Value* repeat_lanes(llvm::Value* mask, unsigned count);

    /// `yes` in the lanes of `mask`, `no` in the others; both are widened values of `type`.
    llvm::Value* select_lanes(llvm::Value* mask, llvm::Value* yes, llvm::Value* no,
                              llvm::Type* type);

    /// A stack slot in the warp function's entry block.
    llvm::AllocaInst* slot(llvm::Type* type, const llvm::Twine& name = "");
    llvm::BasicBlock* new_block(const llvm::Twine& name);

    /// Values that the entry block of the warp function computes.
    llvm::Value* thread_index(unsigned axis) const { return thread_index_[axis]; }
    llvm::Value* block_dim(unsigned axis) const { return block_dim_[axis]; }
    llvm::Value* grid_dim(unsigned axis) const { return grid_dim_[axis]; }
    /// Linear index of each lane's thread.
    llvm::Value* linear_index() const { return linear_index_; }
    /// The lanes that are threads of the block.
    llvm::Value* entry_mask() const { return entry_mask_; }

private:
    void begin();

    llvm::DenseMap<const llvm::Value*, llvm::Value*> values_;
    llvm::DenseMap<const llvm::Value*, llvm::Value*> guards_;
    llvm::VectorType* mask_type_;
    llvm::Constant* all_lanes_;
    llvm::Value* thread_index_[3] = {};
    llvm::Value* block_dim_[3] = {};
    llvm::Value* grid_dim_[3] = {};
    llvm::Value* linear_index_ = nullptr;
    llvm::Value* entry_mask_ = nullptr;
};

}  // namespace heald::cpu::simt
