// Lambdas with captures by value and by reference, passed to a template, and called at once.
//@ arg n = int32(256)
//@ arg x = in int32[n] integers(-1000, 1000)
//@ arg out = out int32[n]
//@ launch lambdas<<<2, 128>>>(n, x, out)

template <class F>
__device__ int fold(int count, F f) {
    int s = 0;
    for (int i = 0; i < count; ++i) s += f(i);
    return s;
}
extern "C" __global__ void lambdas(int n, const int* x, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int calls = 0, bias = x[i];
    int s = fold(i % 7, [&](int j) {
        ++calls;
        return j * bias;
    });
    int k = [=] { return calls * 3; }();
    auto twice = [&](int v) {
        ++calls;
        return v + v;
    };
    s += twice(k);
    out[i] = s + calls - i % 7;
}
