#include "src/array/ops/device_functions.hpp"

namespace heald::array {

std::span<const DeviceFunctions> real_functions() noexcept {
    static constexpr DeviceFunctions all[] = {
        {"sign_bit", "", R"(
namespace heald_ {
__device__ inline bool sign_bit(float a) { return __float_as_int(a) < 0; }
__device__ inline bool sign_bit(double a) { return __double_as_longlong(a) < 0; }
}
)"},
        // NaN wins in maximum and minimum, and loses in fmax and fmin.
        {"extremes", "", R"(
namespace heald_ {
template <class T> __device__ inline T maximum(T a, T b) { return a >= b || a != a ? a : b; }
template <class T> __device__ inline T minimum(T a, T b) { return a <= b || a != a ? a : b; }
template <class T> __device__ inline T fmaximum(T a, T b) { return a >= b || b != b ? a : b; }
template <class T> __device__ inline T fminimum(T a, T b) { return a <= b || b != b ? a : b; }
template <class T> __device__ inline T clip(T a, T low, T high) {
    if (a != a) return a;
    const T above = a > low ? a : low;
    return above != above ? above : above < high ? above : high;
}
}
)"},
        // The quotient is brought to the whole number that fits the remainder: a / b may round up.
        {"real_division", "", R"(
namespace heald_ {
template <class T> __device__ inline T floor_quotient(T a, T b) {
    if (b == T(0)) return a / b;
    const T rest = fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != T(0) && (b < T(0)) != (rest < T(0))) quotient -= T(1);
    if (quotient == T(0)) return copysign(T(0), a / b);
    const T whole = floor(quotient);
    return quotient - whole > T(0.5) ? whole + T(1) : whole;
}
template <class T> __device__ inline T floor_modulo(T a, T b) {
    const T rest = fmod(a, b);
    if (b == T(0)) return rest;
    if (rest == T(0)) return copysign(T(0), b);
    return (b < T(0)) != (rest < T(0)) ? rest + b : rest;
}
}
)"},
        {"sums_of_exponentials", "", R"(
namespace heald_ {
template <class T> __device__ inline T logaddexp(T a, T b) {
    if (a == b) return a + T(0.693147180559945309417);
    const T difference = a - b;
    if (difference != difference) return difference;
    return (difference > T(0) ? a : b) + log1p(exp(-fabs(difference)));
}
template <class T> __device__ inline T logaddexp2(T a, T b) {
    if (a == b) return a + T(1);
    const T difference = a - b;
    if (difference != difference) return difference;
    return (difference > T(0) ? a : b) +
           T(1.44269504088896340736) * log1p(exp2(-fabs(difference)));
}
}
)"},
        {"parts", "", R"(
namespace heald_ {
template <class T> __device__ inline T significand(T a) {
    int exponent = 0;
    return a - a == T(0) ? frexp(a, &exponent) : a;
}
template <class T> __device__ inline int exponent(T a) {
    int exponent = 0;
    frexp(a, &exponent);
    return a - a == T(0) ? exponent : 0;
}
template <class T> __device__ inline T fraction(T a) {
    if (a != a) return a;
    return copysign(a - a == T(0) ? a - trunc(a) : T(0), a);
}
}
)"},
        // Steps between neighbours of a format: `digits` of the significand, 2^lowest the smallest
        // subnormal number.
        {"neighbours", "", R"(
namespace heald_ {
// From a >= 0 (finite) to the next above, and from a > 0 to the next below.
template <int digits, int lowest, class T> __device__ inline T step_above(T a) {
    int exponent = lowest;
    if (a != T(0)) {
        frexp(a, &exponent);
        exponent -= digits;
    }
    return ldexp(T(1), exponent < lowest ? lowest : exponent);
}
template <int digits, int lowest, class T> __device__ inline T next_below(T a) {
    if (a - a != T(0)) return ldexp(T(1) - ldexp(T(1), -digits), 3 - lowest - digits);
    int exponent;
    if (frexp(a, &exponent) == T(0.5)) --exponent;
    exponent -= digits;
    return a - ldexp(T(1), exponent < lowest ? lowest : exponent);
}
template <int digits, int lowest, class T> __device__ inline T nextafter(T a, T b) {
    if (a != a || b != b) return a + b;
    if (a == b) return b;
    if (a == T(0)) return copysign(ldexp(T(1), lowest), b);
    const T size = fabs(a);
    const bool away = (a < b) == (a > T(0));
    return copysign(away ? size + step_above<digits, lowest>(size)
                         : next_below<digits, lowest>(size), a);
}
template <int digits, int lowest, class T> __device__ inline T spacing(T a) {
    if (a - a != T(0)) return a - a;
    // Beyond the largest number comes infinity.
    const T size = fabs(a), infinity = T(1) / T(0);
    const T step = size == next_below<digits, lowest>(infinity) ? infinity
                                                                : step_above<digits, lowest>(size);
    return a < T(0) ? -step : step;
}
// NumPy's for float16: to the next number above, also from a negative one.
template <class T> __device__ inline T spacing_float16(T a) {
    if (a - a != T(0)) return a - a;
    if (a == T(65504)) return T(1) / T(0);
    return a < T(0) ? -next_below<11, -24>(-a) - a : step_above<11, -24>(a);
}
}
)"},
        {"replace", "", R"(
namespace heald_ {
template <class R> __device__ inline R replace(R a, R nan, R high, R low) {
    return a != a ? nan : a - a == R(0) ? a : a > R(0) ? high : low;
}
}
)"},
        {"sinc", "", R"(
namespace heald_ {
template <class T> __device__ inline T sinc(T a) {
    const T angle = T(3.14159265358979323846) * a;
    return angle == T(0) ? T(1) : sin(angle) / angle;
}
}
)"},
    };
    return all;
}

}  // namespace heald::array
