// Elementary functions in double precision.
//@ arg n = int32(2048)
//@ arg x = in float64[n] uniform(0.01, 20)
//@ arg out = out float64[12 * n]
//@ compare out rtol=3e-14 atol=1e-15
//@ launch math_double<<<16, 128>>>(n, x, out)

extern "C" __global__ void math_double(int n, const double* x, double* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v = x[i];
    double* o = out + 12 * i;
    o[0] = exp(-v);
    o[1] = log(v);
    o[2] = sin(v);
    o[3] = cos(v);
    o[4] = tanh(v);
    o[5] = pow(v, 1.5);
    o[6] = sqrt(v);
    o[7] = rsqrt(v);
    o[8] = log1p(v);
    o[9] = expm1(-v);
    o[10] = hypot(v, 3.0);
    o[11] = fmod(v, 0.75);
}
