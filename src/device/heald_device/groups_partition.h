#pragma once

// thread_group, the group of any kind, and the partitions of groups into smaller ones.

#include <heald_device/groups_coalesced.h>
#include <heald_device/groups_tile.h>

namespace cooperative_groups {

// A block, or lanes of one warp.
class thread_group {
    unsigned mask_;  // 0: the block

public:
    __HEALD_MEMBER thread_group(const thread_block&) : mask_(0) {}
    __HEALD_MEMBER thread_group(const coalesced_group& group) : mask_(group.get_mask()) {}
    template <unsigned Size, class Parent>
    __HEALD_MEMBER thread_group(const thread_block_tile<Size, Parent>&)
        : mask_((0xffffffffu >> (32 - Size)) << (__heald_lane() & ~(Size - 1u))) {}

    __HEALD_MEMBER bool is_block() const { return mask_ == 0; }
    __HEALD_MEMBER unsigned get_mask() const { return mask_; }
    __HEALD_MEMBER void sync() const {
        if (is_block())
            __syncthreads();
        else
            __heald_syncwarp(mask_);
    }
    __HEALD_MEMBER unsigned size() const {
        return is_block() ? __heald_block_size() : unsigned(__builtin_popcount(mask_));
    }
    __HEALD_MEMBER unsigned num_threads() const { return size(); }
    __HEALD_MEMBER unsigned thread_rank() const {
        return is_block() ? __heald_linear_tid() : __detail::rank_in(mask_);
    }
};

template <unsigned Size>
__HEALD_MEMBER thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
    return {__heald_linear_tid() / Size, (__heald_block_size() + Size - 1u) / Size};
}
template <unsigned Size, unsigned ParentSize, class Grand>
__HEALD_MEMBER thread_block_tile<Size, thread_block_tile<ParentSize, Grand>> tiled_partition(
    const thread_block_tile<ParentSize, Grand>& parent) {
    static_assert(Size <= ParentSize, "a tile is not larger than what it is cut from");
    return {parent.thread_rank() / Size, ParentSize / Size};
}

// Lanes by rank, `size` (a power of two up to 32) at a time.
__HEALD_FN coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
    unsigned rank = parent.thread_rank(), first = rank & ~(size - 1u), mask = 0;
    for (unsigned i = first; i < first + size && i < parent.size(); ++i)
        mask |= 1u << __detail::lane_of_rank(parent.get_mask(), i);
    return coalesced_group(mask, rank / size, (parent.size() + size - 1u) / size);
}
__HEALD_FN thread_group tiled_partition(const thread_group& parent, unsigned size) {
    if (!parent.is_block()) return tiled_partition(coalesced_group(parent.get_mask()), size);
    unsigned left = parent.size() - (__heald_linear_tid() & ~(size - 1u));
    unsigned count = left < size ? left : size;
    return coalesced_group((0xffffffffu >> (32u - count)) << (__heald_lane() & ~(size - 1u)));
}

// The lanes of the group with an equal label (or predicate).
template <class Group>
__HEALD_MEMBER unsigned __heald_group_mask(const Group& group) {
    return thread_group(group).get_mask();
}
template <class Group, class Label>
__HEALD_MEMBER coalesced_group labeled_partition(const Group& group, Label label) {
    return coalesced_group(__match_any_sync(__heald_group_mask(group), label));
}
template <class Group>
__HEALD_MEMBER coalesced_group binary_partition(const Group& group, bool predicate) {
    unsigned mask = __heald_group_mask(group), votes = __heald_ballot(mask, predicate);
    return coalesced_group(predicate ? votes : mask & ~votes, predicate, 2);
}

}  // namespace cooperative_groups
