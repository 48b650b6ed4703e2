#pragma once

// memcpy_async and its waits: the copy is made at once, by all threads of the group; waiting is the
// group's barrier.

#include <cooperative_groups.h>

namespace cooperative_groups {

template <class Group, class T, class U>
__HEALD_MEMBER void memcpy_async(const Group& group, T* to, const U* from, size_t bytes) {
    const char* source = reinterpret_cast<const char*>(from);
    char* target = reinterpret_cast<char*>(to);
    size_t words = (size_t(source) | size_t(target)) % 4 == 0 ? bytes / 4 : 0;
    for (size_t i = group.thread_rank(); i < words; i += group.size())
        reinterpret_cast<unsigned*>(target)[i] = reinterpret_cast<const unsigned*>(source)[i];
    for (size_t i = 4 * words + group.thread_rank(); i < bytes; i += group.size())
        target[i] = source[i];
}
template <class Group, class T>
__HEALD_MEMBER void memcpy_async(const Group& group, T* to, size_t to_count, const T* from,
                                 size_t from_count) {
    size_t count = to_count < from_count ? to_count : from_count;
    memcpy_async(group, to, from, count * sizeof(T));
}
template <class Group> __HEALD_MEMBER void wait(const Group& group) { group.sync(); }
template <unsigned Stages, class Group>
__HEALD_MEMBER void wait_prior(const Group& group) {
    group.sync();
}

}  // namespace cooperative_groups
