#pragma once

#include <cstdint>

namespace heald::array {

template <class Real>
struct ComplexNumber {
    Real real;
    Real imaginary;

    friend ComplexNumber operator+(const ComplexNumber& a, const ComplexNumber& b) noexcept {
        return {a.real + b.real, a.imaginary + b.imaginary};
    }
    friend ComplexNumber operator*(const ComplexNumber& a, const ComplexNumber& b) noexcept {
        return {a.real * b.real - a.imaginary * b.imaginary,
                a.real * b.imaginary + a.imaginary * b.real};
    }
};

struct Add {
    template <class T>
    static T apply(const T& a, const T& b) noexcept {
        return static_cast<T>(a + b);
    }
};

struct Multiply {
    template <class T>
    static T apply(const T& a, const T& b) noexcept {
        return static_cast<T>(a * b);
    }
    // Not through int, which overflows.
    static std::uint16_t apply(const std::uint16_t& a, const std::uint16_t& b) noexcept {
        return static_cast<std::uint16_t>(std::uint32_t{a} * b);
    }
};

/// A NaN stays, as in NumPy.
struct Maximum {
    template <class T>
    static T apply(const T& a, const T& b) noexcept {
        return a >= b || a != a ? a : b;
    }
};

struct Minimum {
    template <class T>
    static T apply(const T& a, const T& b) noexcept {
        return a <= b || a != a ? a : b;
    }
};

// Of bytes, not 0 for true; the result is 0 or 1.
struct Or {
    static std::uint8_t apply(std::uint8_t a, std::uint8_t b) noexcept { return (a | b) != 0; }
};
struct And {
    static std::uint8_t apply(std::uint8_t a, std::uint8_t b) noexcept { return a != 0 && b != 0; }
};
struct ExclusiveOr {
    static std::uint8_t apply(std::uint8_t a, std::uint8_t b) noexcept {
        return (a != 0) != (b != 0);
    }
};

}  // namespace heald::array
