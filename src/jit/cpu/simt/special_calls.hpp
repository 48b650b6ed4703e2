#pragma once

// Recognises the calls that the passes give meaning to (intrinsics.hpp).

#include <cstdint>

namespace llvm {
class CallBase;
class Function;
class Instruction;
}  // namespace llvm

namespace heald::cpu::simt {

struct SpecialCall {
    enum class Kind : std::uint8_t {
        none,
        thread_index,
        block_index,
        block_dim,
        grid_dim,
        lane,
        warp,
        dynamic_shared_bytes,
        lane_context,
        barrier,
        sync_warp,
        shuffle,
        ballot,
        active_mask,
        relax,
    };

    Kind kind = Kind::none;
    unsigned axis = 0;  ///< 0 x, 1 y, 2 z for coordinates

    /// Needs all 32 lanes of a warp at once.
    bool is_warp_operation() const;
};

SpecialCall special_call(const llvm::Function& function);
/// `none` for instructions that are not calls.
SpecialCall special_call(const llvm::Instruction& instruction);

/// The pointer to the running thread's LaneContext: ptr f(void).
inline constexpr const char* lane_context_name = "__heald_lane_context";

}  // namespace heald::cpu::simt
