#pragma once

// Barriers of a block, fences and waiting.

#include <heald_device/builtin_variables.h>

__HEALD_FN void __syncthreads() { __heald_barrier(); }

// Every thread clears the counter (the same value), so that it does not matter which have exited.
__HEALD_FN int __syncthreads_count(int predicate) {
    static __shared__ int count;
    __heald_barrier();
    count = 0;
    __heald_barrier();
    __atomic_fetch_add(&count, predicate != 0 ? 1 : 0, __ATOMIC_RELAXED);
    __heald_barrier();
    return count;
}
__HEALD_FN int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }
__HEALD_FN int __syncthreads_and(int predicate) {
    return __syncthreads_count(predicate == 0) == 0;
}
__HEALD_FN void __barrier_sync(unsigned) { __heald_barrier(); }

// Warps of one block run on one worker, so a block fence only keeps the compiler from reordering.
__HEALD_FN void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
__HEALD_FN void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
__HEALD_FN void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// A waiting thread lets others go on first.
__HEALD_FN void __nanosleep(unsigned) { __heald_relax(); }
