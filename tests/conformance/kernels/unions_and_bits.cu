// Unions, bit-fields, bit casts between floats and integers.
//@ arg n = int32(256)
//@ arg x = in float32[n] uniform(-1000, 1000)
//@ arg out = out uint32[n]
//@ launch unions_and_bits<<<2, 128>>>(n, x, out)

union Word {
    unsigned u;
    unsigned char b[4];
};
struct Fields {
    unsigned low : 5;
    unsigned mid : 11;
    signed high : 16;
};
extern "C" __global__ void unions_and_bits(int n, const float* x, unsigned* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Word w;
    w.u = __float_as_uint(x[i]);
    Fields f;
    f.low = w.b[0];
    f.mid = w.u >> 7;
    f.high = (short)(w.u >> 16);
    out[i] = f.low * 3u + f.mid * 5u + (unsigned)f.high + w.b[3];
}
