#pragma once

// Shapes of all values of a kernel's entry function: an optimistic fixed point.

#include "src/jit/cpu/plugin.hpp"
#include "src/jit/cpu/simt/divergence.hpp"
#include "src/jit/cpu/simt/shape.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

namespace heald::cpu::simt {

class ShapeAnalysis {
public:
    ShapeAnalysis(llvm::Function& function, const Variant& variant, const llvm::LoopInfo& loops,
                  const llvm::PostDominatorTree& post_dominators);

    Shape shape(const llvm::Value* value) const;
    const Divergence& divergence() const { return divergence_; }
    unsigned lanes() const { return variant_.lanes; }

private:
    void run();
    bool update(llvm::Instruction& instruction);
    Shape phi(const llvm::PHINode& phi) const;
    Shape compute(const llvm::Instruction& instruction) const;  // shape_rules.cpp
    Shape call(const llvm::CallBase& call) const;
    Shape binary(const llvm::BinaryOperator& operation) const;
    Shape cast(const llvm::CastInst& cast) const;
    Shape extension(const llvm::CastInst& cast) const;
    Shape address(const llvm::GetElementPtrInst& address) const;
    Shape comparison(const llvm::ICmpInst& compare) const;
    Shape select(const llvm::SelectInst& select) const;
    bool all_uniform(const llvm::Instruction& instruction) const;

    llvm::Function& function_;
    Variant variant_;
    const llvm::LoopInfo& loops_;
    Divergence divergence_;
    llvm::DenseMap<const llvm::Value*, Shape> shapes_;
};

/// Bits of an integer or pointer, else 0.
unsigned integer_bits(const llvm::Type* type);

}  // namespace heald::cpu::simt
