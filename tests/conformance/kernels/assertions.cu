// assert that holds costs nothing and says nothing.
//@ arg n = int32(128)
//@ arg out = out int32[n]
//@ launch assertions<<<1, 128>>>(n, out)

#ifndef __CUDACC_RTC__
#include <cassert>
#endif
extern "C" __global__ void assertions(int n, int* out) {
    int i = threadIdx.x;
    assert(i < n && "in range");
    out[i] = n - i;
    assert(out[i] > 0);
}
