#pragma once

// Lane sets and moves between lanes of objects of any size.

#include <heald_device/warp.h>

#define CG_STATIC_QUALIFIER static __HEALD_MEMBER

namespace cooperative_groups {

namespace __detail {

// The lane that has rank `rank` among the set bits of `mask`.
__HEALD_FN unsigned lane_of_rank(unsigned mask, unsigned rank) {
    unsigned lane = 0;
#pragma unroll
    for (unsigned width = 16; width > 0; width /= 2) {
        unsigned below = unsigned(__builtin_popcount((mask >> lane) & ((1u << width) - 1u)));
        bool above = rank >= below;
        lane += above ? width : 0u;
        rank -= above ? below : 0u;
    }
    return lane;
}
__HEALD_FN unsigned rank_in(unsigned mask) {
    return unsigned(__builtin_popcount(mask & __heald_lanemask_lt()));
}
// The bits of `votes` that `mask` selects, packed by rank.
__HEALD_FN unsigned packed(unsigned mask, unsigned votes) {
    unsigned result = 0, rank = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        unsigned member = (mask >> lane) & 1u;
        result |= (member & (votes >> lane)) << (rank & 31u);
        rank += member;
    }
    return result;
}

// An object of any trivially copyable type as words; words move one by one.
template <class T>
__HEALD_MEMBER T move_from(unsigned mask, const T& value, unsigned lane) {
    constexpr unsigned count = (sizeof(T) + 3) / 4;
    if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
        return __heald_shuffle(mask, value, lane);
    } else {
        unsigned words[count] = {};
        __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
        for (unsigned i = 0; i < count; ++i)
            words[i] = unsigned(__heald_shfl_i32(mask, int(words[i]), lane));
        T result;
        __builtin_memcpy(&result, words, sizeof(T));
        return result;
    }
}

template <class T> struct plain { using type = T; };
template <class T> struct plain<T&> { using type = T; };
template <class T> struct plain<T&&> { using type = T; };
template <class T> struct plain<const T> { using type = T; };
template <class T> struct plain<const T&> { using type = T; };
template <class T> struct plain<const T&&> { using type = T; };
template <class T> using plain_t = typename plain<T>::type;

}  // namespace __detail

}  // namespace cooperative_groups
