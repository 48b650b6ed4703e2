// The returned old values form a permutation; inc and dec wrap.
//@ arg n = int32(5120)
//@ arg counter = inout uint32[4] values(0, 0, 0, 7)
//@ arg tickets = out uint32[n]
//@ launch atomic_results<<<20, 256>>>(n, counter, tickets)

extern "C" __global__ void atomic_results(int n, unsigned* counter, unsigned* tickets) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned t = atomicAdd(&counter[0], 1u);
    tickets[t] = t * 2u + 1u;
    atomicInc(&counter[1], 99u);
    atomicDec(&counter[2], 99u);
    if (i == 17) tickets[t] = t * 2u + (atomicExch(&counter[3], 40u) == 7u ? 1u : 0u);
}
