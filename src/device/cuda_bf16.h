#pragma once

// bfloat16: __nv_bfloat16, __nv_bfloat162, conversions, arithmetic, comparisons and functions.

#include <heald_device.h>
#include <heald_device/short_float_rounding.h>
#include <heald_device/short_float_integers.h>

#pragma float_control(push)
#pragma clang fp contract(off)
#define __HT __nv_bfloat16
#define __HT2 __nv_bfloat162
#define __HRAW __nv_bfloat16_raw
#define __HRAW2 __nv_bfloat162_raw
#define __HF __heald_bfloat16_format
#define __HN(before, after) before##bfloat16##after
#define __HBROADCAST __bfloat162bfloat162
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


typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFu)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7Fu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001u)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80u)
