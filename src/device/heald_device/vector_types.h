#pragma once

// char1 … ulonglong4, float1 … double4 and make_*, laid out and aligned as in CUDA.

#include <heald_device/builtin_variables.h>

#define __HEALD_VECTOR_STRUCT(type, name, align2, align4) \
    struct name##1 { type x; };                           \
    struct __align__(align2) name##2 { type x, y; };      \
    struct __align__(align4) name##4 { type x, y, z, w; };

#define __HEALD_VECTOR_MAKE(type, name)                                                      \
    __HEALD_HD constexpr name##1 make_##name##1(type x) { return {x}; }                      \
    __HEALD_HD constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }           \
    __HEALD_HD constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
    __HEALD_HD constexpr name##4 make_##name##4(type x, type y, type z, type w) {            \
        return {x, y, z, w};                                                                 \
    }

#define __HEALD_VECTOR(type, name, align2, align4)   \
    __HEALD_VECTOR_STRUCT(type, name, align2, align4) \
    struct name##3 { type x, y, z; };                \
    __HEALD_VECTOR_MAKE(type, name)

__HEALD_VECTOR(signed char, char, 2, 4)
__HEALD_VECTOR(unsigned char, uchar, 2, 4)
__HEALD_VECTOR(short, short, 4, 8)
__HEALD_VECTOR(unsigned short, ushort, 4, 8)
__HEALD_VECTOR(int, int, 8, 16)
__HEALD_VECTOR_STRUCT(unsigned, uint, 8, 16)
__HEALD_VECTOR_MAKE(unsigned, uint)
__HEALD_VECTOR(long, long, 16, 16)
__HEALD_VECTOR(unsigned long, ulong, 16, 16)
__HEALD_VECTOR(long long, longlong, 16, 16)
__HEALD_VECTOR(unsigned long long, ulonglong, 16, 16)
__HEALD_VECTOR(float, float, 8, 16)
__HEALD_VECTOR(double, double, 16, 16)

#undef __HEALD_VECTOR
#undef __HEALD_VECTOR_MAKE
#undef __HEALD_VECTOR_STRUCT

// The four 64-bit element types that name their alignment.
#define __HEALD_VECTOR_ALIGNED(type, name, bytes)                                      \
    struct __align__(bytes) name##4_##bytes##a { type x, y, z, w; };                   \
    __HEALD_HD constexpr name##4_##bytes##a make_##name##4_##bytes##a(type x, type y, type z, \
                                                                      type w) {        \
        return {x, y, z, w};                                                           \
    }
#define __HEALD_VECTOR_BOTH(type, name) \
    __HEALD_VECTOR_ALIGNED(type, name, 16) __HEALD_VECTOR_ALIGNED(type, name, 32)
__HEALD_VECTOR_BOTH(long, long)
__HEALD_VECTOR_BOTH(unsigned long, ulong)
__HEALD_VECTOR_BOTH(long long, longlong)
__HEALD_VECTOR_BOTH(unsigned long long, ulonglong)
__HEALD_VECTOR_BOTH(double, double)
#undef __HEALD_VECTOR_BOTH
#undef __HEALD_VECTOR_ALIGNED
