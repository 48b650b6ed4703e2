#pragma once

// Warp functions: votes, shuffles, match, reduce. A lane that is not in `mask` has no say; reading a
// lane that does not take part is undefined, as in CUDA.

#include <heald_device/vector_types.h>

__HEALD_FN unsigned __activemask() { return __heald_activemask(); }
__HEALD_FN void __syncwarp(unsigned mask = 0xffffffffu) { __heald_syncwarp(mask); }
__HEALD_FN unsigned __ballot_sync(unsigned mask, int predicate) {
    return __heald_ballot(mask, predicate);
}
__HEALD_FN int __any_sync(unsigned mask, int predicate) {
    return __heald_ballot(mask, predicate) != 0;
}
__HEALD_FN int __all_sync(unsigned mask, int predicate) {
    return __heald_ballot(mask, predicate == 0) == 0;
}
__HEALD_FN int __uni_sync(unsigned mask, int predicate) {
    return __all_sync(mask, predicate) || !__any_sync(mask, predicate);
}

// Lane masks: special registers that CUDA names %lanemask_*.
__HEALD_FN unsigned __heald_lanemask_lt() { return (1u << __heald_lane()) - 1u; }

// The value of `source` of a type of 4 or 8 bytes, and of smaller ones widened.
template <class T>
__HEALD_MEMBER T __heald_shuffle(unsigned mask, T value, unsigned source) {
    if constexpr (sizeof(T) == 4) {
        return __builtin_bit_cast(
            T, __heald_shfl_i32(mask, __builtin_bit_cast(int, value), source));
    } else if constexpr (sizeof(T) == 8) {
        unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
        unsigned low = unsigned(__heald_shfl_i32(mask, int(unsigned(bits)), source));
        unsigned high = unsigned(__heald_shfl_i32(mask, int(unsigned(bits >> 32)), source));
        return __builtin_bit_cast(T, ((unsigned long long)high << 32) | low);
    } else {
        static_assert(sizeof(T) == 2, "shuffles move values of 2, 4 or 8 bytes");
        int bits = __builtin_bit_cast(unsigned short, value);
        return __builtin_bit_cast(T, (unsigned short)__heald_shfl_i32(mask, bits, source));
    }
}

// `width` (a power of two) splits the warp into segments; a source outside the own segment is the
// own lane.
__HEALD_FN unsigned __heald_shfl_lane_idx(int source, int width) {
    unsigned segment = unsigned(width) - 1u;
    return (__heald_lane() & ~segment) | (unsigned(source) & segment);
}
__HEALD_FN unsigned __heald_shfl_lane_up(unsigned delta, int width) {
    unsigned lane = __heald_lane();
    return (lane & (unsigned(width) - 1u)) >= delta ? lane - delta : lane;
}
__HEALD_FN unsigned __heald_shfl_lane_down(unsigned delta, int width) {
    unsigned lane = __heald_lane();
    return (lane & (unsigned(width) - 1u)) + delta < unsigned(width) ? lane + delta : lane;
}
__HEALD_FN unsigned __heald_shfl_lane_xor(int lane_mask, int width) {
    unsigned lane = __heald_lane(), source = lane ^ unsigned(lane_mask);
    return source > (lane | (unsigned(width) - 1u)) ? lane : source;
}

#define __HEALD_SHUFFLE(type)                                                                \
    __HEALD_FN type __shfl_sync(unsigned mask, type value, int source, int width = 32) {     \
        return __heald_shuffle(mask, value, __heald_shfl_lane_idx(source, width));           \
    }                                                                                        \
    __HEALD_FN type __shfl_up_sync(unsigned mask, type value, unsigned delta, int width = 32) { \
        return __heald_shuffle(mask, value, __heald_shfl_lane_up(delta, width));             \
    }                                                                                        \
    __HEALD_FN type __shfl_down_sync(unsigned mask, type value, unsigned delta, int width = 32) { \
        return __heald_shuffle(mask, value, __heald_shfl_lane_down(delta, width));           \
    }                                                                                        \
    __HEALD_FN type __shfl_xor_sync(unsigned mask, type value, int lane_mask, int width = 32) { \
        return __heald_shuffle(mask, value, __heald_shfl_lane_xor(lane_mask, width));        \
    }
__HEALD_SHUFFLE(int)
__HEALD_SHUFFLE(unsigned)
__HEALD_SHUFFLE(long)
__HEALD_SHUFFLE(unsigned long)
__HEALD_SHUFFLE(long long)
__HEALD_SHUFFLE(unsigned long long)
__HEALD_SHUFFLE(float)
__HEALD_SHUFFLE(double)

// Bit by bit: lanes whose value differs in a bit drop out.
template <class T>
__HEALD_MEMBER unsigned __heald_match_any(unsigned mask, T value) {
    unsigned same = mask;
#pragma unroll
    for (int bit = 0; bit < int(8 * sizeof(T)); ++bit) {
        int set = int((value >> bit) & 1);
        unsigned votes = __heald_ballot(mask, set);
        same &= set ? votes : ~votes;
    }
    return same;
}
template <class T>
__HEALD_MEMBER unsigned __heald_match_all(unsigned mask, T value, int* predicate) {
    T first = __heald_shuffle(mask, value, unsigned(__builtin_ctz(mask)));
    int same = __heald_ballot(mask, value != first) == 0;
    *predicate = same;
    return same ? mask : 0u;
}

#define __HEALD_MATCH(type, bits)                                                      \
    __HEALD_FN unsigned __match_any_sync(unsigned mask, type value) {                  \
        return __heald_match_any(mask, __builtin_bit_cast(bits, value));               \
    }                                                                                  \
    __HEALD_FN unsigned __match_all_sync(unsigned mask, type value, int* predicate) {  \
        return __heald_match_all(mask, __builtin_bit_cast(bits, value), predicate);    \
    }
__HEALD_MATCH(int, unsigned)
__HEALD_MATCH(unsigned, unsigned)
__HEALD_MATCH(long, unsigned long)
__HEALD_MATCH(unsigned long, unsigned long)
__HEALD_MATCH(long long, unsigned long long)
__HEALD_MATCH(unsigned long long, unsigned long long)
__HEALD_MATCH(float, unsigned)
__HEALD_MATCH(double, unsigned long long)
#undef __HEALD_MATCH

// A full mask takes five exchanges; any other folds the lanes that it names, in order.
#define __HEALD_REDUCE(name, type, expression)                              \
    __HEALD_FN type name(unsigned mask, type value) {                       \
        if (mask == 0xffffffffu) {                                          \
            _Pragma("unroll") for (unsigned step = 16; step > 0; step /= 2) { \
                type a = value;                                             \
                type b = __heald_shuffle(mask, value, __heald_lane() ^ step); \
                value = expression;                                         \
            }                                                               \
            return value;                                                   \
        }                                                                   \
        type a = __heald_shuffle(mask, value, unsigned(__builtin_ctz(mask))); \
        unsigned rest = mask & (mask - 1u);                                 \
        _Pragma("unroll") for (unsigned lane = 1; lane < 32; ++lane) {      \
            type b = __heald_shuffle(mask, value, lane);                    \
            a = (rest >> lane) & 1u ? expression : a;                       \
        }                                                                   \
        return a;                                                           \
    }
__HEALD_REDUCE(__reduce_add_sync, unsigned, a + b)
__HEALD_REDUCE(__reduce_add_sync, int, int(unsigned(a) + unsigned(b)))
__HEALD_REDUCE(__reduce_min_sync, unsigned, (a < b ? a : b))
__HEALD_REDUCE(__reduce_min_sync, int, (a < b ? a : b))
__HEALD_REDUCE(__reduce_max_sync, unsigned, (a > b ? a : b))
__HEALD_REDUCE(__reduce_max_sync, int, (a > b ? a : b))
__HEALD_REDUCE(__reduce_and_sync, unsigned, a & b)
__HEALD_REDUCE(__reduce_or_sync, unsigned, a | b)
__HEALD_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
#undef __HEALD_REDUCE
