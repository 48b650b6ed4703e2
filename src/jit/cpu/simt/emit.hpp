#pragma once

// Emission of instructions, one function per kind. `mask` holds the lanes that run, never none.

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class AtomicRMWInst;
class CallBase;
class Instruction;
class IntrinsicInst;
class LoadInst;
class StoreInst;
class Value;
}  // namespace llvm

namespace heald::cpu::simt {

class Emission;
struct SpecialCall;

/// Any instruction but phis, terminators and barriers.
void emit_instruction(Emission& emission, llvm::Instruction& instruction, llvm::Value* mask);

/// The instruction on whole vectors, whatever its shape; null if there is no vector form of it.
llvm::Value* widen_instruction(Emission& emission, llvm::Instruction& instruction,
                               llvm::Value* mask);
/// The same for operations on per-lane vectors and aggregates (`<2 x half>`, structures).
llvm::Value* widen_composite(Emission& emission, llvm::Instruction& instruction);

/// The instruction as a scalar one on lane 0's values.
void emit_base(Emission& emission, llvm::Instruction& instruction);

/// The instruction once per active lane, in a loop.
void emit_per_lane(Emission& emission, llvm::Instruction& instruction, llvm::Value* mask);

void emit_load(Emission& emission, llvm::LoadInst& load, llvm::Value* mask);
void emit_store(Emission& emission, llvm::StoreInst& store, llvm::Value* mask);
void emit_atomic(Emission& emission, llvm::AtomicRMWInst& atomic, llvm::Value* mask);
void emit_call(Emission& emission, llvm::CallBase& call, llvm::Value* mask);
void emit_special_call(Emission& emission, llvm::CallBase& call, const SpecialCall& special,
                       llvm::Value* mask);
/// Memory intrinsics (memcpy, memmove, memset) with a small constant length, as vector loads and
/// stores. False if the call is something else.
bool emit_small_copy(Emission& emission, llvm::CallBase& call, llvm::Value* mask);

/// A vector-math call on `arguments`, split to the machine's width; null if there is no variant.
llvm::Value* emit_vector_math(Emission& emission, const llvm::CallBase& call,
                              llvm::ArrayRef<llvm::Value*> arguments);

/// `llvm.fptosi.sat` and `llvm.fptoui.sat` on vectors; null for any other call.
llvm::Value* emit_saturating_conversion(Emission& emission, const llvm::IntrinsicInst& call);

}  // namespace heald::cpu::simt
