#include "src/array/ops/device_functions.hpp"

// T is an integer type and U the unsigned type of its size, in which sums wrap around.

namespace heald::array {

std::span<const DeviceFunctions> integer_functions() noexcept {
    static constexpr DeviceFunctions all[] = {
        {"magnitude", "", R"(
namespace heald_ {
template <class T, class U> __device__ inline U magnitude(T a) {
    return a < T(0) ? (U)(0u - (U)a) : (U)a;
}
}
)"},
        // n / 0 is 0, and the lowest number over -1 is itself.
        {"integer_division", "", R"(
namespace heald_ {
template <class T> __device__ inline bool is_minus_one(T b) { return T(-1) < T(0) && b == T(-1); }
template <class T> __device__ inline T remainder_of(T a, T b) {
    return b == T(0) || is_minus_one(b) ? T(0) : (T)(a % b);
}
template <class T, class U> __device__ inline T floor_divide(T a, T b) {
    if (b == T(0)) return T(0);
    if (is_minus_one(b)) return (T)(0u - (U)a);
    const T quotient = (T)(a / b);
    return (T)(quotient - (T)((a % b != 0) & ((a < T(0)) != (b < T(0)))));
}
template <class T> __device__ inline T floor_remainder(T a, T b) {
    const T rest = remainder_of(a, b);
    return rest != T(0) && (rest < T(0)) != (b < T(0)) ? (T)(rest + b) : rest;
}
}
)"},
        {"shifts", "", R"(
namespace heald_ {
template <class T, class U> __device__ inline T shift_left(T a, T b) {
    return (U)b < 8 * sizeof(T) ? (T)((U)a << (int)b) : T(0);
}
template <class T, class U> __device__ inline T shift_right(T a, T b) {
    return (U)b < 8 * sizeof(T) ? (T)(a >> (int)b) : a < T(0) ? T(-1) : T(0);
}
}
)"},
        // A negative exponent is refused before; here it gives the whole part of the power.
        {"integer_power", "", R"(
namespace heald_ {
template <class T, class U> __device__ inline T integer_power(T a, T b) {
    using W = decltype(1u * U(1));
    if (b < T(0)) return a == T(1) ? T(1) : a == T(-1) ? (b & T(1) ? T(-1) : T(1)) : T(0);
    W power = 1, factor = (W)a;
    for (U n = (U)b; n != 0; n = (U)(n >> 1)) {
        if (n & 1) power *= factor;
        factor *= factor;
    }
    return (T)power;
}
}
)"},
        {"divisors", "magnitude", R"(
namespace heald_ {
template <class U> __device__ inline U common_divisor(U a, U b) {
    while (b != 0) {
        const U rest = (U)(a % b);
        a = b;
        b = rest;
    }
    return a;
}
template <class T, class U> __device__ inline T gcd(T a, T b) {
    return (T)common_divisor(magnitude<T, U>(a), magnitude<T, U>(b));
}
template <class T, class U> __device__ inline T lcm(T a, T b) {
    const U x = magnitude<T, U>(a), y = magnitude<T, U>(b), divisor = common_divisor(x, y);
    return divisor == 0 ? T(0) : (T)(1u * (U)(x / divisor) * y);
}
}
)"},
    };
    return all;
}

}  // namespace heald::array
