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
        {"narrow_gathers", Kind::plain, R"CUDA(
#include <cuda_fp16.h>
extern "C" __global__ void narrow_gathers(int n, const float* in, float* out, const int* iin,
                                          int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned char* bytes = (const unsigned char*)iin;
    const short* shorts = (const short*)iin;
    const __half* halves = (const __half*)iin;
    const uchar4* quads = (const uchar4*)iin;
    unsigned at = i * 2654435761u % (unsigned)n;
    int sum = bytes[at] + shorts[(at + 3) % n] * 3 + bytes[4 * i + 1];
    uchar4 q = quads[at];
    q.x += bytes[3 * (i / 4)];
    __half2 h = __halves2half2(halves[(at & ~1u) % 512], __float2half(in[i]));
    h = __hadd2(__hmul2(h, h), __float2half2_rn(1.0f));
    if (sum & 1) sum += shorts[n - 1 - i];
    unsigned char* backwards = (unsigned char*)iout + 4 * n;
    short* pairs = (short*)(out + n);
    iout[i] = sum + q.x * q.w;
    out[i] = __high2float(h);
    if (i < 512) backwards[511 - i] = (unsigned char)sum;
    if (i < 256 && sum % 3) pairs[2 * (255 - i)] = (short)(sum + i);
}
)CUDA"},
        {"vectors_in_memory", Kind::plain, R"CUDA(
extern "C" __global__ void vectors_in_memory(int n, const float* in, float* out, const int* iin,
                                             int* iout) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i + 3 >= n) return;
    float4 v = ((const float4*)in)[i];
    int2 w = ((const int2*)iin)[2 * i + 1];
    float3 t = ((const float3*)in)[i];
    double2 local[2] = {make_double2(v.x, v.y), make_double2(t.x, t.z)};
    double2 d = local[w.x & 1];
    ((float4*)out)[i] = make_float4(v.w, v.z + t.y, (float)d.x, (float)d.y);
    if (w.y % 5 != 0) ((int4*)iout)[i] = make_int4(w.x, w.y, i, -i);
    volatile int* loud = iout + n;
    if (i < 300) loud[i] = w.x + 1;
    if (i < 300) loud[i] = loud[i] * 2;
}
)CUDA"},
    };
}

}  // namespace heald::cpu::test
