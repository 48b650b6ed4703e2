#pragma once

// When a strided value keeps its stride through an extension to more bits.
//
// Strides hold modulo 2^bits. Extending is sound only if the values of the lanes that matter, read
// as integers, form the same progression without wrapping around. Inactive lanes may hold anything,
// lane 0 included, so the wide value of lane 0 is not always the extension of the narrow one: the
// progression is rebuilt from its parts (`build_wide_base`).

#include "src/jit/cpu/simt/shape_analysis.hpp"

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <functional>

namespace heald::cpu::simt {

/// How the wide progression of a narrow strided value is obtained.
enum class Exactness : std::uint8_t {
    none,    ///< may wrap around
    extend,  ///< extend lane 0's value: no lane wraps
    /// Active lanes are known to be non-negative, so the progression is the one that leaves that
    /// range only on lane 0's side: sign-extend lane 0's value if it ascends, zero-extend if not.
    extend_downwards,
    sum,  ///< an addition without wrap: of the wide values of its operands
    difference,
    product,  ///< multiplication by a constant without wrap
    nested,   ///< an extension whose operand is exact
};

/// Of the operand of a zext or sext.
Exactness exactness(const ShapeAnalysis& shapes, const llvm::CastInst& extension,
                    unsigned depth = 0);

/// Emits lane 0's member of the exact progression of `extension`, in type `wide`; `base_of` gives
/// lane 0's value of narrower ones. `exactness` must not be none.
llvm::Value* build_wide_base(const ShapeAnalysis& shapes, llvm::CastInst& extension,
                             llvm::Type* wide, llvm::IRBuilderBase& builder,
                             const std::function<llvm::Value*(llvm::Value*)>& base_of);

}  // namespace heald::cpu::simt
