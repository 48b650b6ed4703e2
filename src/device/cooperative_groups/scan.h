#pragma once

// inclusive_scan and exclusive_scan over a tile or coalesced threads, in order of rank. The first
// thread of an exclusive scan gets T{}.

#include <cooperative_groups.h>
#include <heald_device/groups_operators.h>

namespace cooperative_groups {

template <class Group, class T, class F>
__HEALD_MEMBER __detail::plain_t<T> inclusive_scan(const Group& group, T&& value, F&& fold) {
    __detail::plain_t<T> result = value;
    unsigned rank = group.thread_rank();
    for (unsigned step = 1; step < group.size(); step *= 2) {
        __detail::plain_t<T> before = group.shfl_up(result, step);
        if (rank >= step) result = fold(before, result);
    }
    return result;
}
template <class Group, class T>
__HEALD_MEMBER __detail::plain_t<T> inclusive_scan(const Group& group, T&& value) {
    return inclusive_scan(group, value, plus<__detail::plain_t<T>>());
}
template <class Group, class T, class F>
__HEALD_MEMBER __detail::plain_t<T> exclusive_scan(const Group& group, T&& value, F&& fold) {
    __detail::plain_t<T> before = group.shfl_up(inclusive_scan(group, value, fold), 1u);
    return group.thread_rank() == 0 ? __detail::plain_t<T>{} : before;
}
template <class Group, class T>
__HEALD_MEMBER __detail::plain_t<T> exclusive_scan(const Group& group, T&& value) {
    return exclusive_scan(group, value, plus<__detail::plain_t<T>>());
}

}  // namespace cooperative_groups
