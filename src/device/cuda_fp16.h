#pragma once

// half and half2: __half, __half2, conversions, arithmetic, comparisons and functions.

#include <heald_device.h>
#include <heald_device/short_float_rounding.h>
#include <heald_device/short_float_integers.h>

#pragma float_control(push)
#pragma clang fp contract(off)
#define __HT __half
#define __HT2 __half2
#define __HRAW __half_raw
#define __HRAW2 __half2_raw
#define __HF __heald_half_format
#define __HN(before, after) before##half##after
#define __HBROADCAST __half2half2
#include <heald_device/short_float_type.h>
#include <heald_device/short_float_convert.h>
#include <heald_device/short_float_arithmetic.h>
#include <heald_device/short_float_math.h>
#undef __HT
#undef __HT2
#undef __HRAW
#undef __HRAW2
#undef __HF
#undef __HN
#undef __HBROADCAST
#pragma float_control(pop)

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half __nv_half;
typedef __half2 nv_half2;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFu)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00u)
