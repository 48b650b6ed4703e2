// A template instance named by an expression, with a functor and a constant.
//@ arg n = int32(300)
//@ arg x = in float32[n] uniform(-4, 4)
//@ arg y = out float32[n]
//@ arg factor = float32(1.5)
//@ launch scale<float, 4><<<3, 128>>>(n, factor, x, y)

template <class T>
struct Affine {
    T a, b;
    __device__ T operator()(T v) const { return a * v + b; }
};
template <class F, class T, int N>
__device__ T repeated(F f, T v) {
    for (int i = 0; i < N; ++i) v = f(v);
    return v;
}
template <class T, int N>
__global__ void scale(int n, T factor, const T* x, T* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Affine<T> f{T(0.5), factor};
    y[i] = repeated<Affine<T>, T, N>(f, x[i]);
}
