#include "src/jit/cpu/simt/math_table.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

#include <algorithm>
#include <array>

namespace heald::cpu::simt {
namespace {

namespace id = llvm::Intrinsic;

constexpr std::array functions = {
    MathFunction{"sin", id::sin, 1},
    MathFunction{"cos", id::cos, 1},
    MathFunction{"tan", id::tan, 1},
    MathFunction{"exp", id::exp, 1},
    MathFunction{"exp2", id::exp2, 1},
    MathFunction{"exp10", id::exp10, 1},
    MathFunction{"log", id::log, 1},
    MathFunction{"log2", id::log2, 1},
    MathFunction{"log10", id::log10, 1},
    MathFunction{"log1p", id::not_intrinsic, 1},
    MathFunction{"expm1", id::not_intrinsic, 1},
    MathFunction{"pow", id::pow, 2},
    MathFunction{"sinh", id::sinh, 1},
    MathFunction{"cosh", id::cosh, 1},
    MathFunction{"tanh", id::tanh, 1},
    MathFunction{"asin", id::asin, 1},
    MathFunction{"acos", id::acos, 1},
    MathFunction{"atan", id::atan, 1},
    MathFunction{"atan2", id::not_intrinsic, 2},
    MathFunction{"asinh", id::not_intrinsic, 1},
    MathFunction{"acosh", id::not_intrinsic, 1},
    MathFunction{"atanh", id::not_intrinsic, 1},
    MathFunction{"cbrt", id::not_intrinsic, 1},
    MathFunction{"erf", id::not_intrinsic, 1},
    MathFunction{"erfc", id::not_intrinsic, 1},
    MathFunction{"hypot", id::not_intrinsic, 2},
};

bool matches_types(const llvm::CallBase& call, unsigned arity) {
    const llvm::Type* type = call.getType();
    if (!type->isFloatTy() && !type->isDoubleTy()) return false;
    return call.arg_size() == arity &&
           std::all_of(call.arg_begin(), call.arg_end(),
                       [&](const llvm::Use& argument) { return argument->getType() == type; });
}

}  // namespace

const MathFunction* find_math_function(const llvm::CallBase& call) {
    const llvm::Function* function = call.getCalledFunction();
    if (!function || !function->isDeclaration()) return nullptr;
    if (const id::ID intrinsic = function->getIntrinsicID(); intrinsic != id::not_intrinsic) {
        for (const MathFunction& row : functions) {
            if (row.intrinsic == intrinsic && matches_types(call, row.arity)) return &row;
        }
        return nullptr;
    }
    llvm::StringRef name = function->getName();
    if (call.getType()->isFloatTy() && !name.consume_back("f")) return nullptr;
    for (const MathFunction& row : functions) {
        if (name == row.name && matches_types(call, row.arity)) return &row;
    }
    return nullptr;
}

}  // namespace heald::cpu::simt
