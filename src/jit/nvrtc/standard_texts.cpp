#include "src/jit/nvrtc/standard_texts.hpp"

namespace heald::nvrtc {
namespace {

constexpr const char* stddef_h = R"(#pragma once
#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) ((size_t)((char*)&(((type*)0)->member) - (char*)0))
#endif
typedef decltype(sizeof(0)) size_t;
typedef decltype((char*)0 - (char*)0) ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
)";

constexpr const char* cstddef = R"(#pragma once
#include <stddef.h>
namespace std {
using ::size_t;
using ::ptrdiff_t;
using ::nullptr_t;
enum class byte : unsigned char {};
}
)";

constexpr const char* stdint_h = R"(#pragma once
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t;
typedef unsigned int uint32_t; typedef unsigned long uint64_t;
typedef int8_t int_least8_t; typedef int16_t int_least16_t;
typedef int32_t int_least32_t; typedef int64_t int_least64_t;
typedef uint8_t uint_least8_t; typedef uint16_t uint_least16_t;
typedef uint32_t uint_least32_t; typedef uint64_t uint_least64_t;
typedef int8_t int_fast8_t; typedef long int_fast16_t;
typedef long int_fast32_t; typedef long int_fast64_t;
typedef uint8_t uint_fast8_t; typedef unsigned long uint_fast16_t;
typedef unsigned long uint_fast32_t; typedef unsigned long uint_fast64_t;
typedef long intptr_t; typedef unsigned long uintptr_t;
typedef long intmax_t; typedef unsigned long uintmax_t;
#define INT8_MIN (-128)
#define INT16_MIN (-32767 - 1)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807L - 1)
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807L
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define SIZE_MAX UINT64_MAX
#define PTRDIFF_MIN INT64_MIN
#define PTRDIFF_MAX INT64_MAX
#define INT64_C(x) x##L
#define UINT64_C(x) x##UL
#define INT32_C(x) x
#define UINT32_C(x) x##U
)";

constexpr const char* cstdint = R"(#pragma once
#include <stdint.h>
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::int_least8_t; using ::int_least16_t; using ::int_least32_t; using ::int_least64_t;
using ::uint_least8_t; using ::uint_least16_t; using ::uint_least32_t; using ::uint_least64_t;
using ::int_fast8_t; using ::int_fast16_t; using ::int_fast32_t; using ::int_fast64_t;
using ::uint_fast8_t; using ::uint_fast16_t; using ::uint_fast32_t; using ::uint_fast64_t;
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;
}
)";

constexpr const char* limits_h = R"(#pragma once
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32767 - 1)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
)";

constexpr const char* float_h = R"(#pragma once
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_DECIMAL_DIG 9
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MAX_10_EXP 38
#define FLT_MIN 0x1p-126f
#define FLT_MAX 0x1.fffffep127f
#define FLT_EPSILON 0x1p-23f
#define FLT_TRUE_MIN 0x1p-149f
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_DECIMAL_DIG 17
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_MIN_10_EXP (-307)
#define DBL_MAX_10_EXP 308
#define DBL_MIN 0x1p-1022
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_EPSILON 0x1p-52
#define DBL_TRUE_MIN 0x0.0000000000001p-1022
)";

constexpr const char* math_h = R"(#pragma once
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000LL)
#define HUGE_VALF INFINITY
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
)";

constexpr const char* cmath = R"(#pragma once
#include <math.h>
namespace std {
using ::abs; using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atan2;
using ::atanh; using ::cbrt; using ::ceil; using ::copysign; using ::cos; using ::cosh; using ::erf;
using ::erfc; using ::exp; using ::exp2; using ::expm1; using ::fabs; using ::fdim; using ::floor;
using ::fma; using ::fmax; using ::fmin; using ::fmod; using ::frexp; using ::hypot; using ::ilogb;
using ::ldexp; using ::lgamma; using ::llrint; using ::llround; using ::log; using ::log10;
using ::log1p; using ::log2; using ::logb; using ::lrint; using ::lround; using ::modf;
using ::nearbyint; using ::nextafter; using ::pow; using ::remainder; using ::remquo; using ::rint;
using ::round; using ::scalbln; using ::scalbn; using ::sin; using ::sinh; using ::sqrt; using ::tan;
using ::tanh; using ::tgamma; using ::trunc;
using ::isfinite; using ::isinf; using ::isnan; using ::signbit;
using ::acosf; using ::acoshf; using ::asinf; using ::asinhf; using ::atan2f; using ::atanf;
using ::atanhf; using ::cbrtf; using ::ceilf; using ::copysignf; using ::cosf; using ::coshf;
using ::erfcf; using ::erff; using ::exp2f; using ::expf; using ::expm1f; using ::fabsf;
using ::fdimf; using ::floorf; using ::fmaf; using ::fmaxf; using ::fminf; using ::fmodf;
using ::frexpf; using ::hypotf; using ::ilogbf; using ::ldexpf; using ::lgammaf; using ::llrintf;
using ::llroundf; using ::log10f; using ::log1pf; using ::log2f; using ::logbf; using ::logf;
using ::lrintf; using ::lroundf; using ::modff; using ::nearbyintf; using ::nextafterf; using ::powf;
using ::remainderf; using ::remquof; using ::rintf; using ::roundf; using ::scalblnf;
using ::scalbnf; using ::sinf; using ::sinhf; using ::sqrtf; using ::tanf; using ::tanhf;
using ::tgammaf; using ::truncf;
typedef float float_t;
typedef double double_t;
}
)";

constexpr const char* cstdio = R"(#pragma once
#include <stddef.h>
namespace std { using ::printf; using ::size_t; }
)";

constexpr const char* cstring = R"(#pragma once
#include <stddef.h>
namespace std { using ::memcpy; using ::memset; using ::size_t; }
)";

constexpr const char* cstdlib = R"(#pragma once
#include <stddef.h>
namespace std { using ::malloc; using ::free; using ::abs; using ::size_t; }
)";

constexpr const char* nothing = "#pragma once\n";

}  // namespace

extern const char* const standard_type_traits;
extern const char* const standard_utility;
extern const char* const standard_limits;

std::span<const StandardText> standard_texts() noexcept {
    static const StandardText texts[] = {
        {"assert.h", nothing},
        {"cassert", nothing},
        {"cfloat", float_h},
        {"climits", limits_h},
        {"cmath", cmath},
        {"cstddef", cstddef},
        {"cstdint", cstdint},
        {"cstdio", cstdio},
        {"cstdlib", cstdlib},
        {"cstring", cstring},
        {"float.h", float_h},
        {"limits", standard_limits},
        {"limits.h", limits_h},
        {"math.h", math_h},
        {"new", nothing},
        {"stddef.h", stddef_h},
        {"stdint.h", stdint_h},
        {"stdio.h", nothing},
        {"stdlib.h", nothing},
        {"string.h", nothing},
        {"type_traits", standard_type_traits},
        {"utility", standard_utility},
    };
    return texts;
}

}  // namespace heald::nvrtc
