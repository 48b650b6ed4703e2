#pragma once

// thread_block, grid_group and the functions that every group has.

#include <heald_device/groups_lanes.h>
#include <heald_device/sync.h>

namespace cooperative_groups {

class thread_block {
public:
    struct arrival_token {};

    CG_STATIC_QUALIFIER void sync() { __syncthreads(); }
    // Waiting is where the barrier is: nothing may pass it before all have arrived.
    __HEALD_MEMBER arrival_token barrier_arrive() const { return {}; }
    __HEALD_MEMBER void barrier_wait(arrival_token&&) const { __syncthreads(); }
    CG_STATIC_QUALIFIER unsigned thread_rank() { return __heald_linear_tid(); }
    CG_STATIC_QUALIFIER unsigned size() { return __heald_block_size(); }
    CG_STATIC_QUALIFIER unsigned num_threads() { return __heald_block_size(); }
    CG_STATIC_QUALIFIER dim3 group_index() { return blockIdx; }
    CG_STATIC_QUALIFIER dim3 thread_index() { return threadIdx; }
    CG_STATIC_QUALIFIER dim3 group_dim() { return blockDim; }
    CG_STATIC_QUALIFIER dim3 dim_threads() { return blockDim; }
};
__HEALD_FN thread_block this_thread_block() { return {}; }

// The whole grid. Its barrier needs all blocks to run at once, which this device does not do yet.
class grid_group {
public:
    template <int Never = 0>
    __HEALD_MEMBER void sync() const {
        static_assert(Never != 0, "the CPU device has no barrier over the grid (grid_group::sync)");
    }
    CG_STATIC_QUALIFIER bool is_valid() { return false; }
    CG_STATIC_QUALIFIER unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    CG_STATIC_QUALIFIER unsigned long long num_threads() {
        return num_blocks() * __heald_block_size();
    }
    CG_STATIC_QUALIFIER unsigned long long size() { return num_threads(); }
    CG_STATIC_QUALIFIER unsigned long long block_rank() {
        return blockIdx.x +
               (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    CG_STATIC_QUALIFIER unsigned long long thread_rank() {
        return block_rank() * __heald_block_size() + __heald_linear_tid();
    }
    CG_STATIC_QUALIFIER dim3 group_dim() { return gridDim; }
    CG_STATIC_QUALIFIER dim3 dim_blocks() { return gridDim; }
    CG_STATIC_QUALIFIER dim3 block_index() { return blockIdx; }
};
__HEALD_FN grid_group this_grid() { return {}; }

template <int Never = 0>
__HEALD_MEMBER void this_cluster() {
    static_assert(Never != 0, "the CPU device has no clusters (this_cluster)");
}

template <class Group> __HEALD_MEMBER void sync(const Group& group) { group.sync(); }
template <class Group> __HEALD_MEMBER auto thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> __HEALD_MEMBER auto group_size(const Group& group) { return group.size(); }

template <class Group, class F, class... Args>
__HEALD_MEMBER void invoke_one(const Group& group, F&& function, Args&&... args) {
    if (group.thread_rank() == 0) function(static_cast<Args&&>(args)...);
}

}  // namespace cooperative_groups
