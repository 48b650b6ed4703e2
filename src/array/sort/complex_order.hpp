#pragma once

namespace heald::array {

template <class Real>
struct ComplexValue {
    Real real;
    Real imaginary;
};

template <class Real>
[[nodiscard]] bool is_nan(Real x) noexcept {
    return x != x;
}

/// NumPy's order of complex numbers: by the real part, then by the imaginary one. Numbers come
/// first, then those with only the imaginary part NaN, then with only the real part, then with
/// both.
template <class Real>
[[nodiscard]] bool complex_before(const ComplexValue<Real>& a, const ComplexValue<Real>& b,
                                  bool descending = false) noexcept {
    const int a_class = is_nan(a.real) * 2 + is_nan(a.imaginary);
    const int b_class = is_nan(b.real) * 2 + is_nan(b.imaginary);
    if (a_class != b_class) return a_class < b_class;
    const ComplexValue<Real>& x = descending ? b : a;
    const ComplexValue<Real>& y = descending ? a : b;
    if (x.real < y.real) return true;
    if (y.real < x.real) return false;
    return x.imaginary < y.imaginary;
}

}  // namespace heald::array
