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
    # Whether a view may be written is known where it is used, not where it was made.
    "writable": (
        ("array",),
        """namespace heald_ {
template <class T, class I, int N>
__device__ inline Array<T, I, N> writable(Array<const T, I, N> a) {
    Array<T, I, N> same;
    same.data = const_cast<T*>(a.data);
    for (int k = 0; k < N; ++k) same.shape[k] = a.shape[k], same.strides[k] = a.strides[k];
    return same;
}
template <class T, class I, int N> __device__ inline Array<T, I, N> writable(Array<T, I, N> a) {
    return a;
}
}""",
    ),
    "record": (
        (),
        """namespace heald_ {
template <int size> struct Record { unsigned char bytes[size]; };
template <class T> __device__ inline T field(const unsigned char* place) {
    T value;
    memcpy(&value, place, sizeof value);
    return value;
}
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

RUNTIME["philox"] = (
    (),
    """namespace heald_ {
// Philox 4x32-10 (J. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", 2011).
struct Philox {
    unsigned key[2], counter[4], word[4];
    int used;
    __device__ void step() {
        unsigned k0 = key[0], k1 = key[1];
        unsigned a = counter[0], b = counter[1], c = counter[2], d = counter[3];
        for (int round = 0; round < 10; ++round) {
            const unsigned long long p = 0xD2511F53ull * a, q = 0xCD9E8D57ull * c;
            a = (unsigned)(q >> 32) ^ b ^ k0, b = (unsigned)q;
            c = (unsigned)(p >> 32) ^ d ^ k1, d = (unsigned)p;
            k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
        }
        word[0] = a, word[1] = b, word[2] = c, word[3] = d;
        if (++counter[0] == 0) ++counter[1];
        used = 0;
    }
    __device__ unsigned next() {
        if (used == 4) step();
        const int at = used++;
        return at == 0 ? word[0] : at == 1 ? word[1] : at == 2 ? word[2] : word[3];
    }
    __device__ float uniform_float32() { return (next() >> 8) * 0x1p-24f; }
    __device__ double uniform_float64() {
        const unsigned long long high = next() >> 5, low = next() >> 6;
        return (double)((high << 26) | low) * 0x1p-53;
    }
    // Box and Muller; one of the two is dropped.
    __device__ float normal_float32() {
        const float size = sqrtf(-2.0f * logf(((next() >> 8) + 1) * 0x1p-24f));
        return size * cosf(6.283185307f * uniform_float32());
    }
    __device__ double normal_float64() {
        const double size = sqrt(-2.0 * log(1.0 - uniform_float64()));
        return size * cos(6.283185307179586477 * uniform_float64());
    }
};
__device__ inline Philox philox(unsigned long long seed, unsigned long long sequence,
                                unsigned long long offset) {
    Philox state;
    state.key[0] = (unsigned)seed, state.key[1] = (unsigned)(seed >> 32);
    state.counter[0] = (unsigned)(offset >> 2), state.counter[1] = (unsigned)(offset >> 34);
    state.counter[2] = (unsigned)sequence, state.counter[3] = (unsigned)(sequence >> 32);
    state.used = 4;
    for (int k = 0; k < (int)(offset & 3); ++k) state.next();
    return state;
}
}""",
)
