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

// The value that lane `source` has, of a type of 2, 4 or 8 bytes.
template <class T>
__HEALD_MEMBER T __heald_shuffle(unsigned mask, T value, unsigned source) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "shuffles move numbers of 2, 4 or 8 bytes");
    if constexpr (sizeof(T) == 4) {
        return __builtin_bit_cast(
            T, __heald_shfl_i32(mask, __builtin_bit_cast(int, value), source));
    } else if constexpr (sizeof(T) == 8) {
        unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
        unsigned low = unsigned(__heald_shfl_i32(mask, int(unsigned(bits)), source));
        unsigned high = unsigned(__heald_shfl_i32(mask, int(unsigned(bits >> 32)), source));
        return __builtin_bit_cast(T, ((unsigned long long)high << 32) | low);
    } else {
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

// Small integers are promoted to int, as CUDA's overloads do; `+value` is defined for what has
// arithmetic.
#define __HEALD_SHUFFLE(name, argument, lane)                                                 \
    template <class T>                                                                        \
    __HEALD_MEMBER decltype(+T()) name(unsigned mask, T value, argument, int width = 32) {    \
        return __heald_shuffle<decltype(+T())>(mask, +value, lane);                           \
    }
__HEALD_SHUFFLE(__shfl_sync, int source, __heald_shfl_lane_idx(source, width))
__HEALD_SHUFFLE(__shfl_up_sync, unsigned delta, __heald_shfl_lane_up(delta, width))
__HEALD_SHUFFLE(__shfl_down_sync, unsigned delta, __heald_shfl_lane_down(delta, width))
__HEALD_SHUFFLE(__shfl_xor_sync, int lane_mask, __heald_shfl_lane_xor(lane_mask, width))
#undef __HEALD_SHUFFLE

template <int Bytes> struct __heald_bits_of { using type = unsigned; };
template <> struct __heald_bits_of<8> { using type = unsigned long long; };

// Bit by bit: lanes whose value differs in a bit drop out.
template <class T>
__HEALD_MEMBER unsigned __match_any_sync(unsigned mask, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "matches compare 4 or 8 bytes");
    using bits_type = typename __heald_bits_of<sizeof(T)>::type;
    bits_type bits = __builtin_bit_cast(bits_type, value);
    unsigned same = mask;
#pragma unroll
    for (int bit = 0; bit < int(8 * sizeof(T)); ++bit) {
        int set = int((bits >> bit) & 1);
        unsigned votes = __heald_ballot(mask, set);
        same &= set ? votes : ~votes;
    }
    return same;
}
template <class T>
__HEALD_MEMBER unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "matches compare 4 or 8 bytes");
    using bits_type = typename __heald_bits_of<sizeof(T)>::type;
    bits_type bits = __builtin_bit_cast(bits_type, value);
    bits_type first = __heald_shuffle(mask, bits, unsigned(__builtin_ctz(mask)));
    int same = __heald_ballot(mask, bits != first) == 0;
    *predicate = same;
    return same ? mask : 0u;
}

// A full mask takes five exchanges; any other folds the lanes that it names, in order.
template <class T, class F>
__HEALD_MEMBER T __heald_reduce(unsigned mask, T value, F fold) {
    if (mask == 0xffffffffu) {
#pragma unroll
        for (unsigned step = 16; step > 0; step /= 2)
            value = fold(value, __heald_shuffle(mask, value, __heald_lane() ^ step));
        return value;
    }
    T result = __heald_shuffle(mask, value, unsigned(__builtin_ctz(mask)));
    unsigned rest = mask & (mask - 1u);
#pragma unroll
    for (unsigned lane = 1; lane < 32; ++lane) {
        T other = __heald_shuffle(mask, value, lane);
        result = (rest >> lane) & 1u ? fold(result, other) : result;
    }
    return result;
}
#define __HEALD_REDUCE(name, type, expression)                                             \
    __HEALD_FN type name(unsigned mask, type value) {                                      \
        return __heald_reduce(mask, value, [](type a, type b) { return expression; });     \
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
