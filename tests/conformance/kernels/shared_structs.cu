// Shared arrays of structs, and a shared scalar per block.
//@ arg n = int32(256)
//@ arg x = in int32[n] integers(0, 100)
//@ arg out = out int32[n]
//@ launch shared_structs<<<2, 128>>>(n, x, out)

struct Entry {
    int key;
    short weight;
    char tag;
};
extern "C" __global__ void shared_structs(int n, const int* x, int* out) {
    __shared__ Entry entries[128];
    __shared__ int best;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    entries[t] = Entry{x[i], (short)(t - 64), (char)(x[i] % 7)};
    if (t == 0) best = -1;
    __syncthreads();
    atomicMax(&best, entries[t].key);
    __syncthreads();
    Entry e = entries[(t * 5 + 1) % 128];
    out[i] = e.key * 100 + e.weight + e.tag + best;
}
