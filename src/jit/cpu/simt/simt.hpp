#pragma once

// The SIMT vectoriser: turns the scalar entry function of one kernel into a function that runs
// whole blocks, with a warp of `lanes` threads as SIMD values. Everything here throws
// heald::Error(ErrorKind::compile) for what a kernel may not do; the text has the user's line when
// the IR has debug locations.
//
// Order of use, on normalised IR (docs/dev/cpu_compiler.md says what that is):
//   1. annotate_intrinsics(module)        right after the front end, before any simplification
//   2. join_noreturn(entry)               before the pass pipeline that canonicalises control flow
//   3. lower_out_of_line(module, entries) after inlining: functions that stay out of line
//   4. scan(entry)                        what a launch needs to know
//   5. vectorise(entry, variant, isa)     per variant, in a module clone

#include "src/jit/cpu/plugin.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace heald::cpu::simt {

/// Section of a global that stands for a `__shared__` variable. Static ones have an undef
/// initialiser and external linkage; dynamic ones (`extern __shared__`) are declarations.
inline constexpr const char* shared_section = "heald.shared";

/// What launches and `choose_variant` need to know of a kernel.
struct KernelTraits {
    bool has_barrier = false;
    bool uses_warp = false;           ///< shuffles, votes, __syncwarp: `lanes` must be 32
    bool has_unbounded_loop = false;  ///< some loop has no bound that the compiler knows
    bool has_yield_loop = false;      ///< a loop waits for other threads (atomic or volatile exit)
    bool has_lane_yield = false;      ///< threads of one warp may wait for each other: `lanes` = 1
    bool calls_out_of_line = false;   ///< recursion or function pointers: called once per thread
    bool has_dynamic_shared = false;
    bool computes_in_double = false;
    std::size_t static_shared_bytes = 0;
    std::uint64_t work = 0;  ///< work_bound.hpp
};

/// Throws if the kernel needs both `lanes` = 1 and `lanes` = 32.
KernelTraits scan(llvm::Function& entry);

/// What the target machine can do with vectors.
struct VectorIsa {
    unsigned vector_bits = 128;  ///< width of the widest usable register
    bool masked_memory = false;  ///< masked loads and stores in hardware
    bool gather = false;
    bool scatter = false;
    /// Letters of the vector-math ABI ("_ZGV<letter>N…") that the machine runs, widest first.
    /// Empty: every call is a scalar one per lane.
    std::string math_letters;
};

/// `triple` "x86_64-unknown-linux-gnu"; `features` as LLVM writes them: "+avx2,+fma,-avx512f".
VectorIsa vector_isa(const std::string& triple, const std::string& features);

struct Result {
    llvm::Function* blocks = nullptr;  ///< a BlocksFunction (kernel_abi.hpp)
    std::size_t static_shared_bytes = 0;
    std::size_t frame_bytes_per_warp = 0;  ///< arena bytes = this * number of warps of the block
};

/// Builds `name` beside `entry`, a `void(ptr argv)` whose loops are reducible with one latch and
/// one exit block, in LCSSA form, with one return. The entry may be changed by this (constant
/// expressions become instructions); erase it afterwards. Helper functions that it makes are
/// internal and marked for inlining.
Result vectorise(llvm::Function& entry, const Variant& variant, const VectorIsa& isa,
                 const std::string& name = "heald_blocks");

/// Number of vector warps in a block of this shape, as the block function counts them.
std::uint32_t warps_per_block(const Variant& variant, const std::uint32_t block[3]);

/// Gives the declarations of intrinsics.hpp their attributes (pure, convergent, value ranges), so
/// that simplification knows, for example, that threadIdx.x < 1024.
void annotate_intrinsics(llvm::Module& module);

/// A block that ends in a call that never returns (trap, failed assert) is made to continue at the
/// point where the other threads go on, so that it does not count as an exit of the function.
void join_noreturn(llvm::Function& function);

/// Functions that stay out of line (recursive, address taken) run once per active thread. They and
/// all calls of them get one more parameter in front, `ptr lane`, from which thread and block
/// coordinates come; the lane pointer starts at `__heald_lane_context()` in entries. The functions
/// do not depend on kernel or variant: emit them once per unit, beside the module's globals, so
/// that function pointers and vtables mean the same everywhere. Throws, naming the function, if one
/// has a barrier or a warp operation. Calls through pointers are taken for calls of such functions.
void lower_out_of_line(llvm::Module& module, const std::vector<llvm::Function*>& entries);

}  // namespace heald::cpu::simt
