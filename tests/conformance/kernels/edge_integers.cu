// What the devices give where C++ leaves it open, for integers. The inputs come from memory, so that
// no compiler folds them.
//@ arg v = in int32[8] values(0, 7, -7, -1, -2147483648, 33, 5, 1)
//@ arg w = in int64[4] values(0, 7, -1, -9223372036854775808)
//@ arg out = out uint64[42]
//@ launch edge_integers<<<1, 1>>>(v, w, out)

extern "C" __global__ void edge_integers(const int* v, const long long* w, unsigned long long* out) {
    int zero = v[0], seven = v[1], minus_seven = v[2], minus_one = v[3], lowest = v[4];
    int k = 0;
    out[k++] = (unsigned)(seven / zero);
    out[k++] = (unsigned)(minus_seven / zero);
    out[k++] = (unsigned)seven / (unsigned)zero;
    out[k++] = (unsigned)(seven % zero);
    out[k++] = (unsigned)(minus_seven % zero);
    out[k++] = (unsigned)seven % (unsigned)zero;
    out[k++] = (unsigned)(lowest / minus_one);
    out[k++] = (unsigned)(lowest % minus_one);
    out[k++] = (unsigned long long)(w[3] / w[2]);
    out[k++] = (unsigned long long)(w[3] % w[2]);
    out[k++] = (unsigned)abs(lowest);
    out[k++] = (unsigned)__clz(zero);
    out[k++] = (unsigned)__ffs(zero);
    out[k++] = __fns(0x8001u, 0, 1);
    out[k++] = __fns(0x8001u, 0, 2);
    out[k++] = __fns(0x8001u, 1, 1);
    out[k++] = __fns(0x8001u, 15, -2);
    out[k++] = __fns(0x8001u, 0, 0);
    out[k++] = __fns(0x8001u, 1, 0);
    out[k++] = __fns(0x8001u, 16, 1);
    out[k++] = (unsigned)__rhadd(minus_seven, v[7] - 1);
    out[k++] = (unsigned)__hadd(minus_seven, v[7] - 1);
    out[k++] = __vavgs2(0xfff9fffeu, 0x00000001u + (unsigned)zero);
    out[k++] = __vavgs4(0xf9fe01ffu, 0x00010200u + (unsigned)zero);
    out[k++] = __vabs2(0x80007fffu + (unsigned)zero);
    out[k++] = __vabsss2(0x80007fffu + (unsigned)zero);
    out[k++] = __vneg4(0x80ff0001u + (unsigned)zero);
    out[k++] = __vnegss4(0x80ff0001u + (unsigned)zero);
    out[k++] = __vabsdiffs4(0x80ff0001u, 0x7f00ff80u + (unsigned)zero);
    out[k++] = __vsads2(0x80007fffu, 0x7fff8000u + (unsigned)zero);
    out[k++] = __vhaddu4(0xff030102u, 0xfe040203u + (unsigned)zero);
    out[k++] = __vsetles2(0x80000001u, 0x7fff0001u + (unsigned)zero);
    out[k++] = (unsigned)__mulhi(lowest, lowest);
    out[k++] = (unsigned)__mul24(0x800001 + zero, 3);
    out[k++] = (unsigned)__sad(lowest, 2147483647, 0u);
    out[k++] = (unsigned)__usad(0u, 0xffffffffu, (unsigned)seven);
    out[k++] = (unsigned long long)(w[1] / w[0]);
    out[k++] = (unsigned long long)(w[1] % w[0]);
    out[k++] = (unsigned long long)w[1] / (unsigned long long)w[0];
    out[k++] = (unsigned long long)w[1] % (unsigned long long)w[0];
    out[k++] = (unsigned long long)w[2] / (unsigned long long)w[0];
    out[k++] = (unsigned long long)w[2] % (unsigned long long)w[0];
}
