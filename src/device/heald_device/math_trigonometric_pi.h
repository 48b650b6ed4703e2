#pragma once

// sinpi, cospi, sincospi: the argument is reduced exactly, in units of half turns.

#include <heald_device/libc.h>

// r in [-1/4, 1/4] and the quarter turn, with x = r + quarter / 2.
#define __HEALD_SINCOSPI(type, suffix, pi)                                                    \
    __HEALD_FN void sincospi##suffix(type x, type* sine, type* cosine) {                      \
        type halves = __builtin_rint##suffix(x + x);                                          \
        type r = x - halves * type(0.5);                                                      \
        /* Past 2^k every x is an even integer: the quotient by 4 stays exact. */             \
        type quarter = halves - type(4) * __builtin_floor##suffix(halves * type(0.25));       \
        type s = sin##suffix(r * type(pi)), c = cos##suffix(r * type(pi));                    \
        bool odd = quarter == type(1) || quarter == type(3);                                  \
        type a = odd ? c : s, b = odd ? s : c;                                                \
        a = quarter >= type(2) ? -a : a;                                                      \
        b = quarter == type(1) || quarter == type(2) ? -b : b;                                \
        bool whole = r == type(0) && !odd;                                                    \
        *sine = whole ? __builtin_copysign##suffix(type(0), x) : a;                           \
        *cosine = r == type(0) && odd ? type(0) : b;                                          \
    }                                                                                         \
    __HEALD_FN type sinpi##suffix(type x) {                                                   \
        type s, c;                                                                            \
        sincospi##suffix(x, &s, &c);                                                          \
        return s;                                                                             \
    }                                                                                         \
    __HEALD_FN type cospi##suffix(type x) {                                                   \
        type s, c;                                                                            \
        sincospi##suffix(x, &s, &c);                                                          \
        return c;                                                                             \
    }
__HEALD_SINCOSPI(float, f, 3.14159265358979323846f)
__HEALD_SINCOSPI(double, , 3.14159265358979323846)
#undef __HEALD_SINCOSPI
