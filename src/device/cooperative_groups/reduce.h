#pragma once

// reduce over a tile or coalesced threads; every thread gets the result.

#include <cooperative_groups.h>
#include <heald_device/groups_operators.h>

namespace cooperative_groups {

template <unsigned Size, class Parent, class T, class F>
__HEALD_MEMBER __detail::plain_t<T> reduce(const thread_block_tile<Size, Parent>& group, T&& value,
                                           F&& fold) {
    __detail::plain_t<T> result = value;
#pragma unroll
    for (unsigned step = Size / 2; step > 0; step /= 2)
        result = fold(result, group.shfl_xor(result, step));
    return result;
}
template <class T, class F>
__HEALD_MEMBER __detail::plain_t<T> reduce(const coalesced_group& group, T&& value, F&& fold) {
    __detail::plain_t<T> own = value, result = group.shfl(own, 0u);
    for (unsigned rank = 1; rank < group.size(); ++rank) {
        __detail::plain_t<T> other = group.shfl(own, rank);
        result = fold(result, other);
    }
    return result;
}

}  // namespace cooperative_groups
