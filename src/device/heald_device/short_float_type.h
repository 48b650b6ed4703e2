// Included once per 16-bit format, with
//   __HT, __HT2      the types                __half, __half2
//   __HRAW, __HRAW2  their raw forms          __half_raw, __half2_raw
//   __HF             the format               __heald_half_format
//   __HN(a, b)       a##half##b, the name in the middle of a function's name
//   __HBROADCAST     __half2half2
// This part: the two types, their conversions and operators. Every operation rounds once.

struct __HRAW {
    unsigned short x;
};
struct __align__(4) __HRAW2 {
    unsigned short x, y;
};

struct __align__(2) __HT {
    unsigned short __x;

    __HT() = default;
    __HEALD_HD_MEMBER constexpr __HT(const __HRAW& raw) : __x(raw.x) {}
    __HEALD_HD_MEMBER __HT(float v) : __x(__HF::nearest(v)) {}
    __HEALD_HD_MEMBER __HT(double v) : __x(__HF::nearest(__heald_odd(v))) {}
    __HEALD_HD_MEMBER __HT(short v) : __x(__HF::nearest(float(v))) {}
    __HEALD_HD_MEMBER __HT(unsigned short v) : __x(__HF::nearest(float(v))) {}
    __HEALD_HD_MEMBER __HT(int v) : __x(__HF::nearest(__heald_odd(double(v)))) {}
    __HEALD_HD_MEMBER __HT(unsigned v) : __x(__HF::nearest(__heald_odd(double(v)))) {}
    __HEALD_HD_MEMBER __HT(long v)
        : __x(__HF::nearest(__heald_odd(__heald_odd((long long)v)))) {}
    __HEALD_HD_MEMBER __HT(unsigned long v)
        : __x(__HF::nearest(__heald_odd(__heald_odd((unsigned long long)v)))) {}
    __HEALD_HD_MEMBER __HT(long long v) : __x(__HF::nearest(__heald_odd(__heald_odd(v)))) {}
    __HEALD_HD_MEMBER __HT(unsigned long long v)
        : __x(__HF::nearest(__heald_odd(__heald_odd(v)))) {}

    __HEALD_HD_MEMBER constexpr operator __HRAW() const { return __HRAW{__x}; }
    // The only conversion to a number: with one for each type, every use of an operator would cost
    // the compiler milliseconds. Integers and bool are reached through float.
    __HEALD_HD_MEMBER operator float() const { return __HF::to_float(__x); }
};

struct __align__(4) __HT2 {
    __HT x, y;

    __HT2() = default;
    __HEALD_HD_MEMBER constexpr __HT2(const __HT& a, const __HT& b) : x(a), y(b) {}
    __HEALD_HD_MEMBER constexpr __HT2(const __HRAW2& raw) : x(__HRAW{raw.x}), y(__HRAW{raw.y}) {}
    __HEALD_HD_MEMBER constexpr operator __HRAW2() const { return __HRAW2{x.__x, y.__x}; }
};

__HEALD_HD constexpr __HT __heald_make(__HF, unsigned short bits) { return __HT(__HRAW{bits}); }
__HEALD_HD __HT __heald_round(__HF format, float v) {
    return __heald_make(format, __HF::nearest(v));
}
// Plain floats, so that no operator below has to be looked up among all those of numbers.
__HEALD_HD float __heald_value(const __HT& a) { return __HF::to_float(a.__x); }

#define __HEALD_SHORT_OPERATOR(op)                                             \
    __HEALD_HD __HT operator op(const __HT& a, const __HT& b) {                \
        return __heald_round(__HF{}, __heald_value(a) op __heald_value(b));    \
    }                                                                          \
    __HEALD_HD __HT& operator op##=(__HT& a, const __HT& b) {                  \
        a.__x = __HF::nearest(__heald_value(a) op __heald_value(b));           \
        return a;                                                              \
    }                                                                          \
    __HEALD_HD __HT2 operator op(const __HT2& a, const __HT2& b) {             \
        return __HT2(__heald_round(__HF{}, __heald_value(a.x) op __heald_value(b.x)), \
                     __heald_round(__HF{}, __heald_value(a.y) op __heald_value(b.y))); \
    }                                                                          \
    __HEALD_HD __HT2& operator op##=(__HT2& a, const __HT2& b) {               \
        a.x.__x = __HF::nearest(__heald_value(a.x) op __heald_value(b.x));     \
        a.y.__x = __HF::nearest(__heald_value(a.y) op __heald_value(b.y));     \
        return a;                                                              \
    }
__HEALD_SHORT_OPERATOR(+)
__HEALD_SHORT_OPERATOR(-)
__HEALD_SHORT_OPERATOR(*)
__HEALD_SHORT_OPERATOR(/)
#undef __HEALD_SHORT_OPERATOR

__HEALD_HD __HT operator+(const __HT& a) { return a; }
__HEALD_HD __HT operator-(const __HT& a) {
    return __heald_make(__HF{}, (unsigned short)(a.__x ^ 0x8000u));
}
__HEALD_HD __HT2 operator+(const __HT2& a) { return a; }
__HEALD_HD __HT2 operator-(const __HT2& a) { return __HT2(operator-(a.x), operator-(a.y)); }

#define __HEALD_SHORT_STEP(op, sign)                                                  \
    __HEALD_HD __HT& operator op(__HT& a) {                                           \
        a.__x = __HF::nearest(__heald_value(a) sign 1.0f);                            \
        return a;                                                                     \
    }                                                                                 \
    __HEALD_HD __HT operator op(__HT& a, int) {                                       \
        __HT old = a;                                                                 \
        a.__x = __HF::nearest(__heald_value(a) sign 1.0f);                            \
        return old;                                                                   \
    }                                                                                 \
    __HEALD_HD __HT2& operator op(__HT2& a) {                                         \
        a.x.__x = __HF::nearest(__heald_value(a.x) sign 1.0f);                        \
        a.y.__x = __HF::nearest(__heald_value(a.y) sign 1.0f);                        \
        return a;                                                                     \
    }                                                                                 \
    __HEALD_HD __HT2 operator op(__HT2& a, int) {                                     \
        __HT2 old = a;                                                                \
        operator op(a);                                                               \
        return old;                                                                   \
    }
__HEALD_SHORT_STEP(++, +)
__HEALD_SHORT_STEP(--, -)
#undef __HEALD_SHORT_STEP

#define __HEALD_SHORT_COMPARE(op)                                                       \
    __HEALD_HD bool operator op(const __HT& a, const __HT& b) { return __heald_value(a) op __heald_value(b); } \
    __HEALD_HD bool operator op(const __HT2& a, const __HT2& b) {                       \
        return (__heald_value(a.x) op __heald_value(b.x)) && (__heald_value(a.y) op __heald_value(b.y));                                            \
    }
__HEALD_SHORT_COMPARE(==)
__HEALD_SHORT_COMPARE(!=)
__HEALD_SHORT_COMPARE(<)
__HEALD_SHORT_COMPARE(<=)
__HEALD_SHORT_COMPARE(>)
__HEALD_SHORT_COMPARE(>=)
#undef __HEALD_SHORT_COMPARE
