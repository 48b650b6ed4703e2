#pragma once

// The fast intrinsics of CUDA. Here they are the accurate functions, which keep every documented
// bound; the vector library makes them fast.

#include <heald_device/libc.h>

__HEALD_FN float __expf(float x) { return expf(x); }
__HEALD_FN float __exp10f(float x) { return exp10f(x); }
__HEALD_FN float __logf(float x) { return logf(x); }
__HEALD_FN float __log2f(float x) { return log2f(x); }
__HEALD_FN float __log10f(float x) { return log10f(x); }
__HEALD_FN float __powf(float x, float y) { return powf(x, y); }
__HEALD_FN float __sinf(float x) { return sinf(x); }
__HEALD_FN float __cosf(float x) { return cosf(x); }
__HEALD_FN float __tanf(float x) { return tanf(x); }
__HEALD_FN float __tanhf(float x) { return tanhf(x); }
__HEALD_FN void __sincosf(float x, float* sine, float* cosine) {
    *sine = sinf(x);
    *cosine = cosf(x);
}
__HEALD_FN float __fdividef(float a, float b) { return a / b; }
