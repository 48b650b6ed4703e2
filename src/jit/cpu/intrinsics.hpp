#pragma once

// The functions that the device headers (src/device) declare and the SIMT passes give meaning to.
// All are `extern "C" __device__`. Anything else that a kernel calls and that has no body is called
// once per active lane.

namespace heald::cpu::intrinsics {

// unsigned f(void), const: coordinates. Suffix _x, _y or _z.
inline constexpr const char* thread_index = "__heald_tid_";
inline constexpr const char* block_index = "__heald_bid_";
inline constexpr const char* block_dim = "__heald_bdim_";
inline constexpr const char* grid_dim = "__heald_gdim_";

// unsigned f(void), const: lane in the warp of 32 and index of that warp in the block, by the
// linear thread index.
inline constexpr const char* lane = "__heald_lane";
inline constexpr const char* warp = "__heald_warp";

// unsigned f(void), const: bytes of dynamic shared memory of this launch.
inline constexpr const char* dynamic_shared_bytes = "__heald_dynamic_shared_bytes";

// void f(void), convergent: __syncthreads. Counting barriers are built from it in the headers.
inline constexpr const char* barrier = "__heald_barrier";

// void f(unsigned mask), convergent: __syncwarp.
inline constexpr const char* sync_warp = "__heald_syncwarp";

// int f(unsigned mask, int value, unsigned source_lane), convergent. Wider types are split in the
// headers. source_lane is taken modulo 32.
inline constexpr const char* shuffle = "__heald_shfl_i32";

// unsigned f(unsigned mask, int predicate), convergent: bits of `mask` lanes whose predicate != 0.
inline constexpr const char* ballot = "__heald_ballot";

// unsigned f(void), convergent.
inline constexpr const char* active_mask = "__heald_activemask";

// void f(void): another thread must make progress before this one can. Marks a yield point.
inline constexpr const char* relax = "__heald_relax";

}  // namespace heald::cpu::intrinsics
