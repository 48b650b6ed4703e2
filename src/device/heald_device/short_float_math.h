// Included once per 16-bit format (see short_float_type.h): functions, computed in single precision
// and rounded once; atomics.

#define __HEALD_SHORT_UNARY(name, function)                                             \
    __HEALD_FN __HT h##name(__HT a) { return __heald_round(__HF{}, function(float(a))); } \
    __HEALD_FN __HT2 h2##name(__HT2 a) { return __HT2(h##name(a.x), h##name(a.y)); }
__HEALD_SHORT_UNARY(ceil, __builtin_ceilf)
__HEALD_SHORT_UNARY(floor, __builtin_floorf)
__HEALD_SHORT_UNARY(trunc, __builtin_truncf)
__HEALD_SHORT_UNARY(rint, __builtin_rintf)
__HEALD_SHORT_UNARY(sqrt, sqrtf)
__HEALD_SHORT_UNARY(rsqrt, rsqrtf)
__HEALD_SHORT_UNARY(rcp, 1.0f /)
__HEALD_SHORT_UNARY(exp, expf)
__HEALD_SHORT_UNARY(exp2, exp2f)
__HEALD_SHORT_UNARY(exp10, exp10f)
__HEALD_SHORT_UNARY(log, logf)
__HEALD_SHORT_UNARY(log2, log2f)
__HEALD_SHORT_UNARY(log10, log10f)
__HEALD_SHORT_UNARY(sin, sinf)
__HEALD_SHORT_UNARY(cos, cosf)
__HEALD_SHORT_UNARY(tanh, tanhf)
__HEALD_SHORT_UNARY(tanh_approx, tanhf)
#undef __HEALD_SHORT_UNARY

// The format travels as one 16-bit, a pair as one 32-bit word.
__HEALD_FN __HT atomicAdd(__HT* address, __HT value) {
    unsigned short old = __heald_update((unsigned short*)address, [=](unsigned short bits) {
        return operator+(__heald_make(__HF{}, bits), value).__x;
    });
    return __heald_make(__HF{}, old);
}
__HEALD_FN __HT2 atomicAdd(__HT2* address, __HT2 value) {
    unsigned old = __heald_update((unsigned*)address, [=](unsigned bits) {
        return __builtin_bit_cast(unsigned, operator+(__builtin_bit_cast(__HT2, bits), value));
    });
    return __builtin_bit_cast(__HT2, old);
}
