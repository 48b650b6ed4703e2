// Every atomic on int, unsigned and 64-bit integers; their final values.
//@ arg n = int32(10000)
//@ arg x = in int32[n] integers(-2**31, 2**31)
//@ arg i32 = inout int32[8] values(0, 0, 2147483647, -2147483648, -1, 0, 0, 0)
//@ arg u32 = inout uint32[4] values(0, 4294967295, 0, 0)
//@ arg u64 = inout uint64[4] values(0, 18446744073709551615, 0, 0)
//@ launch atomic_operations<<<40, 256>>>(n, x, i32, u32, u64)

extern "C" __global__ void atomic_operations(int n, const int* x, int* i32, unsigned* u32,
                                             unsigned long long* u64) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&i32[0], x[i]);
    atomicSub(&i32[1], x[i]);
    atomicMin(&i32[2], x[i]);
    atomicMax(&i32[3], x[i]);
    atomicAnd(&i32[4], x[i] | 0xff00);
    atomicOr(&i32[5], x[i] & 0xf0f);
    atomicXor(&i32[6], x[i]);
    atomicAdd(&u32[0], (unsigned)x[i]);
    atomicMin(&u32[1], (unsigned)x[i]);
    atomicMax(&u32[2], (unsigned)x[i]);
    atomicAdd(&u64[0], (unsigned long long)(unsigned)x[i] << 20);
    atomicMin(&u64[1], (unsigned long long)(unsigned)x[i] << 20);
    atomicMax(&u64[2], (unsigned long long)(unsigned)x[i] << 20);
    atomicXor(&u64[3], (unsigned long long)(unsigned)x[i] << 9);
}
