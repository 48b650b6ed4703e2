#include "src/array/ops/ufunc.hpp"

namespace heald::array {
namespace {

constexpr RealFormats nextafter_formats = {
    {"heald_::nextafter<11, -24>(a, b)", "neighbours"},
    {"heald_::nextafter<8, -133>(a, b)", "neighbours"},
    {"heald_::nextafter<24, -149>(a, b)", "neighbours"},
    {"heald_::nextafter<53, -1074>(a, b)", "neighbours"},
};

constexpr RealFormats spacing_formats = {
    {"heald_::spacing_float16(a)", "neighbours"},
    {"heald_::spacing<8, -133>(a)", "neighbours"},
    {"heald_::spacing<24, -149>(a)", "neighbours"},
    {"heald_::spacing<53, -1074>(a)", "neighbours"},
};

}  // namespace

std::span<const Ufunc> floating_ufuncs() noexcept {
    using enum Loop;
    using R = Result;
    // name, operands, loop, result, boolean, integer, real, complex
    static constexpr Ufunc rows[] = {
        // What there is of the representation of a real number.
        {"isnan", 1, common, R::boolean, "false", "false", "a != a", "heald_::is_nan(a)"},
        {"isinf", 1, common, R::boolean, "false", "false", "a == a && a - a != T(0)",
         "(a.re == a.re && a.re - a.re != R(0)) || (a.im == a.im && a.im - a.im != R(0))"},
        {"isfinite", 1, common, R::boolean, "true", "true", "a - a == T(0)",
         "a.re - a.re == R(0) && a.im - a.im == R(0)"},
        {"signbit", 1, floating, R::boolean, "", "", {"heald_::sign_bit(a)", "sign_bit"}, ""},
        {"copysign", 2, floating, R::loop, "", "", "copysign(a, b)", ""},
        {"heaviside", 2, floating, R::loop, "", "", "a != a ? a : a == T(0) ? b : T(a > T(0))", ""},
        {"nextafter", 2, floating, R::loop, "", "", "", "", Mixed::none, &nextafter_formats},
        {"spacing", 1, floating, R::loop, "", "", "", "", Mixed::none, &spacing_formats},
        // The two results of frexp and of modf.
        {"frexp_significand",
         1,
         floating,
         R::loop,
         "",
         "",
         {"heald_::significand(a)", "parts"},
         ""},
        {"frexp_exponent", 1, floating, R::int32, "", "", {"heald_::exponent(a)", "parts"}, ""},
        {"modf_fraction", 1, floating, R::loop, "", "", {"heald_::fraction(a)", "parts"}, ""},
        {"modf_whole", 1, floating, R::loop, "", "", "trunc(a)", ""},
        {"ldexp", 2, floating, R::loop, "", "",
         "ldexp(a, (int)(b > 9999 ? 9999 : b < -9999 ? -9999 : b))", "", Mixed::int64_second},
    };
    return rows;
}

}  // namespace heald::array
