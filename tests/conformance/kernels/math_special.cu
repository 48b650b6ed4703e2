// Functions that CUDA has and the C library has not.
//@ arg n = int32(1024)
//@ arg x = in float64[n] uniform(0.02, 0.98)
//@ arg out = out float64[12 * n]
//@ compare out rtol=1e-12 atol=1e-13
//@ launch math_special<<<8, 128>>>(n, x, out)

extern "C" __global__ void math_special(int n, const double* x, double* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = x[i], s, c;
    double* o = out + 12 * i;
    sincospi(v, &s, &c);
    o[0] = s;
    o[1] = c;
    o[2] = erf(erfinv(v));
    o[3] = erfc(erfcinv(v));
    o[4] = normcdf(normcdfinv(v));
    o[5] = erfcx(v);
    o[6] = exp10(v);
    o[7] = rcbrt(v);
    o[8] = norm3d(v, 1.0, 2.0);
    o[9] = rhypot(v, 2.0);
    o[10] = tgamma(v + 1.0);
    o[11] = sinpi(v) - s + cospi(v) - c;
}
