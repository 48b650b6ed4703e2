#pragma once

// The fixed-width integer types, as the host's C library has them.

#define __HEALD_WIDTH(bits)                                 \
    typedef __INT##bits##_TYPE__ int##bits##_t;             \
    typedef __UINT##bits##_TYPE__ uint##bits##_t;           \
    typedef __INT_LEAST##bits##_TYPE__ int_least##bits##_t; \
    typedef __UINT_LEAST##bits##_TYPE__ uint_least##bits##_t;
__HEALD_WIDTH(8)
__HEALD_WIDTH(16)
__HEALD_WIDTH(32)
__HEALD_WIDTH(64)
#undef __HEALD_WIDTH

typedef signed char int_fast8_t;
typedef unsigned char uint_fast8_t;
typedef long int_fast16_t, int_fast32_t, int_fast64_t;
typedef unsigned long uint_fast16_t, uint_fast32_t, uint_fast64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;

#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MIN (-9223372036854775807L - 1)
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615ul
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define INTMAX_MIN INT64_MIN
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX
#define SIZE_MAX UINT64_MAX
#define PTRDIFF_MIN INT64_MIN
#define PTRDIFF_MAX INT64_MAX

#define INT8_C(c) c
#define INT16_C(c) c
#define INT32_C(c) c
#define INT64_C(c) c##L
#define UINT8_C(c) c
#define UINT16_C(c) c
#define UINT32_C(c) c##U
#define UINT64_C(c) c##UL
#define INTMAX_C(c) c##L
#define UINTMAX_C(c) c##UL
