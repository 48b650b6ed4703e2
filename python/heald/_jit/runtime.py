"""CUDA C++ that translated kernels call beside the arrays' own functions: name -> (needs, text). A
source has only what it uses."""

from __future__ import annotations

RUNTIME: dict[str, tuple[tuple[str, ...], str]] = {
    # Strides in elements. In C order `strides` is not set.
    "array": (
        (),
        """namespace heald_ {
template <class T, class I, int N> struct Array {
    T* data;
    I shape[N];
    I strides[N];
    __device__ operator Array<const T, I, N>() const {
        Array<const T, I, N> same;
        same.data = data;
        for (int k = 0; k < N; ++k) same.shape[k] = shape[k], same.strides[k] = strides[k];
        return same;
    }
};
}""",
    ),
    "slice": (
        (),
        """namespace heald_ {
// Python's slice.indices().
template <class I> __device__ inline I slice_start(I at, I length, I step) {
    if (at < 0) at += length;
    if (at < 0) return step < 0 ? -1 : 0;
    return at < length ? at : step < 0 ? length - 1 : length;
}
template <class I> __device__ inline I slice_count(I start, I stop, I step) {
    if (step > 0) return stop > start ? (stop - start - 1) / step + 1 : 0;
    return stop < start ? (start - stop - 1) / -step + 1 : 0;
}
}""",
    ),
    "quotient": (
        (),
        """namespace heald_ {
// Of numbers that are not negative; n / 0 is 0.
template <class T> __device__ inline T quotient(T a, T b) { return b != 0 ? a / b : 0; }
template <class T> __device__ inline T rest(T a, T b) { return b != 0 ? a % b : 0; }
}""",
    ),
    "whole_power": (
        (),
        """namespace heald_ {
template <int n, class T> __device__ inline T whole_power(T a) {
    if constexpr (n == 1) return a;
    else if constexpr (n % 2 == 0) return whole_power<n / 2>(a * a);
    else return a * whole_power<n - 1>(a);
}
}""",
    ),
    "compare_mixed": (
        (),
        """namespace heald_ {
// Below 0: a < b.
__device__ inline int order(long long a, unsigned long long b) {
    return a < 0 || (unsigned long long)a < b ? -1 : (unsigned long long)a > b;
}
__device__ inline int order(unsigned long long a, long long b) { return -order(b, a); }
}""",
    ),
    "select": (
        (),
        """namespace heald_ {
// Python's max and min: the first stays unless the second is strictly beyond it.
template <class T> __device__ inline T larger(T a, T b) { return b > a ? b : a; }
template <class T> __device__ inline T smaller(T a, T b) { return b < a ? b : a; }
}""",
    ),
    "round_digits": (
        (),
        """namespace heald_ {
template <class T> __device__ inline T round_digits(T a, int digits) {
    T scale = 1;
    for (int k = digits < 0 ? -digits : digits; k > 0; --k) scale *= 10;
    return digits < 0 ? rint(a / scale) * scale : rint(a * scale) / scale;
}
template <class T> __device__ inline T round_integer(T a, int digits) {
    if (digits >= 0) return a;
    T scale = 1;
    for (int k = -digits; k > 0; --k) scale *= 10;
    T low = a - ((a % scale) + scale) % scale, rest = a - low, half = scale / 2;
    if (rest > half || (rest == half && (low / scale) % 2 != 0)) low += scale;
    return low;
}
}""",
    ),
}
