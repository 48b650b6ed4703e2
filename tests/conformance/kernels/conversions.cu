// Conversions between integers and floats with a stated rounding.
//@ arg n = int32(512)
//@ arg x = in int64[n] integers(-2**62, 2**62)
//@ arg out = out float32[6 * n]
//@ arg wide = out float64[3 * n]
//@ launch conversions<<<4, 128>>>(n, x, out, wide)

extern "C" __global__ void conversions(int n, const long long* x, float* out, double* wide) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = (int)(x[i] >> 20);
    float* o = out + 6 * i;
    o[0] = __int2float_rn(v);
    o[1] = __int2float_rd(v);
    o[2] = __int2float_ru(v);
    o[3] = __int2float_rz(v);
    o[4] = __ll2float_rd(x[i]);
    o[5] = __double2float_ru((double)v * 1.000000001);
    wide[3 * i] = __ll2double_rd(x[i]);
    wide[3 * i + 1] = __ll2double_ru(x[i]);
    wide[3 * i + 2] = __hiloint2double(0x3ff00000, v);
}
