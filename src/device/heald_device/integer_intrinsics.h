#pragma once

// Integer intrinsics: bits, bytes, high products, funnel shifts, averages, dot products.

#include <heald_device/vector_types.h>

__HEALD_FN int __popc(unsigned x) { return __builtin_popcount(x); }
__HEALD_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__HEALD_FN int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
__HEALD_FN int __clzll(long long x) {
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
__HEALD_FN int __ffs(int x) { return x ? __builtin_ctz(unsigned(x)) + 1 : 0; }
__HEALD_FN int __ffsll(long long x) {
    return x ? __builtin_ctzll((unsigned long long)x) + 1 : 0;
}
__HEALD_FN unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__HEALD_FN unsigned long long __brevll(unsigned long long x) {
    return __builtin_bitreverse64(x);
}

// Position of the `offset`-th set bit at or after `base` (before it for a negative offset).
__HEALD_FN unsigned __fns(unsigned mask, unsigned base, int offset) {
    if (offset == 0) return (mask >> (base & 31)) & 1 ? base : 0xffffffffu;
    int step = offset > 0 ? 1 : -1;
    int left = offset > 0 ? offset : -offset;
    for (int bit = int(base); bit >= 0 && bit < 32; bit += step) {
        left -= int((mask >> bit) & 1);
        if (left == 0) return unsigned(bit);
    }
    return 0xffffffffu;
}

// The low three bits of each nibble of `selector` name a byte of {b, a}.
__HEALD_FN unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    unsigned long long bytes = ((unsigned long long)b << 32) | a;
    unsigned result = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        unsigned index = (selector >> (4 * i)) & 7u;
        result |= (unsigned(bytes >> (8 * index)) & 0xffu) << (8 * i);
    }
    return result;
}

__HEALD_FN int __mulhi(int a, int b) { return int(((long long)a * b) >> 32); }
__HEALD_FN unsigned __umulhi(unsigned a, unsigned b) {
    return unsigned(((unsigned long long)a * b) >> 32);
}
// 64-bit high products from 32-bit parts, which vectorise where a 128-bit product does not.
__HEALD_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    unsigned long long a0 = a & 0xffffffffu, a1 = a >> 32;
    unsigned long long b0 = b & 0xffffffffu, b1 = b >> 32;
    unsigned long long low = a0 * b0, mid = a1 * b0 + (low >> 32);
    unsigned long long mid2 = a0 * b1 + (mid & 0xffffffffu);
    return a1 * b1 + (mid >> 32) + (mid2 >> 32);
}
__HEALD_FN long long __mul64hi(long long a, long long b) {
    unsigned long long high = __umul64hi((unsigned long long)a, (unsigned long long)b);
    high -= a < 0 ? (unsigned long long)b : 0ull;
    high -= b < 0 ? (unsigned long long)a : 0ull;
    return (long long)high;
}

__HEALD_FN long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
__HEALD_FN unsigned long long umul64hi(unsigned long long a, unsigned long long b) {
    return __umul64hi(a, b);
}
__HEALD_FN int mulhi(int a, int b) { return __mulhi(a, b); }
__HEALD_FN unsigned mulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
__HEALD_FN unsigned mulhi(int a, unsigned b) { return __umulhi(unsigned(a), b); }
__HEALD_FN unsigned mulhi(unsigned a, int b) { return __umulhi(a, unsigned(b)); }

// Products of the low 24 bits.
__HEALD_FN int __mul24(int a, int b) {
    int a24 = int(unsigned(a) << 8) >> 8, b24 = int(unsigned(b) << 8) >> 8;
    return int(unsigned(a24) * unsigned(b24));
}
__HEALD_FN unsigned __umul24(unsigned a, unsigned b) {
    return (a & 0xffffffu) * (b & 0xffffffu);
}

__HEALD_FN unsigned __sad(int a, int b, unsigned sum) {
    return (a > b ? unsigned(a) - unsigned(b) : unsigned(b) - unsigned(a)) + sum;
}
__HEALD_FN unsigned __usad(unsigned a, unsigned b, unsigned sum) {
    return (a > b ? a - b : b - a) + sum;
}

// Averages without overflow: h rounds down, rh rounds up.
__HEALD_FN int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
__HEALD_FN int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
__HEALD_FN unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
__HEALD_FN unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }

// {high, low} shifted as one 64-bit value; the amount modulo 32, or clamped to 32 (c).
__HEALD_FN unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return unsigned(((((unsigned long long)high << 32) | low) << (shift & 31u)) >> 32);
}
__HEALD_FN unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return unsigned((((unsigned long long)high << 32) | low) >> (shift & 31u));
}
__HEALD_FN unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32u ? low : __funnelshift_l(low, high, shift);
}
__HEALD_FN unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32u ? high : __funnelshift_r(low, high, shift);
}

// Four-way byte and two-way 16 x 8 bit dot products, accumulated with wrap-around.
__HEALD_FN int __heald_dot_s8(int a, int b) {
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) sum += int((signed char)(a >> (8 * i))) * (signed char)(b >> (8 * i));
    return sum;
}
__HEALD_FN unsigned __heald_dot_u8(unsigned a, unsigned b) {
    unsigned sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) sum += ((a >> (8 * i)) & 255u) * ((b >> (8 * i)) & 255u);
    return sum;
}
__HEALD_FN int __dp4a(int a, int b, int c) { return int(unsigned(__heald_dot_s8(a, b)) + unsigned(c)); }
__HEALD_FN unsigned __dp4a(unsigned a, unsigned b, unsigned c) { return __heald_dot_u8(a, b) + c; }
__HEALD_FN int __dp4a(char4 a, char4 b, int c) {
    return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
__HEALD_FN unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
    return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
__HEALD_FN int __dp2a_lo(int a, int b, int c) {
    int sum = int(short(a)) * (signed char)(b) + int(short(a >> 16)) * (signed char)(b >> 8);
    return int(unsigned(sum) + unsigned(c));
}
__HEALD_FN int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
__HEALD_FN unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return (a & 0xffffu) * (b & 255u) + (a >> 16) * ((b >> 8) & 255u) + c;
}
__HEALD_FN unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
    return __dp2a_lo(a, b >> 16, c);
}
__HEALD_FN int __dp2a_lo(short2 a, char4 b, int c) {
    return __dp2a_lo(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
__HEALD_FN int __dp2a_hi(short2 a, char4 b, int c) {
    return __dp2a_hi(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
__HEALD_FN unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
    return __dp2a_lo(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
__HEALD_FN unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
    return __dp2a_hi(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
