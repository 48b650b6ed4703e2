// Included once per 16-bit format (see short_float_type.h): conversions between it, pairs of it,
// numbers and bits.

__HEALD_HD __HT __HN(__float2, )(float v) { return __heald_round(__HF{}, v); }
__HEALD_HD __HT __HN(__float2, _rn)(float v) { return __heald_round(__HF{}, v); }
__HEALD_HD __HT __HN(__float2, _rd)(float v) {
    return __heald_make(__HF{}, __heald_short_rd<__HF>(v));
}
__HEALD_HD __HT __HN(__float2, _ru)(float v) {
    return __heald_make(__HF{}, __heald_short_ru<__HF>(v));
}
__HEALD_HD __HT __HN(__float2, _rz)(float v) {
    return __heald_make(__HF{}, __heald_short_rz<__HF>(v));
}
__HEALD_HD __HT __HN(__double2, )(double v) { return __HT(v); }
__HEALD_HD float __HN(__, 2float)(__HT v) { return float(v); }

// `odd` rounds to odd into a float, so that the last rounding is the only one.
#define __HEALD_SHORT_FROM(from_name, from, odd)                                              \
    __HEALD_HD __HT __HN(__##from_name##2, _rn)(from v) { return __HN(__float2, _rn)(odd); }  \
    __HEALD_HD __HT __HN(__##from_name##2, _rd)(from v) { return __HN(__float2, _rd)(odd); }  \
    __HEALD_HD __HT __HN(__##from_name##2, _ru)(from v) { return __HN(__float2, _ru)(odd); }  \
    __HEALD_HD __HT __HN(__##from_name##2, _rz)(from v) { return __HN(__float2, _rz)(odd); }
__HEALD_SHORT_FROM(short, short, float(v))
__HEALD_SHORT_FROM(ushort, unsigned short, float(v))
__HEALD_SHORT_FROM(int, int, __heald_odd(double(v)))
__HEALD_SHORT_FROM(uint, unsigned, __heald_odd(double(v)))
__HEALD_SHORT_FROM(ll, long long, __heald_odd(__heald_odd(v)))
__HEALD_SHORT_FROM(ull, unsigned long long, __heald_odd(__heald_odd(v)))
#undef __HEALD_SHORT_FROM

#define __HEALD_SHORT_TO_WIDE(to_name, to, mode) \
    __HEALD_FN to __HN(__, 2##to_name##_##mode)(__HT v) { return __float2##to_name##_##mode(float(v)); }
#define __HEALD_SHORT_TO_NARROW(to_name, to, mode, function, lowest, highest)  \
    __HEALD_FN to __HN(__, 2##to_name##_##mode)(__HT v) {                      \
        return (to)(__heald_clamp(function(float(v)), lowest, highest));         \
    }
#define __HEALD_SHORT_TO(mode, function)                                              \
    __HEALD_SHORT_TO_WIDE(int, int, mode)                                             \
    __HEALD_SHORT_TO_WIDE(uint, unsigned, mode)                                       \
    __HEALD_SHORT_TO_WIDE(ll, long long, mode)                                        \
    __HEALD_SHORT_TO_WIDE(ull, unsigned long long, mode)                              \
    __HEALD_SHORT_TO_NARROW(short, short, mode, function, -32768, 32767)              \
    __HEALD_SHORT_TO_NARROW(ushort, unsigned short, mode, function, 0, 65535)
__HEALD_SHORT_TO(rn, __builtin_rintf)
__HEALD_SHORT_TO(rd, __builtin_floorf)
__HEALD_SHORT_TO(ru, __builtin_ceilf)
__HEALD_SHORT_TO(rz, __builtin_truncf)
__HEALD_SHORT_TO_NARROW(char, signed char, rz, __builtin_truncf, -128, 127)
__HEALD_SHORT_TO_NARROW(uchar, unsigned char, rz, __builtin_truncf, 0, 255)
#undef __HEALD_SHORT_TO
#undef __HEALD_SHORT_TO_NARROW
#undef __HEALD_SHORT_TO_WIDE

__HEALD_HD short __HN(__, _as_short)(__HT v) { return short(v.__x); }
__HEALD_HD unsigned short __HN(__, _as_ushort)(__HT v) { return v.__x; }
__HEALD_HD __HT __HN(__short_as_, )(short v) { return __heald_make(__HF{}, (unsigned short)v); }
__HEALD_HD __HT __HN(__ushort_as_, )(unsigned short v) { return __heald_make(__HF{}, v); }

// Pairs.
__HEALD_HD __HT2 __HN(make_, 2)(__HT x, __HT y) { return __HT2(x, y); }
__HEALD_HD __HT2 __HN(__halves2, 2)(__HT x, __HT y) { return __HT2(x, y); }
__HEALD_HD __HT2 __HBROADCAST(__HT v) { return __HT2(v, v); }
__HEALD_HD __HT2 __HN(__float2, 2_rn)(float v) { return __HT2(__HT(v), __HT(v)); }
__HEALD_HD __HT2 __HN(__floats2, 2_rn)(float x, float y) { return __HT2(__HT(x), __HT(y)); }
__HEALD_HD __HT2 __HN(__float22, 2_rn)(float2 v) { return __HT2(__HT(v.x), __HT(v.y)); }
__HEALD_HD float2 __HN(__, 22float2)(__HT2 v) { return float2{float(v.x), float(v.y)}; }
__HEALD_HD float __low2float(__HT2 v) { return float(v.x); }
__HEALD_HD float __high2float(__HT2 v) { return float(v.y); }
__HEALD_HD __HT __HN(__low2, )(__HT2 v) { return v.x; }
__HEALD_HD __HT __HN(__high2, )(__HT2 v) { return v.y; }
__HEALD_HD __HT2 __HN(__low2, 2)(__HT2 v) { return __HT2(v.x, v.x); }
__HEALD_HD __HT2 __HN(__high2, 2)(__HT2 v) { return __HT2(v.y, v.y); }
__HEALD_HD __HT2 __HN(__lows2, 2)(__HT2 a, __HT2 b) { return __HT2(a.x, b.x); }
__HEALD_HD __HT2 __HN(__highs2, 2)(__HT2 a, __HT2 b) { return __HT2(a.y, b.y); }
__HEALD_HD __HT2 __lowhigh2highlow(__HT2 v) { return __HT2(v.y, v.x); }
