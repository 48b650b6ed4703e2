// Lanes with equal values, and whether all are equal.
//@ arg x = in int32[128] integers(0, 6)
//@ arg any = out uint32[128]
//@ arg any64 = out uint32[128]
//@ arg all = out uint32[128]
//@ launch match<<<1, 128>>>(x, any, any64, all)

extern "C" __global__ void match(const int* x, unsigned* any, unsigned* any64, unsigned* all) {
    int i = threadIdx.x, same;
    any[i] = __match_any_sync(0xffffffffu, x[i]);
    any64[i] = __match_any_sync(0xffffffffu, (unsigned long long)(x[i] / 2) << 40);
    unsigned m = __match_all_sync(0xffffffffu, i / 64, &same);
    all[i] = m ^ (same ? 1u : 0u);
}
