#pragma once

// make_char1 … make_double4.

#include <heald_device/vector_types.h>

#define __HEALD_MAKE4(type, result) \
    __HEALD_HD constexpr result make_##result(type x, type y, type z, type w) { return {x, y, z, w}; }
#define __HEALD_MAKE(type, name)                                                              \
    __HEALD_HD constexpr name##1 make_##name##1(type x) { return {x}; }                       \
    __HEALD_HD constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }            \
    __HEALD_HD constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
    __HEALD_MAKE4(type, name##4)
__HEALD_MAKE(signed char, char)
__HEALD_MAKE(unsigned char, uchar)
__HEALD_MAKE(short, short)
__HEALD_MAKE(unsigned short, ushort)
__HEALD_MAKE(int, int)
__HEALD_MAKE(unsigned, uint)
__HEALD_MAKE(long, long)
__HEALD_MAKE(unsigned long, ulong)
__HEALD_MAKE(long long, longlong)
__HEALD_MAKE(unsigned long long, ulonglong)
__HEALD_MAKE(float, float)
__HEALD_MAKE(double, double)
#undef __HEALD_MAKE

#define __HEALD_MAKE_ALIGNED(type, name) \
    __HEALD_MAKE4(type, name##4_16a) __HEALD_MAKE4(type, name##4_32a)
__HEALD_MAKE_ALIGNED(long, long)
__HEALD_MAKE_ALIGNED(unsigned long, ulong)
__HEALD_MAKE_ALIGNED(long long, longlong)
__HEALD_MAKE_ALIGNED(unsigned long long, ulonglong)
__HEALD_MAKE_ALIGNED(double, double)
#undef __HEALD_MAKE_ALIGNED
#undef __HEALD_MAKE4
