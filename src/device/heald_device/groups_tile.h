#pragma once

// thread_block_tile: 1, 2, 4, 8, 16 or 32 neighbouring threads of a warp.

#include <heald_device/groups_block.h>

namespace cooperative_groups {

template <unsigned Size, class Parent = void>
class thread_block_tile {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads on the CPU device");

    static constexpr unsigned members_ = Size == 32 ? 0xffffffffu : (1u << (Size % 32)) - 1u;
    unsigned meta_rank_ = 0, meta_size_ = 1;

    CG_STATIC_QUALIFIER unsigned first_lane() { return __heald_lane() & ~(Size - 1u); }
    CG_STATIC_QUALIFIER unsigned mask() { return members_ << first_lane(); }

public:
    __HEALD_MEMBER thread_block_tile(unsigned meta_rank, unsigned meta_size)
        : meta_rank_(meta_rank), meta_size_(meta_size) {}
    template <class Other>
    __HEALD_MEMBER thread_block_tile(const thread_block_tile<Size, Other>& other)
        : meta_rank_(other.meta_group_rank()), meta_size_(other.meta_group_size()) {}

    CG_STATIC_QUALIFIER void sync() { __heald_syncwarp(mask()); }
    CG_STATIC_QUALIFIER constexpr unsigned size() { return Size; }
    CG_STATIC_QUALIFIER constexpr unsigned num_threads() { return Size; }
    CG_STATIC_QUALIFIER unsigned thread_rank() { return __heald_lane() & (Size - 1u); }
    __HEALD_MEMBER unsigned meta_group_rank() const { return meta_rank_; }
    __HEALD_MEMBER unsigned meta_group_size() const { return meta_size_; }

    template <class T>
    __HEALD_MEMBER __detail::plain_t<T> shfl(T&& value, int source) const {
        __detail::plain_t<T> v = value;
        return __detail::move_from(mask(), v, first_lane() + (unsigned(source) & (Size - 1u)));
    }
    template <class T>
    __HEALD_MEMBER __detail::plain_t<T> shfl_up(T&& value, unsigned delta) const {
        __detail::plain_t<T> v = value;
        return __detail::move_from(mask(), v, __heald_shfl_lane_up(delta, Size));
    }
    template <class T>
    __HEALD_MEMBER __detail::plain_t<T> shfl_down(T&& value, unsigned delta) const {
        __detail::plain_t<T> v = value;
        return __detail::move_from(mask(), v, __heald_shfl_lane_down(delta, Size));
    }
    template <class T>
    __HEALD_MEMBER __detail::plain_t<T> shfl_xor(T&& value, unsigned lane_mask) const {
        __detail::plain_t<T> v = value;
        return __detail::move_from(mask(), v, __heald_shfl_lane_xor(int(lane_mask), Size));
    }

    CG_STATIC_QUALIFIER int any(int predicate) { return ballot(predicate) != 0; }
    CG_STATIC_QUALIFIER int all(int predicate) { return ballot(predicate == 0) == 0; }
    CG_STATIC_QUALIFIER unsigned ballot(int predicate) {
        return __heald_ballot(mask(), predicate) >> first_lane() & members_;
    }
    template <class T>
    __HEALD_MEMBER unsigned match_any(T value) const {
        return __match_any_sync(mask(), value) >> first_lane() & members_;
    }
    template <class T>
    __HEALD_MEMBER unsigned match_all(T value, int& predicate) const {
        return __match_all_sync(mask(), value, &predicate) >> first_lane() & members_;
    }
};

}  // namespace cooperative_groups
