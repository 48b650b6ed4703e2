#pragma once

// What a function that stays out of line gets to know about the thread that calls it.

#include <cstddef>
#include <cstdint>

namespace heald::cpu {
struct BlockContext;
}
namespace llvm {
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace heald::cpu::simt {

class Emission;

/// Compiled code reads and writes this by byte offset.
struct LaneContext {
    const BlockContext* context;
    std::byte* shared;          ///< shared memory of the block
    std::byte* dynamic_shared;  ///< its dynamic part
    std::uint32_t thread[3];
    std::uint32_t block[3];
    std::uint32_t linear_thread;  ///< linear index of the thread in its block
    std::uint32_t reserved;
};

/// Stores everything that is the same for all lanes.
void store_block_coordinates(Emission& emission, llvm::Value* lane_context);

/// Stores what differs between lanes.
class LaneCoordinates {
public:
    explicit LaneCoordinates(Emission& emission);
    void store(llvm::Value* lane_context, llvm::Value* lane) const;

private:
    llvm::Value* of_lane(llvm::Value* scalar_or_slot, bool is_slot, llvm::Value* lane) const;

    Emission& emission_;
    llvm::Value* linear_ = nullptr;  // slots of <W x i32>, or scalars of all lanes
    llvm::Value* thread_[3] = {};
    bool is_slot_[3] = {};
};

/// Address of a member of the LaneContext.
llvm::Value* lane_context_member(llvm::IRBuilderBase& builder, llvm::Value* lane_context,
                                 std::size_t offset);

}  // namespace heald::cpu::simt
