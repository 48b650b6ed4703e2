#pragma once

// Modified Bessel functions of the first kind, orders 0 and 1. Up to 8 in t = (x / 8)^2, beyond as
// exp(x) / sqrt(x) times a polynomial in 8 / x; fitted at Chebyshev nodes.

#include <heald_device/libc.h>

__HEALD_FN double __heald_i0_near(double t) {
    double p = 3.6287178418940651e-09; p = p * t + 3.6413317902147967e-08;
    p = p * t + 6.8905386385793704e-07; p = p * t + 9.4554728440156291e-06;
    p = p * t + 0.00011617641582340664; p = p * t + 0.0012267487092378652;
    p = p * t + 0.01104101889347772; p = p * t + 0.083497545159756881;
    p = p * t + 0.52185972551797899; p = p * t + 2.6419148388191611; p = p * t + 10.567659360300816;
    p = p * t + 32.363456790082218; p = p * t + 72.817777777782339; p = p * t + 113.77777777777744;
    p = p * t + 113.77777777777779; p = p * t + 64.0; p = p * t + 16.0; p = p * t + 1.0;
    return p;
}

__HEALD_FN double __heald_i0_far(double t) {
    double p = 0.00045642394256671491; p = p * t - 0.004946732027962788;
    p = p * t + 0.02479851420055745; p = p * t - 0.076287399677029161;
    p = p * t + 0.16115242264504226; p = p * t - 0.247951980254461; p = p * t + 0.28775108003052513;
    p = p * t - 0.25746559955012743; p = p * t + 0.18009904215884992;
    p = p * t - 0.099305969556194085; p = p * t + 0.043326411601290298;
    p = p * t - 0.014954338242435741; p = p * t + 0.0040669758158161755;
    p = p * t - 0.00086429137801026718; p = p * t + 0.00014185862063324504;
    p = p * t - 1.7257358411381738e-05; p = p * t + 2.4790402883167792e-06;
    p = p * t + 2.660781503256634e-06; p = p * t + 1.0927918056261565e-05;
    p = p * t + 5.7069030143182918e-05; p = p * t + 0.00043829108125822356;
    p = p * t + 0.0062334731312626724; p = p * t + 0.3989422804014327;
    return p;
}

__HEALD_FN double __heald_i1_near(double t) {
    double p = 9.8517009269590219e-11; p = p * t + 1.0908963678750739e-09;
    p = p * t + 2.1453444823283473e-08; p = p * t + 3.153744572446919e-07;
    p = p * t + 4.1488442302671226e-06; p = p * t + 4.718300823966779e-05;
    p = p * t + 0.00046004213992862579; p = p * t + 0.0037953431635491018;
    p = p * t + 0.026092986178345601; p = p * t + 0.14677304663648147;
    p = p * t + 0.66047871000924396; p = p * t + 2.3116754850077541; p = p * t + 6.068148148148266;
    p = p * t + 11.377777777777769; p = p * t + 14.222222222222223; p = p * t + 10.666666666666666;
    p = p * t + 4.0; p = p * t + 0.5;
    return p;
}

__HEALD_FN double __heald_i1_far(double t) {
    double p = -0.00047516802365472427; p = p * t + 0.0051583182483779235;
    p = p * t - 0.025904477054822711; p = p * t + 0.079838287107221698;
    p = p * t - 0.16898758494287802; p = p * t + 0.26055232394479683;
    p = p * t - 0.30304142326730482; p = p * t + 0.27177368296165322;
    p = p * t - 0.19056544723505672; p = p * t + 0.10533880645053749;
    p = p * t - 0.046075925137500966; p = p * t + 0.015944639489659202;
    p = p * t - 0.0043476082361471047; p = p * t + 0.00092631224766360023;
    p = p * t - 0.00015242942065105608; p = p * t + 1.8561409213372159e-05;
    p = p * t - 2.7651354690774182e-06; p = p * t - 3.266723732408937e-06;
    p = p * t - 1.4049264663890154e-05; p = p * t - 7.9896680282577105e-05;
    p = p * t - 0.00073048513443398208; p = p * t - 0.018700419393806605;
    p = p * t + 0.39894228040143265;
    return p;
}

// Past 700 exp(x) is taken in two factors: the product overflows later than exp does.
__HEALD_FN double __heald_bessel_far(double x, double polynomial) {
    bool huge = x > 700.0;
    double factor = exp(huge ? 0.5 * x : x), rest = polynomial / __builtin_sqrt(x);
    return factor * rest * (huge ? factor : 1.0);
}
__HEALD_FN double cyl_bessel_i0(double x) {
    double a = __builtin_fabs(x);
    double near = __builtin_fmin(a, 8.0) * 0.125;
    double value = __heald_i0_near(near * near);
    if (a > 8.0) value = a < 720.0 ? __heald_bessel_far(a, __heald_i0_far(8.0 / a)) : __builtin_inf();
    return x != x ? x : value;
}
__HEALD_FN double cyl_bessel_i1(double x) {
    double a = __builtin_fabs(x);
    double near = __builtin_fmin(a, 8.0) * 0.125;
    double value = a * __heald_i1_near(near * near);
    if (a > 8.0) value = a < 720.0 ? __heald_bessel_far(a, __heald_i1_far(8.0 / a)) : __builtin_inf();
    return x != x ? x : __builtin_copysign(value, x);
}
__HEALD_FN float cyl_bessel_i0f(float x) { return float(cyl_bessel_i0(double(x))); }
__HEALD_FN float cyl_bessel_i1f(float x) { return float(cyl_bessel_i1(double(x))); }
