#include "tests/cpp/simt/stress_kernels.hpp"

namespace heald::cpu::test {

std::vector<StressKernel> data_kernels() {
    using Kind = StressKernel::Kind;
    return {
        {"private_arrays", Kind::plain, R"CUDA(
extern "C" __global__ void private_arrays(int n, const float* in, float* out, const int* iin,
                                          int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a[8];
    for (int j = 0; j < 8; ++j) a[j] = in[(i + j) % n];
    int b = iin[i] & 7;
    for (int j = 0; j < b; ++j) {
        a[(j + iin[i]) & 7] += a[j];
    }
    out[i] = a[b];
    int c[5] = {1, 2, 3, 4, 5};
    iout[i] = c[iin[i] % 5];
}
)CUDA"},
        {"structures", Kind::plain, R"CUDA(
struct V {
    float x, y, z;
    __device__ V operator+(V o) const {
        return {x + o.x, y + o.y, z + o.z};
    }
};
template <int N>
__device__ V acc(const float* p, int i, int n) {
    V v{0, 0, 0};
    for (int k = 0; k < N; ++k) v = v + V{p[(i + k) % n], p[(i * 2 + k) % n], 1.f};
    return v;
}
extern "C" __global__ void structures(int n, const float* in, float* out, const int* iin,
                                      int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    V v = acc<5>(in, i, n);
    if (v.x > v.y) v = v + acc<2>(in, i + 1, n);
    out[i] = v.x + v.y * v.z;
    double d = v.x;
    iout[i] = (int)(sqrt(fabs(d)) * 100) + (int)(((long long)i * 1000003LL) >> 7);
}
)CUDA"},
        {"half_floats", Kind::plain, R"CUDA(
#include <cuda_fp16.h>
extern "C" __global__ void half_floats(int n, const float* in, float* out, const int* iin,
                                       int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    half h = __float2half(in[i]);
    h = h * h + (half)1;
    out[i] = __half2float(h);
    unsigned char c = iin[i];
    short s = iin[i] * 3;
    iout[i] = c + s;
}
)CUDA"},
        {"atomics", Kind::atomic, R"CUDA(
__device__ float fmaxA(float* a, float v) {
    int* p = (int*)a;
    int old = *p, as;
    do {
        as = old;
        if (__builtin_bit_cast(float, as) >= v) break;
        old = atomicCAS(p, as, __builtin_bit_cast(int, v));
    } while (old != as);
    return __builtin_bit_cast(float, old);
}
extern "C" __global__ void atomics(int n, const float* in, float* out, const int* iin,
                                   int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    fmaxA(&out[iin[i] & 15], in[i]);
    atomicAdd(&iout[iin[i] & 31], i);
    atomicMax(&iout[40], iin[i]);
    atomicAdd(&iout[41], 1);
}
)CUDA"},
        {"constants", Kind::plain, R"CUDA(
__constant__ float tab[4] = {1, 2, 3, 4};
__constant__ int it[3] = {7, 8, 9};
extern "C" __global__ void constants(int n, const float* in, float* out, const int* iin,
                                     int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = tab[iin[i] & 3] * in[i] + tab[2];
    iout[i] = it[i % 3];
}
)CUDA"},
        {"integers", Kind::plain, R"CUDA(
extern "C" __global__ void integers(int n, const float* in, float* out, const int* iin,
                                    int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int a = iin[i], b = (iin[(i + 1) % n] % 7) - 3;
    unsigned u = (unsigned)a * 2654435761u;
    long long l = (long long)a * b * 1000003LL;
    int r = __popc(u) + __clz(a) + __ffs(u) + (int)__brev(u) +
            (int)__byte_perm(u, a, 0x3210 + (0x1111 & 0));
    r += b ? a / b + a % b : 5;
    r ^= min(a, b) + max(a, -b) + abs(b);
    r += (int)(l >> 9) + __mulhi(a, (int)u) + (int)__umulhi(u, u);
    unsigned long long q = (unsigned long long)u * u;
    r += __popcll(q) + __clzll(l | 1);
    iout[i] = r + (int)((__int128)l * l >> 40);
    out[i] = (float)l * 1e-9f + fmaf(in[i], 2.f, 1.f) + truncf(in[i] * 10) + roundf(in[i] * 7) +
             rintf(in[i] * 9) + (isnan(in[i]) ? 1 : 0) + copysignf(1.f, in[i]) +
             fmaxf(in[i], 0.1f) + (signbit(in[i]) ? 2 : 0);
}
)CUDA"},
        {"mathematics", Kind::plain, R"CUDA(
extern "C" __global__ void mathematics(int n, const float* in, float* out, const int* iin,
                                       int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    double d = x;
    float s = sinf(x) + cosf(x) + tanf(x) + expf(x) + exp2f(x) + exp10f(x) + logf(fabsf(x) + 1) +
              log2f(fabsf(x) + 1);
    s += log10f(x * x + 1) + log1pf(x * x) + expm1f(x) + powf(fabsf(x), 1.5f) + sinhf(x) +
         coshf(x) + tanhf(x) + asinf(x) + acosf(x) + atanf(x) + atan2f(x, 0.3f);
    s += asinhf(x) + acoshf(2 + x) + atanhf(x * 0.9f) + cbrtf(x) + erff(x) + erfcf(x) +
         hypotf(x, 2.f);
    double t = sin(d) + exp(d) + log(d * d + 1) + pow(fabs(d), 2.5) + atan2(d, 0.4) + cbrt(d) +
               erf(d) + tanh(d) + hypot(d, 1.0);
    if (iin[i] % 3 == 0) t += acosh(3 + d) + expm1(d);
    out[i] = s + (float)t;
    iout[i] = (int)(t * 1000);
}
)CUDA"},
        {"aggregates", Kind::plain, R"CUDA(
struct Pair {
    int a;
    float b;
};
struct Big {
    double d[3];
    int n;
};
__device__ __noinline__ Pair make(int i, float f) {
    Pair p{i, f};
    return p;
}
extern "C" __global__ void aggregates(int n, const float* in, float* out, const int* iin,
                                      int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Pair table[3];
    for (int k = 0; k < 3; ++k) table[k] = make(iin[(i + k) % n], in[(i * 3 + k) % n]);
    Pair p = table[iin[i] % 3];
    Big b;
    for (int k = 0; k < 3; ++k) b.d[k] = in[(i + k) % n];
    b.n = iin[i] % 3;
    Big c = (iin[i] & 8) ? b : Big{{1, 2, 3}, 1};
    float2 v = make_float2(in[i], p.b);
    float4 w = make_float4(v.x, v.y, c.d[c.n], 1);
    float4 ws[2] = {w, make_float4(1, 2, 3, 4)};
    w = ws[iin[i] & 1];
    char bytes[5];
    memcpy(bytes, &iin[i], 4);
    bytes[4] = 1;
    int back;
    memcpy(&back, bytes + (iin[i] & 1), 4);
    memset(bytes, iin[i], 5);
    out[i] = w.x + w.y + w.z + w.w;
    iout[i] = p.a + back + bytes[2];
}
)CUDA"},
    };
}

}  // namespace heald::cpu::test
