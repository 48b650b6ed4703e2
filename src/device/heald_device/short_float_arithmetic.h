// Included once per 16-bit format (see short_float_type.h): arithmetic and comparison intrinsics of
// numbers and pairs. The _rn forms are the plain ones: nothing is contracted here.

#define __HEALD_SHORT_BINARY(name, expression)                       \
    __HEALD_HD __HT name(__HT a, __HT b) { return expression; }      \
    __HEALD_HD __HT2 name##2(__HT2 a, __HT2 b) {                     \
        return __HT2(name(a.x, b.x), name(a.y, b.y));                \
    }
__HEALD_HD __HT __heald_saturate_short(__HT v) {
    float f = float(v);
    return f > 0.0f ? (f < 1.0f ? v : __HT(1.0f)) : __HT(0.0f);
}
__HEALD_SHORT_BINARY(__hadd, operator+(a, b))
__HEALD_SHORT_BINARY(__hsub, operator-(a, b))
__HEALD_SHORT_BINARY(__hmul, operator*(a, b))
__HEALD_HD __HT __hdiv(__HT a, __HT b) { return operator/(a, b); }
__HEALD_HD __HT2 __h2div(__HT2 a, __HT2 b) { return operator/(a, b); }

#define __HEALD_SHORT_FORMS(base, pair)                                                      \
    __HEALD_HD __HT base##_rn(__HT a, __HT b) { return base(a, b); }                         \
    __HEALD_HD __HT base##_sat(__HT a, __HT b) { return __heald_saturate_short(base(a, b)); } \
    __HEALD_HD __HT2 pair##_rn(__HT2 a, __HT2 b) { return pair(a, b); }                      \
    __HEALD_HD __HT2 pair##_sat(__HT2 a, __HT2 b) {                                          \
        return __HT2(base##_sat(a.x, b.x), base##_sat(a.y, b.y));                            \
    }
__HEALD_SHORT_FORMS(__hadd, __hadd2)
__HEALD_SHORT_FORMS(__hsub, __hsub2)
__HEALD_SHORT_FORMS(__hmul, __hmul2)
#undef __HEALD_SHORT_FORMS

__HEALD_HD __HT __hfma(__HT a, __HT b, __HT c) {
    return __heald_make(__HF{}, __heald_fma(__HF{}, float(a), float(b), float(c)));
}
__HEALD_HD __HT __hfma_sat(__HT a, __HT b, __HT c) { return __heald_saturate_short(__hfma(a, b, c)); }
__HEALD_HD __HT __hfma_relu(__HT a, __HT b, __HT c) {
    __HT v = __hfma(a, b, c);
    return float(v) < 0.0f ? __HT(0.0f) : v;
}
#define __HEALD_SHORT_FMA2(pair, base)                                       \
    __HEALD_HD __HT2 pair(__HT2 a, __HT2 b, __HT2 c) {                       \
        return __HT2(base(a.x, b.x, c.x), base(a.y, b.y, c.y));              \
    }
__HEALD_SHORT_FMA2(__hfma2, __hfma)
__HEALD_SHORT_FMA2(__hfma2_sat, __hfma_sat)
__HEALD_SHORT_FMA2(__hfma2_relu, __hfma_relu)
#undef __HEALD_SHORT_FMA2
// Complex multiply-add: x is the real part.
__HEALD_HD __HT2 __hcmadd(__HT2 a, __HT2 b, __HT2 c) {
    __HT real = __hfma(operator-(a.y), b.y, __hfma(a.x, b.x, c.x));
    __HT imaginary = __hfma(a.y, b.x, __hfma(a.x, b.y, c.y));
    return __HT2(real, imaginary);
}

__HEALD_HD __HT __hneg(__HT a) { return operator-(a); }
__HEALD_HD __HT2 __hneg2(__HT2 a) { return operator-(a); }
__HEALD_HD __HT __habs(__HT a) {
    return __heald_make(__HF{}, (unsigned short)(a.__x & 0x7fffu));
}
__HEALD_HD __HT2 __habs2(__HT2 a) { return __HT2(__habs(a.x), __habs(a.y)); }
__HEALD_HD bool __hisnan(__HT a) { return (a.__x & 0x7fffu) > __HF::infinity; }
__HEALD_HD __HT2 __hisnan2(__HT2 a) {
    return __HT2(__HT(__hisnan(a.x) ? 1.0f : 0.0f), __HT(__hisnan(a.y) ? 1.0f : 0.0f));
}
__HEALD_HD int __hisinf(__HT a) {
    return (a.__x & 0x7fffu) == __HF::infinity ? (a.__x & 0x8000u ? -1 : 1) : 0;
}

// The number, not the NaN; -0 is below +0. The _nan forms give NaN for any NaN.
__HEALD_HD __HT __heald_order_short(__HT a, __HT b, bool largest) {
    float fa = float(a), fb = float(b);
    bool pick_a = largest ? fa > fb : fa < fb;
    unsigned short same = largest ? a.__x & b.__x : a.__x | b.__x;
    unsigned short bits = pick_a ? a.__x : fa == fb ? same : b.__x;
    bits = __hisnan(b) ? (__hisnan(a) ? __HF::nan : a.__x) : bits;
    return __heald_make(__HF{}, bits);
}
__HEALD_HD __HT __heald_order_short_nan(__HT a, __HT b, bool largest) {
    bool nan = __hisnan(a) || __hisnan(b);
    return nan ? __heald_make(__HF{}, __HF::nan) : __heald_order_short(a, b, largest);
}
__HEALD_SHORT_BINARY(__hmax, __heald_order_short(a, b, true))
__HEALD_SHORT_BINARY(__hmin, __heald_order_short(a, b, false))
__HEALD_HD __HT __hmax_nan(__HT a, __HT b) { return __heald_order_short_nan(a, b, true); }
__HEALD_HD __HT __hmin_nan(__HT a, __HT b) { return __heald_order_short_nan(a, b, false); }
__HEALD_HD __HT2 __hmax2_nan(__HT2 a, __HT2 b) {
    return __HT2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));
}
__HEALD_HD __HT2 __hmin2_nan(__HT2 a, __HT2 b) {
    return __HT2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));
}
#undef __HEALD_SHORT_BINARY

// Comparisons; the u forms are also true for NaN. Of pairs: 1 or 0 per half, a bit mask, or both.
#define __HEALD_SHORT_COMPARE(name, expression)                                           \
    __HEALD_HD bool __h##name(__HT a, __HT b) {                                           \
        float x = float(a), y = float(b);                                                 \
        return expression;                                                                \
    }                                                                                     \
    __HEALD_HD __HT2 __h##name##2(__HT2 a, __HT2 b) {                                     \
        return __HT2(__HT(__h##name(a.x, b.x) ? 1.0f : 0.0f),                             \
                     __HT(__h##name(a.y, b.y) ? 1.0f : 0.0f));                            \
    }                                                                                     \
    __HEALD_HD unsigned __h##name##2_mask(__HT2 a, __HT2 b) {                             \
        return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); \
    }                                                                                     \
    __HEALD_HD bool __hb##name##2(__HT2 a, __HT2 b) {                                     \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                \
    }
__HEALD_SHORT_COMPARE(eq, x == y)
__HEALD_SHORT_COMPARE(ne, (x < y || x > y))
__HEALD_SHORT_COMPARE(lt, x < y)
__HEALD_SHORT_COMPARE(le, x <= y)
__HEALD_SHORT_COMPARE(gt, x > y)
__HEALD_SHORT_COMPARE(ge, x >= y)
__HEALD_SHORT_COMPARE(equ, !(x < y || x > y))
__HEALD_SHORT_COMPARE(neu, x != y)
__HEALD_SHORT_COMPARE(ltu, !(x >= y))
__HEALD_SHORT_COMPARE(leu, !(x > y))
__HEALD_SHORT_COMPARE(gtu, !(x <= y))
__HEALD_SHORT_COMPARE(geu, !(x < y))
#undef __HEALD_SHORT_COMPARE
