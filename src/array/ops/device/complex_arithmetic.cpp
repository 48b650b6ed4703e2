#include "src/array/ops/device_functions.hpp"

namespace heald::array {

std::span<const DeviceFunctions> complex_arithmetic() noexcept {
    static constexpr DeviceFunctions all[] = {
        {"complex", "", R"(
namespace heald_ {
template <class R> struct alignas(2 * sizeof(R)) complex {
    R re, im;
};
template <class R> __device__ inline complex<R> operator+(complex<R> a, complex<R> b) {
    return {a.re + b.re, a.im + b.im};
}
template <class R> __device__ inline complex<R> operator-(complex<R> a, complex<R> b) {
    return {a.re - b.re, a.im - b.im};
}
template <class R> __device__ inline complex<R> operator-(complex<R> a) {
    return {-a.re, -a.im};
}
template <class R> __device__ inline complex<R> operator*(complex<R> a, complex<R> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
// Smith's method: no overflow of the squares.
template <class R> __device__ inline complex<R> operator/(complex<R> a, complex<R> b) {
    if (fabs(b.re) >= fabs(b.im)) {
        if (b.re == R(0) && b.im == R(0)) return {a.re / fabs(b.re), a.im / fabs(b.re)};
        const R ratio = b.im / b.re, scale = R(1) / (b.re + b.im * ratio);
        return {(a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale};
    }
    const R ratio = b.re / b.im, scale = R(1) / (b.im + b.re * ratio);
    return {(a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale};
}
template <class R> __device__ inline bool is_true(complex<R> a) {
    return a.re != R(0) || a.im != R(0);
}
template <class R> __device__ inline bool is_nan(complex<R> a) {
    return a.re != a.re || a.im != a.im;
}
}
)"},
        // Lexicographic; what has a NaN is not ordered.
        {"complex_order", "complex", R"(
namespace heald_ {
template <class R> __device__ inline bool less(complex<R> a, complex<R> b) {
    return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im < b.im);
}
template <class R> __device__ inline bool less_equal(complex<R> a, complex<R> b) {
    return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im <= b.im);
}
template <class R> __device__ inline complex<R> clip(complex<R> a, complex<R> low, complex<R> high) {
    if (is_nan(a)) return a;
    const complex<R> above = less(low, a) ? a : low;
    return is_nan(above) || less(above, high) ? above : high;
}
}
)"},
        {"complex_reciprocal", "complex", R"(
namespace heald_ {
template <class R> __device__ inline complex<R> reciprocal(complex<R> a) {
    if (fabs(a.im) <= fabs(a.re)) {
        const R ratio = a.im / a.re, size = a.re + a.im * ratio;
        return {R(1) / size, -ratio / size};
    }
    const R ratio = a.re / a.im, size = a.re * ratio + a.im;
    return {ratio / size, R(-1) / size};
}
}
)"},
        {"complex_sign", "complex", R"(
namespace heald_ {
template <class R> __device__ inline complex<R> sign(complex<R> a) {
    const R size = hypot(a.re, a.im);  // infinite beside a NaN too
    if (size == R(0)) return {R(0), R(0)};
    const bool re = a.re == a.re && a.re - a.re != R(0), im = a.im == a.im && a.im - a.im != R(0);
    if (re != im) return re ? complex<R>{copysign(R(1), a.re), R(0)} : complex<R>{R(0), copysign(R(1), a.im)};
    return {a.re / size, a.im / size};
}
}
)"},
    };
    return all;
}

}  // namespace heald::array
