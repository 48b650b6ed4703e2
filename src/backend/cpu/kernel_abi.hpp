#pragma once

// What compiled CPU kernels and the runtime that launches them agree on. The compiler reads these
// structures by byte offset (src/jit/cpu/abi_layout.hpp asserts them), so a change here is a change
// of `kernel_abi_version`, which is part of every cache key.

#include <cstddef>
#include <cstdint>

namespace heald::cpu {

inline constexpr std::uint32_t kernel_abi_version = 1;

/// The widest warp frame alignment and the alignment of shared memory, in bytes.
inline constexpr std::size_t arena_alignment = 256;

/// The largest block, and the largest shared memory of one block in bytes (as on the H200).
inline constexpr std::uint32_t max_block_threads = 1024;
inline constexpr std::size_t max_shared_bytes = 227 * 1024;

/// State of one worker while it runs blocks of one launch.
struct BlockContext {
    std::uint32_t grid[3];               ///< gridDim
    std::uint32_t block[3];              ///< blockDim
    std::uint32_t dynamic_shared_bytes;  ///< asked for by the launch
    std::uint32_t reserved;
    const std::uint32_t* cancel;  ///< non-zero: loops without a bound return
    std::byte* frames;            ///< `arena_alignment`-aligned; KernelRecord says how much
    std::uint64_t current_block;  ///< linear index, stored by the code at each block's start
    void* runtime;                ///< the runtime's own
};

/// Runs blocks [first, last) of the grid in linear order (x fastest). `argv[i]` points to the value
/// of parameter i. `shared` has static + dynamic shared bytes. Returns early if cancelled.
using BlocksFunction = void (*)(void* const* argv, BlockContext* context, std::byte* shared,
                                std::uint64_t first, std::uint64_t last);

/// The name under which a kernel object defines its BlocksFunction.
inline constexpr const char* blocks_symbol = "heald_blocks";

// Functions of the runtime that compiled code calls, by these symbol names (loader.cpp has the
// table; libm and libmvec functions are the other names that it resolves):
//   int  printf(const char* format, ...)                 one call per active lane, no stdio lock
//   void __heald_assert_fail(const char* expression, const char* file, unsigned line,
//                            const char* function, unsigned tx, unsigned ty, unsigned tz) noreturn
//   void __heald_trap(unsigned tx, unsigned ty, unsigned tz)                              noreturn
//   void __heald_relax()          another worker must make progress: yields the processor
//   void* malloc(size_t), void free(void*)                 device heap
// The noreturn ones leave the kernel by a jump; no compiled frame needs unwinding.

}  // namespace heald::cpu
