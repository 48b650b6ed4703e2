// The functions of src/device under test, each over arrays. Compiled for several instruction sets.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define UNARY(name, from, to)                                                     \
    extern "C" __global__ void eval_##name(int n, const from* a, to* out) {       \
        for (int i = 0; i < n; ++i) out[i] = name(a[i]);                          \
    }
#define BINARY(name, from, to)                                                              \
    extern "C" __global__ void eval_##name(int n, const from* a, const from* b, to* out) {  \
        for (int i = 0; i < n; ++i) out[i] = name(a[i], b[i]);                              \
    }
#define TERNARY(name, from)                                                                    \
    extern "C" __global__ void eval_##name(int n, const from* a, const from* b, const from* c, \
                                           from* out) {                                        \
        for (int i = 0; i < n; ++i) out[i] = name(a[i], b[i], c[i]);                           \
    }
#define BOTH(name) UNARY(name##f, float, float) UNARY(name, double, double)

BOTH(rsqrt) BOTH(rcbrt) BOTH(sinpi) BOTH(cospi) BOTH(erfinv) BOTH(erfcinv) BOTH(erfcx)
UNARY(normcdff, float, float) UNARY(normcdf, double, double)
UNARY(normcdfinvf, float, float) UNARY(normcdfinv, double, double)
BOTH(cyl_bessel_i0) BOTH(cyl_bessel_i1)
BINARY(rhypotf, float, float) BINARY(rhypot, double, double)
TERNARY(norm3df, float) TERNARY(norm3d, double) TERNARY(rnorm3df, float) TERNARY(rnorm3d, double)

#define ROUNDED1(name, type) \
    UNARY(name##_rn, type, type) UNARY(name##_rd, type, type) UNARY(name##_ru, type, type) \
    UNARY(name##_rz, type, type)
#define ROUNDED2(name, type) \
    BINARY(name##_rn, type, type) BINARY(name##_rd, type, type) BINARY(name##_ru, type, type) \
    BINARY(name##_rz, type, type)
#define ROUNDED3(name, type) \
    TERNARY(name##_rn, type) TERNARY(name##_rd, type) TERNARY(name##_ru, type) TERNARY(name##_rz, type)
ROUNDED2(__fadd, float) ROUNDED2(__fsub, float) ROUNDED2(__fmul, float) ROUNDED2(__fdiv, float)
ROUNDED1(__fsqrt, float) ROUNDED1(__frcp, float) ROUNDED3(__fmaf, float)
ROUNDED2(__dadd, double) ROUNDED2(__dsub, double) ROUNDED2(__dmul, double) ROUNDED2(__ddiv, double)
ROUNDED1(__dsqrt, double) ROUNDED1(__drcp, double) ROUNDED3(__fma, double)

#define CONVERTED(name, from, to) \
    UNARY(name##_rn, from, to) UNARY(name##_rd, from, to) UNARY(name##_ru, from, to) \
    UNARY(name##_rz, from, to)
CONVERTED(__double2float, double, float)
CONVERTED(__int2float, int, float) CONVERTED(__uint2float, unsigned, float)
CONVERTED(__ll2float, long long, float) CONVERTED(__ull2float, unsigned long long, float)
CONVERTED(__ll2double, long long, double) CONVERTED(__ull2double, unsigned long long, double)

#define PARTS(f, type)                                                                         \
    extern "C" __global__ void eval_frexp##f(int n, const type* a, type* out, int* exponent) { \
        for (int i = 0; i < n; ++i) out[i] = frexp##f(a[i], &exponent[i]);                     \
    }                                                                                          \
    extern "C" __global__ void eval_ldexp##f(int n, const type* a, const int* e, type* out) {  \
        for (int i = 0; i < n; ++i) out[i] = ldexp##f(a[i], e[i]);                             \
    }                                                                                          \
    extern "C" __global__ void eval_modf##f(int n, const type* a, type* whole, type* out) {    \
        for (int i = 0; i < n; ++i) out[i] = modf##f(a[i], &whole[i]);                         \
    }                                                                                          \
    UNARY(ilogb##f, type, int) UNARY(logb##f, type, type) BINARY(nextafter##f, type, type)
PARTS(f, float) PARTS(, double)

// 16-bit formats, as bits.
__device__ unsigned short half_up(float v) { return __half_as_ushort(__float2half_ru(v)); }
__device__ unsigned short half_down(float v) { return __half_as_ushort(__float2half_rd(v)); }
__device__ unsigned short half_zero(float v) { return __half_as_ushort(__float2half_rz(v)); }
__device__ unsigned short half_nearest(float v) { return __half_as_ushort(__float2half_rn(v)); }
__device__ unsigned short half_of_double(double v) { return __half_as_ushort(__double2half(v)); }
__device__ unsigned short half_of_integer(long long v) { return __half_as_ushort(__ll2half_rn(v)); }
__device__ float half_value(unsigned short b) { return __half2float(__ushort_as_half(b)); }
__device__ unsigned short bfloat_nearest(float v) { return __bfloat16_as_ushort(__float2bfloat16_rn(v)); }
__device__ unsigned short bfloat_of_double(double v) { return __bfloat16_as_ushort(__double2bfloat16(v)); }
__device__ float bfloat_value(unsigned short b) { return __bfloat162float(__ushort_as_bfloat16(b)); }
UNARY(half_up, float, unsigned short) UNARY(half_down, float, unsigned short)
UNARY(half_zero, float, unsigned short) UNARY(half_nearest, float, unsigned short)
UNARY(half_of_double, double, unsigned short) UNARY(half_of_integer, long long, unsigned short)
UNARY(half_value, unsigned short, float)
UNARY(bfloat_nearest, float, unsigned short) UNARY(bfloat_of_double, double, unsigned short)
UNARY(bfloat_value, unsigned short, float)

#define SHORT_OPERATIONS(prefix, type, from_bits, to_bits)                                         \
    __device__ unsigned short prefix##_add(unsigned short a, unsigned short b) {                   \
        return to_bits(from_bits(a) + from_bits(b));                                               \
    }                                                                                              \
    __device__ unsigned short prefix##_mul(unsigned short a, unsigned short b) {                   \
        return to_bits(from_bits(a) * from_bits(b));                                               \
    }                                                                                              \
    __device__ unsigned short prefix##_div(unsigned short a, unsigned short b) {                   \
        return to_bits(from_bits(a) / from_bits(b));                                               \
    }                                                                                              \
    __device__ unsigned short prefix##_max(unsigned short a, unsigned short b) {                   \
        return to_bits(__hmax(from_bits(a), from_bits(b)));                                        \
    }                                                                                              \
    __device__ unsigned short prefix##_fma(unsigned short a, unsigned short b, unsigned short c) { \
        return to_bits(__hfma(from_bits(a), from_bits(b), from_bits(c)));                          \
    }                                                                                              \
    BINARY(prefix##_add, unsigned short, unsigned short)                                           \
    BINARY(prefix##_mul, unsigned short, unsigned short)                                           \
    BINARY(prefix##_div, unsigned short, unsigned short)                                           \
    BINARY(prefix##_max, unsigned short, unsigned short)                                           \
    TERNARY(prefix##_fma, unsigned short)
SHORT_OPERATIONS(half, __half, __ushort_as_half, __half_as_ushort)
SHORT_OPERATIONS(bfloat, __nv_bfloat16, __ushort_as_bfloat16, __bfloat16_as_ushort)
