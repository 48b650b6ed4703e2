#pragma once

// Loops over the active lanes, and access to one lane of a vector at a time.

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <vector>

namespace heald::cpu::simt {

class Emission;

/// Emits a loop over the set bits of `mask`; `body` gets the lane as i64. The mask is not empty.
void for_each_lane(Emission& emission, llvm::Value* mask,
                   const std::function<void(llvm::Value* lane)>& body);

/// A widened value in memory, one lane of which can be read or written at an index known only at
/// run time.
class LaneMemory {
public:
    /// Room for a value of scalar type `type`.
    LaneMemory(Emission& emission, llvm::Type* type);
    /// Holds `value`, uniform or not; a uniform one is not stored.
    static LaneMemory holding(Emission& emission, llvm::Value* value);

    llvm::Value* load_lane(llvm::Value* lane) const;
    void store_lane(llvm::Value* lane, llvm::Value* value) const;
    llvm::Value* load_all() const;

private:
    LaneMemory() = default;
    void store_all(llvm::Value* widened) const;
    llvm::Value* lane_address(llvm::Value* lane) const;

    Emission* emission_ = nullptr;
    llvm::Type* type_ = nullptr;
    llvm::Value* uniform_ = nullptr;
    llvm::AllocaInst* slot_ = nullptr;  // of a vector of bytes-sized elements
    std::vector<LaneMemory> members_;   // of an aggregate
};

}  // namespace heald::cpu::simt
