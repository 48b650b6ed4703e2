#pragma once

// Intrinsics on the two halves or four bytes of a word: __vadd2 … __vsetgtu4. A lane is extracted,
// computed as an int and put back; the compiler makes packed instructions of it.

#include <heald_device/integer_types.h>
#include <heald_device/qualifiers.h>

// `S` and `U` are the signed and unsigned lane types, `Count` lanes of `Bits` bits.
template <int Bits> struct __heald_lane_types { using S = short; using U = unsigned short; };
template <> struct __heald_lane_types<8> { using S = signed char; using U = unsigned char; };

template <int Bits, class F>
__HEALD_MEMBER unsigned __heald_lanes_signed(unsigned a, unsigned b, F f) {
    using S = typename __heald_lane_types<Bits>::S;
    unsigned result = 0;
#pragma unroll
    for (int i = 0; i < 32; i += Bits)
        result |= (unsigned(f(int(S(a >> i)), int(S(b >> i)))) & ((1u << Bits) - 1u)) << i;
    return result;
}
template <int Bits, class F>
__HEALD_MEMBER unsigned __heald_lanes_unsigned(unsigned a, unsigned b, F f) {
    using U = typename __heald_lane_types<Bits>::U;
    unsigned result = 0;
#pragma unroll
    for (int i = 0; i < 32; i += Bits)
        result |= (unsigned(f(int(U(a >> i)), int(U(b >> i)))) & ((1u << Bits) - 1u)) << i;
    return result;
}
template <int Bits>
__HEALD_MEMBER int __heald_clamp_lane(int v, bool is_signed) {
    int low = is_signed ? -(1 << (Bits - 1)) : 0;
    int high = is_signed ? (1 << (Bits - 1)) - 1 : (1 << Bits) - 1;
    return v < low ? low : v > high ? high : v;
}
__HEALD_FN int __heald_distance(int a, int b) { return a > b ? a - b : b - a; }

#define __HEALD_LANES2(name, kind, expression)                                      \
    __HEALD_FN unsigned name##2(unsigned a, unsigned b) {                           \
        constexpr int bits = 16;                                                    \
        return __heald_lanes_##kind<bits>(a, b, [](int x, int y) { return expression; }); \
    }                                                                               \
    __HEALD_FN unsigned name##4(unsigned a, unsigned b) {                           \
        constexpr int bits = 8;                                                     \
        return __heald_lanes_##kind<bits>(a, b, [](int x, int y) { return expression; }); \
    }
#define __HEALD_LANES1(name, expression)                                              \
    __HEALD_FN unsigned name##2(unsigned a) {                                         \
        constexpr int bits = 16;                                                      \
        return __heald_lanes_signed<bits>(a, a, [](int x, int) { return expression; }); \
    }                                                                                 \
    __HEALD_FN unsigned name##4(unsigned a) {                                         \
        constexpr int bits = 8;                                                       \
        return __heald_lanes_signed<bits>(a, a, [](int x, int) { return expression; }); \
    }
__HEALD_LANES2(__vadd, signed, x + y)
__HEALD_LANES2(__vsub, signed, x - y)
__HEALD_LANES2(__vaddss, signed, __heald_clamp_lane<bits>(x + y, true))
__HEALD_LANES2(__vsubss, signed, __heald_clamp_lane<bits>(x - y, true))
__HEALD_LANES2(__vaddus, unsigned, __heald_clamp_lane<bits>(x + y, false))
__HEALD_LANES2(__vsubus, unsigned, __heald_clamp_lane<bits>(x - y, false))
__HEALD_LANES2(__vavgs, signed, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)
__HEALD_LANES2(__vavgu, unsigned, (x + y + 1) >> 1)
__HEALD_LANES2(__vhaddu, unsigned, (x + y) >> 1)
__HEALD_LANES2(__vabsdiffs, signed, __heald_distance(x, y))
__HEALD_LANES2(__vabsdiffu, unsigned, __heald_distance(x, y))
__HEALD_LANES2(__vmaxs, signed, (x > y ? x : y))
__HEALD_LANES2(__vmaxu, unsigned, (x > y ? x : y))
__HEALD_LANES2(__vmins, signed, (x < y ? x : y))
__HEALD_LANES2(__vminu, unsigned, (x < y ? x : y))
__HEALD_LANES1(__vneg, -x)
__HEALD_LANES1(__vnegss, __heald_clamp_lane<bits>(-x, true))
__HEALD_LANES1(__vabs, (x < 0 ? -x : x))
__HEALD_LANES1(__vabsss, __heald_clamp_lane<bits>(x < 0 ? -x : x, true))

// Comparisons: all ones per lane (cmp) or one (set).
#define __HEALD_LANES_COMPARE(name, kind, op)              \
    __HEALD_LANES2(__vcmp##name, kind, (x op y ? -1 : 0))  \
    __HEALD_LANES2(__vset##name, kind, (x op y ? 1 : 0))
__HEALD_LANES_COMPARE(eq, unsigned, ==)
__HEALD_LANES_COMPARE(ne, unsigned, !=)
__HEALD_LANES_COMPARE(gts, signed, >)
__HEALD_LANES_COMPARE(gtu, unsigned, >)
__HEALD_LANES_COMPARE(ges, signed, >=)
__HEALD_LANES_COMPARE(geu, unsigned, >=)
__HEALD_LANES_COMPARE(lts, signed, <)
__HEALD_LANES_COMPARE(ltu, unsigned, <)
__HEALD_LANES_COMPARE(les, signed, <=)
__HEALD_LANES_COMPARE(leu, unsigned, <=)
#undef __HEALD_LANES_COMPARE
#undef __HEALD_LANES1
#undef __HEALD_LANES2

// Sums of absolute differences of all lanes.
__HEALD_FN unsigned __vsads2(unsigned a, unsigned b) {
    unsigned d = __vabsdiffs2(a, b);
    return (d & 0xffffu) + (d >> 16);
}
__HEALD_FN unsigned __vsadu2(unsigned a, unsigned b) {
    unsigned d = __vabsdiffu2(a, b);
    return (d & 0xffffu) + (d >> 16);
}
__HEALD_FN unsigned __vsads4(unsigned a, unsigned b) {
    unsigned d = __vabsdiffs4(a, b);
    return (d & 255u) + ((d >> 8) & 255u) + ((d >> 16) & 255u) + (d >> 24);
}
__HEALD_FN unsigned __vsadu4(unsigned a, unsigned b) {
    unsigned d = __vabsdiffu4(a, b);
    return (d & 255u) + ((d >> 8) & 255u) + ((d >> 16) & 255u) + (d >> 24);
}
