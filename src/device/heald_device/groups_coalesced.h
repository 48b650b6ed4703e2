#pragma once

// coalesced_group: the lanes that run together here, or that were chosen by a partition.

#include <heald_device/groups_block.h>

namespace cooperative_groups {

class coalesced_group {
    unsigned mask_;
    unsigned meta_rank_ = 0, meta_size_ = 1;

public:
    __HEALD_MEMBER explicit coalesced_group(unsigned mask, unsigned meta_rank = 0,
                                            unsigned meta_size = 1)
        : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

    __HEALD_MEMBER unsigned get_mask() const { return mask_; }
    __HEALD_MEMBER void sync() const { __heald_syncwarp(mask_); }
    __HEALD_MEMBER unsigned size() const { return unsigned(__builtin_popcount(mask_)); }
    __HEALD_MEMBER unsigned num_threads() const { return size(); }
    __HEALD_MEMBER unsigned thread_rank() const { return __detail::rank_in(mask_); }
    __HEALD_MEMBER unsigned meta_group_rank() const { return meta_rank_; }
    __HEALD_MEMBER unsigned meta_group_size() const { return meta_size_; }

    template <class T>
    __HEALD_MEMBER __detail::plain_t<T> shfl(T&& value, unsigned source) const {
        __detail::plain_t<T> v = value;
        return __detail::move_from(mask_, v, __detail::lane_of_rank(mask_, source));
    }
    template <class T>
    __HEALD_MEMBER __detail::plain_t<T> shfl_up(T&& value, unsigned delta) const {
        __detail::plain_t<T> v = value;
        unsigned rank = thread_rank();
        unsigned source = rank >= delta ? rank - delta : rank;
        return __detail::move_from(mask_, v, __detail::lane_of_rank(mask_, source));
    }
    template <class T>
    __HEALD_MEMBER __detail::plain_t<T> shfl_down(T&& value, unsigned delta) const {
        __detail::plain_t<T> v = value;
        unsigned rank = thread_rank();
        unsigned source = rank + delta < size() ? rank + delta : rank;
        return __detail::move_from(mask_, v, __detail::lane_of_rank(mask_, source));
    }

    __HEALD_MEMBER int any(int predicate) const { return __heald_ballot(mask_, predicate) != 0; }
    __HEALD_MEMBER int all(int predicate) const {
        return __heald_ballot(mask_, predicate == 0) == 0;
    }
    __HEALD_MEMBER unsigned ballot(int predicate) const {
        return __detail::packed(mask_, __heald_ballot(mask_, predicate));
    }
    template <class T>
    __HEALD_MEMBER unsigned match_any(T value) const {
        return __detail::packed(mask_, __match_any_sync(mask_, value));
    }
    template <class T>
    __HEALD_MEMBER unsigned match_all(T value, int& predicate) const {
        return __detail::packed(mask_, __match_all_sync(mask_, value, &predicate));
    }
};

__HEALD_FN coalesced_group coalesced_threads() { return coalesced_group(__heald_activemask()); }

}  // namespace cooperative_groups
