// What the devices give where C++ leaves it open, for floats: conversions of NaN and of numbers out
// of range, signed zeros, poles. The inputs come from memory, so that no compiler folds them.
//@ arg f = in float32[8] values(nan, inf, -inf, 0.0, -0.0, 1e10, -1e10, 300.7)
//@ arg d = in float64[8] values(nan, inf, -inf, 0.0, -0.0, 1e20, -1e20, 1.0)
//@ arg out = out uint64[74]
//@ launch edge_floats<<<1, 1>>>(f, d, out)

#include <cuda_fp16.h>
__device__ unsigned long long bits(float x) { return __float_as_uint(x); }
__device__ unsigned long long bits(double x) { return (unsigned long long)__double_as_longlong(x); }
extern "C" __global__ void edge_floats(const float* f, const double* d, unsigned long long* out) {
    int k = 0;
    for (int i = 0; i < 3; i += 2) {
        out[k++] = (unsigned)(int)f[i];
        out[k++] = (unsigned)f[i];
        out[k++] = (unsigned long long)(long long)f[i];
        out[k++] = (unsigned long long)f[i];
        out[k++] = (unsigned)(int)d[i];
        out[k++] = (unsigned)d[i];
        out[k++] = (unsigned long long)(long long)d[i];
        out[k++] = (unsigned long long)d[i];
        out[k++] = (unsigned)__float2int_rn(f[i]);
        out[k++] = (unsigned long long)__float2ll_rd(f[i]);
        out[k++] = (unsigned)__double2int_ru(d[i]);
        out[k++] = __double2uint_rz(d[i]);
        out[k++] = (unsigned long long)__double2ll_rn(d[i]);
        out[k++] = __double2ull_rn(d[i]);
        out[k++] = (unsigned short)__half2short_rn(__float2half(f[i]));
        out[k++] = __half2ushort_rz(__float2half(f[i]));
        out[k++] = (unsigned)__half2int_rn(__float2half(f[i]));
        out[k++] = (unsigned long long)__half2ll_rn(__float2half(f[i]));
    }
    out[k++] = (unsigned)(int)f[5];
    out[k++] = (unsigned)f[6];
    out[k++] = (unsigned long long)llrintf(f[5] * f[5]);
    out[k++] = (unsigned long long)lrint(d[6]);
    out[k++] = __half_as_ushort(__hmax(__float2half(f[4]), __float2half(f[3])));
    out[k++] = __half_as_ushort(__hmin(__float2half(f[3]), __float2half(f[4])));
    out[k++] = bits(__saturatef(f[0]));
    out[k++] = bits(rsqrtf(f[3]));
    out[k++] = bits(rsqrtf(f[4]));
    out[k++] = (unsigned)ilogbf(f[3]);
    out[k++] = (unsigned)ilogbf(f[0]);
    out[k++] = (unsigned)ilogbf(f[1]);
    out[k++] = bits(logbf(f[3]));
    out[k++] = bits(sinpif(1.0f + f[3]));
    out[k++] = bits(sinpif(-1.0f + f[3]));
    out[k++] = bits(sinpif(f[4]));
    out[k++] = bits(cospif(0.5f + f[3]));
    out[k++] = bits(cospif(-0.5f + f[3]));
    out[k++] = bits(cospif(1e30f + f[3]));
    out[k++] = bits(erfinvf(1.0f + f[3]));
    out[k++] = bits(erfcinvf(2.0f + f[3]));
    out[k++] = bits(normcdfinvf(f[3]));
    out[k++] = bits(normcdff(f[2]));
    out[k++] = bits(erfcxf(f[2]));
    out[k++] = bits(__fadd_rd(f[3], f[4]));
    out[k++] = bits(__fmul_ru(1e-30f + f[3], 1e-30f));
    out[k++] = bits(__fmul_rd(-1e-30f + f[3], 1e-30f));
    out[k++] = bits(__fmul_rz(3e38f + f[3], 10.0f));
    out[k++] = bits(__dmul_ru(1e-200 + d[3], 1e-200));
    out[k++] = bits(__ddiv_rd(1e-320 + d[3], 3.0));
    out[k++] = bits(__fdiv_rz(1.0f, f[3]));
    out[k++] = bits(__frcp_ru(3.0f + f[3]));
    out[k++] = bits(__dsqrt_rd(2.0 + d[3]));
    out[k++] = bits(__double2float_ru(1e-50 + d[3]));
    out[k++] = bits(__double2float_rd(1e300 + d[3]));
    out[k++] = bits(copysignf(f[0], -1.0f) != 0.0f ? 1.0f : 0.0f);
    out[k++] = __half_as_ushort(__float2half_rn(f[1]));
    out[k++] = __half_as_ushort(__float2half_rz(1e6f + f[3]));
}
