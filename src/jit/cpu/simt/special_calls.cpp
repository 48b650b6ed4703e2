#include "src/jit/cpu/simt/special_calls.hpp"

#include "src/jit/cpu/intrinsics.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

#include <array>

namespace heald::cpu::simt {
namespace {

using Kind = SpecialCall::Kind;

struct Named {
    const char* name;
    Kind kind;
};

constexpr std::array coordinates = {
    Named{intrinsics::thread_index, Kind::thread_index},
    Named{intrinsics::block_index, Kind::block_index},
    Named{intrinsics::block_dim, Kind::block_dim},
    Named{intrinsics::grid_dim, Kind::grid_dim},
};

constexpr std::array calls = {
    Named{intrinsics::lane, Kind::lane},
    Named{intrinsics::warp, Kind::warp},
    Named{intrinsics::dynamic_shared_bytes, Kind::dynamic_shared_bytes},
    Named{intrinsics::barrier, Kind::barrier},
    Named{intrinsics::sync_warp, Kind::sync_warp},
    Named{intrinsics::shuffle, Kind::shuffle},
    Named{intrinsics::ballot, Kind::ballot},
    Named{intrinsics::active_mask, Kind::active_mask},
    Named{intrinsics::relax, Kind::relax},
    Named{lane_context_name, Kind::lane_context},
};

}  // namespace

bool SpecialCall::is_warp_operation() const {
    return kind == Kind::sync_warp || kind == Kind::shuffle || kind == Kind::ballot ||
           kind == Kind::active_mask;
}

SpecialCall special_call(const llvm::Function& function) {
    const llvm::StringRef name = function.getName();
    if (!name.starts_with("__heald_")) return {};
    for (const Named& call : calls) {
        if (name == call.name) return {call.kind, 0};
    }
    for (const Named& coordinate : coordinates) {
        const llvm::StringRef prefix = coordinate.name;
        if (name.size() != prefix.size() + 1 || !name.starts_with(prefix)) continue;
        const char axis = name.back();
        if (axis >= 'x' && axis <= 'z') {
            return {coordinate.kind, static_cast<unsigned>(axis - 'x')};
        }
    }
    return {};
}

SpecialCall special_call(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* function = call ? call->getCalledFunction() : nullptr;
    return function ? special_call(*function) : SpecialCall{};
}

}  // namespace heald::cpu::simt
