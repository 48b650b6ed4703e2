#pragma once

// The DPX functions: minima and maxima fused with an addition, a third operand, or a comparison with
// zero (relu), on words and on pairs of halves.

#include <heald_device/min_max.h>

// f on the low and the high half, as ints with or without sign.
template <class Half, class F>
__HEALD_MEMBER unsigned __heald_halves(unsigned a, unsigned b, unsigned c, F f) {
    unsigned low = unsigned(f(int(Half(a)), int(Half(b)), int(Half(c)))) & 0xffffu;
    unsigned high = unsigned(f(int(Half(a >> 16)), int(Half(b >> 16)), int(Half(c >> 16))));
    return low | (high << 16);
}
__HEALD_FN int __heald_wrap_add(int a, int b) { return int(unsigned(a) + unsigned(b)); }
// A sum in the width of a half.
__HEALD_FN int __heald_add16(int a, int b) { return short(a + b); }
__HEALD_FN int __heald_addu16(int a, int b) { return (unsigned short)(a + b); }

#define __HEALD_DPX_HALVES(name, half, expression)                                              \
    __HEALD_FN unsigned name(unsigned a, unsigned b, unsigned c) {                              \
        return __heald_halves<half>(a, b, c, [](int x, int y, int z) { return expression; });   \
    }
#define __HEALD_DPX(op)                                                                         \
    __HEALD_FN int __viadd##op##_s32(int a, int b, int c) { return op(__heald_wrap_add(a, b), c); } \
    __HEALD_FN unsigned __viadd##op##_u32(unsigned a, unsigned b, unsigned c) { return op(a + b, c); } \
    __HEALD_FN int __viadd##op##_s32_relu(int a, int b, int c) {                                \
        return max(op(__heald_wrap_add(a, b), c), 0);                                           \
    }                                                                                           \
    __HEALD_FN int __vi##op##3_s32(int a, int b, int c) { return op(op(a, b), c); }             \
    __HEALD_FN unsigned __vi##op##3_u32(unsigned a, unsigned b, unsigned c) { return op(op(a, b), c); } \
    __HEALD_FN int __vi##op##3_s32_relu(int a, int b, int c) { return max(op(op(a, b), c), 0); } \
    __HEALD_FN int __vi##op##_s32_relu(int a, int b) { return max(op(a, b), 0); }               \
    __HEALD_DPX_HALVES(__viadd##op##_s16x2, short, op(__heald_add16(x, y), z))                  \
    __HEALD_DPX_HALVES(__viadd##op##_u16x2, unsigned short, op(__heald_addu16(x, y), z))        \
    __HEALD_DPX_HALVES(__viadd##op##_s16x2_relu, short, max(op(__heald_add16(x, y), z), 0))     \
    __HEALD_DPX_HALVES(__vi##op##3_s16x2, short, op(op(x, y), z))                               \
    __HEALD_DPX_HALVES(__vi##op##3_u16x2, unsigned short, op(op(x, y), z))                      \
    __HEALD_DPX_HALVES(__vi##op##3_s16x2_relu, short, max(op(op(x, y), z), 0))                  \
    __HEALD_FN unsigned __vi##op##_s16x2_relu(unsigned a, unsigned b) {                         \
        return __heald_halves<short>(a, b, 0u, [](int x, int y, int) { return max(op(x, y), 0); }); \
    }
__HEALD_DPX(max)
__HEALD_DPX(min)
#undef __HEALD_DPX
#undef __HEALD_DPX_HALVES

// These also tell whether the first operand was chosen, which it is when both are equal.
#define __HEALD_DPX_BIT(op, compare)                                                           \
    __HEALD_FN int __vib##op##_s32(int a, int b, bool* first) {                                \
        *first = a compare b;                                                                  \
        return op(a, b);                                                                       \
    }                                                                                          \
    __HEALD_FN unsigned __vib##op##_u32(unsigned a, unsigned b, bool* first) {                 \
        *first = a compare b;                                                                  \
        return op(a, b);                                                                       \
    }                                                                                          \
    __HEALD_FN unsigned __vib##op##_s16x2(unsigned a, unsigned b, bool* high, bool* low) {     \
        *high = short(a >> 16) compare short(b >> 16);                                         \
        *low = short(a) compare short(b);                                                      \
        return __heald_halves<short>(a, b, 0u, [](int x, int y, int) { return op(x, y); });    \
    }                                                                                          \
    __HEALD_FN unsigned __vib##op##_u16x2(unsigned a, unsigned b, bool* high, bool* low) {     \
        *high = (unsigned short)(a >> 16) compare (unsigned short)(b >> 16);                   \
        *low = (unsigned short)a compare (unsigned short)b;                                    \
        return __heald_halves<unsigned short>(a, b, 0u,                                        \
                                              [](int x, int y, int) { return op(x, y); });     \
    }
__HEALD_DPX_BIT(max, >=)
__HEALD_DPX_BIT(min, <=)
#undef __HEALD_DPX_BIT
