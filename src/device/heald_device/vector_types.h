#pragma once

// char1 … ulonglong4 and float1 … double4, laid out and aligned as in CUDA.

#include <heald_device/builtin_variables.h>

#define __HEALD_VECTOR_STRUCT(type, name, align2, align4) \
    struct name##1 { type x; };                           \
    struct __align__(align2) name##2 { type x, y; };      \
    struct __align__(align4) name##4 { type x, y, z, w; };

#define __HEALD_VECTOR(type, name, align2, align4)    \
    __HEALD_VECTOR_STRUCT(type, name, align2, align4) \
    struct name##3 { type x, y, z; };

__HEALD_VECTOR(signed char, char, 2, 4)
__HEALD_VECTOR(unsigned char, uchar, 2, 4)
__HEALD_VECTOR(short, short, 4, 8)
__HEALD_VECTOR(unsigned short, ushort, 4, 8)
__HEALD_VECTOR(int, int, 8, 16)
__HEALD_VECTOR_STRUCT(unsigned, uint, 8, 16)
__HEALD_VECTOR(long, long, 16, 16)
__HEALD_VECTOR(unsigned long, ulong, 16, 16)
__HEALD_VECTOR(long long, longlong, 16, 16)
__HEALD_VECTOR(unsigned long long, ulonglong, 16, 16)
__HEALD_VECTOR(float, float, 8, 16)
__HEALD_VECTOR(double, double, 16, 16)

#undef __HEALD_VECTOR
#undef __HEALD_VECTOR_STRUCT

// The 64-bit element types with four members name their alignment.
#define __HEALD_VECTOR_ALIGNED(type, name)                     \
    struct __align__(16) name##4_16a { type x, y, z, w; };     \
    struct __align__(32) name##4_32a { type x, y, z, w; };
__HEALD_VECTOR_ALIGNED(long, long)
__HEALD_VECTOR_ALIGNED(unsigned long, ulong)
__HEALD_VECTOR_ALIGNED(long long, longlong)
__HEALD_VECTOR_ALIGNED(unsigned long long, ulonglong)
__HEALD_VECTOR_ALIGNED(double, double)
#undef __HEALD_VECTOR_ALIGNED
