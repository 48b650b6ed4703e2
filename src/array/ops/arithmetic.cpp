#include "src/array/ops/ufunc.hpp"

namespace heald::array {

std::span<const Ufunc> arithmetic_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    // name, operands, loop, result, boolean, integer, real, complex
    static constexpr Ufunc rows[] = {
        {"add", 2, common, R::loop, "a || b", "(T)((U)a + (U)b)", "a + b", "a + b"},
        {"subtract", 2, common, R::loop, "", "(T)((U)a - (U)b)", "a - b", "a - b"},
        // Through 1u: the product of two small unsigned numbers would be an int, and might not fit.
        {"multiply", 2, common, R::loop, "a && b", "(T)(1u * (U)a * (U)b)", "a * b", "a * b"},
        {"divide", 2, float64, R::loop, "", "", "a / b", "a / b"},
        {"floor_divide",
         2,
         no_boolean,
         R::loop,
         "",
         {"heald_::floor_divide<T, U>(a, b)", "integer_division"},
         {"heald_::floor_quotient(a, b)", "real_division"},
         ""},
        {"remainder",
         2,
         no_boolean,
         R::loop,
         "",
         {"heald_::floor_remainder(a, b)", "integer_division"},
         {"heald_::floor_modulo(a, b)", "real_division"},
         ""},
        {"fmod",
         2,
         no_boolean,
         R::loop,
         "",
         {"heald_::remainder_of(a, b)", "integer_division"},
         "fmod(a, b)",
         ""},
        {"negative", 1, common, R::loop, "", "(T)(U(0) - (U)a)", "-a", "-a"},
        {"positive", 1, common, R::loop, "", "a", "a", "a"},
        {"absolute", 1, common, R::real_part, "a", "a < T(0) ? (T)(U(0) - (U)a) : a", "fabs(a)",
         "hypot(a.re, a.im)"},
        {"fabs", 1, floating, R::loop, "", "", "fabs(a)", ""},
        {"square", 1, no_boolean, R::loop, "", "(T)(1u * (U)a * (U)a)", "a * a",
         "T{a.re * a.re - a.im * a.im, a.re * a.im + a.im * a.re}"},
        {"reciprocal",
         1,
         no_boolean,
         R::loop,
         "",
         "a == T(1) || (T(-1) < T(0) && a == T(-1)) ? a : T(0)",
         "T(1) / a",
         {"heald_::reciprocal(a)", "complex_reciprocal"}},
        {"sign",
         1,
         common,
         R::loop,
         "",
         "(T)((a > T(0)) - (a < T(0)))",
         "a != a ? a : T((a > T(0)) - (a < T(0)))",
         {"heald_::sign(a)", "complex_sign"}},
        {"gcd", 2, common, R::loop, "", {"heald_::gcd<T, U>(a, b)", "divisors"}, "", ""},
        {"lcm", 2, common, R::loop, "", {"heald_::lcm<T, U>(a, b)", "divisors"}, "", ""},
    };
    return rows;
}

}  // namespace heald::array
