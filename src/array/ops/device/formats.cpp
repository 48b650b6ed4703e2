#include "src/array/ops/device_functions.hpp"

namespace heald::array {

std::span<const DeviceFunctions> format_functions() noexcept {
    static constexpr DeviceFunctions all[] = {
        // float16 and bfloat16 are computed as float and rounded to their own values: their bits in
        // memory, and what is stored. No header is needed, on either device.
        {"float16", "", R"(
namespace heald_ {
#ifdef HEALD_CPU
__device__ inline float from_float16(unsigned short bits) {
    return (float)__builtin_bit_cast(_Float16, bits);
}
__device__ inline unsigned short to_float16(float x) {
    return __builtin_bit_cast(unsigned short, (_Float16)x);
}
__device__ inline unsigned short to_float16(double x) {
    return __builtin_bit_cast(unsigned short, (_Float16)x);
}
#else
__device__ inline float from_float16(unsigned short bits) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
}
__device__ inline unsigned short to_float16(float x) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
}
__device__ inline unsigned short to_float16(double x) {
    unsigned short bits;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x));
    return bits;
}
#endif
template <class X> __device__ inline float round_float16(X x) {
    return from_float16(to_float16(x));
}
}
)"},
        {"bfloat16", "", R"(
namespace heald_ {
__device__ inline float from_bfloat16(unsigned short bits) {
    return __uint_as_float((unsigned)bits << 16);
}
__device__ inline unsigned short to_bfloat16(float x) {
    const unsigned bits = __float_as_uint(x);
    const unsigned rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
    return x != x ? (unsigned short)(bits >> 16 | 64u) : (unsigned short)(rounded >> 16);
}
// Rounded to odd first, so that the second rounding is right.
__device__ inline unsigned short to_bfloat16(double x) {
    float y = __double2float_rz(x);
    if ((double)y != x && x == x) y = __uint_as_float(__float_as_uint(y) | 1u);
    return to_bfloat16(y);
}
template <class X> __device__ inline float round_bfloat16(X x) {
    return from_bfloat16(to_bfloat16(x));
}
}
)"},
        // Elements that are loaded and stored together.
        {"pack", "", R"(
template <class T, int width> struct alignas(sizeof(T) * width) Pack {
    T v[width];
};
)"},
        {"shuffle", "", R"(
namespace heald_ {
template <class T> __device__ inline T shuffle_down(T x, unsigned distance) {
    if constexpr (sizeof(T) < 4)
        return (T)__shfl_down_sync(0xffffffffu, (int)x, distance);
    else
        return __shfl_down_sync(0xffffffffu, x, distance);
}
template <class R> struct complex;
template <class R> __device__ inline complex<R> shuffle_down(complex<R> x, unsigned distance) {
    return {__shfl_down_sync(0xffffffffu, x.re, distance),
            __shfl_down_sync(0xffffffffu, x.im, distance)};
}
}
)"},
    };
    return all;
}

}  // namespace heald::array
