// The small standard headers: types, limits, traits.
//@ arg n = int32(128)
//@ arg x = in int64[n] integers(-2**40, 2**40)
//@ arg out = out int64[n]
//@ launch standard_headers<<<1, 128>>>(n, x, out)

#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
template <class T>
__device__ T clamped(cuda::std::int64_t v) {
    static_assert(cuda::std::is_integral<T>::value, "");
    constexpr cuda::std::int64_t low = cuda::std::numeric_limits<T>::min();
    constexpr cuda::std::int64_t high = cuda::std::numeric_limits<T>::max();
    return (T)(v < low ? low : v > high ? high : v);
}
extern "C" __global__ void standard_headers(int n, const long long* x, long long* out) {
    int i = threadIdx.x;
    out[i] = clamped<short>(x[i]) + 1000000ll * clamped<unsigned char>(x[i] >> 30) +
             clamped<int>(x[i]);
}
