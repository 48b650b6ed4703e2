#pragma once

// The math functions that have vector variants, one row each.

#include <llvm/IR/Intrinsics.h>

namespace llvm {
class CallBase;
}

namespace heald::cpu::simt {

/// A function of libm that libmvec (glibc 2.36) also has in vector form, in float and double.
struct MathFunction {
    const char* name;               ///< of the double function; the float one adds an f
    llvm::Intrinsic::ID intrinsic;  ///< not_intrinsic where LLVM has none
    unsigned arity;
};

/// The row of a call of the intrinsic, or of the libm function by name, on scalar float or double.
/// Null for any other call.
const MathFunction* find_math_function(const llvm::CallBase& call);

}  // namespace heald::cpu::simt
