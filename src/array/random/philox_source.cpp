#include "src/array/ops/device_functions.hpp"

// Philox 4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"
// (2011): four words for a key of 64 bits and a counter of 128. Element i of an array reads its
// words at a place that depends on i alone, so it does not matter which thread computes it.
//
// What follows uses +, -, *, / and square roots only, each rounded on its own: the same bits on
// every device.

namespace heald::array {

std::span<const DeviceFunctions> philox_functions() noexcept {
    static constexpr DeviceFunctions all[] = {
        {"philox", "", R"(
namespace heald_ {
typedef unsigned long long u64;
struct Words { unsigned x, y, z, w; };
// The counter is (block, stream).
__device__ inline Words philox(u64 key, u64 block, u64 stream) {
    unsigned a = (unsigned)block, b = (unsigned)(block >> 32);
    unsigned c = (unsigned)stream, d = (unsigned)(stream >> 32);
    unsigned k = (unsigned)key, l = (unsigned)(key >> 32);
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        const u64 p = (u64)0xD2511F53u * a, q = (u64)0xCD9E8D57u * c;
        a = (unsigned)(q >> 32) ^ b ^ k;
        c = (unsigned)(p >> 32) ^ d ^ l;
        b = (unsigned)q;
        d = (unsigned)p;
        k += 0x9E3779B9u;
        l += 0xBB67AE85u;
    }
    return {a, b, c, d};
}
// Where the numbers of an array come from.
struct Source { u64 key, start, stream; };
__device__ inline Words words(const Source& s, u64 block, unsigned attempt = 0) {
    return philox(s.key, s.start + block, s.stream + ((u64)attempt << 32));
}
// 32 bits of element i: four elements a block.
__device__ inline unsigned word(const Source& s, long long i, unsigned attempt = 0) {
    const Words w = words(s, (u64)i >> 2, attempt);
    const unsigned at = (unsigned)i & 3u;
    const unsigned low = at & 1u ? w.y : w.x, high = at & 1u ? w.w : w.z;
    return at & 2u ? high : low;
}
__device__ inline u64 joined(unsigned low, unsigned high) { return (u64)high << 32 | low; }
// 64 bits of element i: two elements a block.
__device__ inline u64 word_pair(const Source& s, long long i, unsigned attempt = 0) {
    const Words w = words(s, (u64)i >> 1, attempt);
    return i & 1 ? joined(w.z, w.w) : joined(w.x, w.y);
}
// 16 bits of element i: eight elements a block.
__device__ inline unsigned half_word(const Source& s, long long i) {
    const unsigned both = word(s, i >> 1);
    return i & 1 ? both >> 16 : both & 0xFFFFu;
}
// In [0, 1): every multiple of 2^-24, of 2^-53.
__device__ inline float unit(unsigned w) { return (float)(w >> 8) * 0x1p-24f; }
__device__ inline double unit(u64 w) { return (double)(w >> 11) * 0x1p-53; }
// In (0, 1].
__device__ inline float positive_unit(unsigned w) { return ((float)w + 0.5f) * 0x1p-32f; }
__device__ inline double positive_unit(u64 w) { return ((double)(w >> 12) + 0.5) * 0x1p-52; }
}
)"},
        // log by the series of its odd function of (m - 1) / (m + 1), for m near 1; sin and cos of
        // whole turns by theirs, within an eighth of a turn.
        {"exact_math", "", R"(
namespace heald_ {
// Of positive normal numbers.
__device__ inline float exact_log(float x) {
    const int bits = __float_as_int(x), shifted = bits - 0x3F3504F3;
    const float m = __int_as_float(bits - (shifted & (int)0xFF800000)), k = (float)(shifted >> 23);
    const float s = (m - 1.0f) / (m + 1.0f), z = s * s;
    const float series = z * (1.0f / 3 + z * (1.0f / 5 + z * (1.0f / 7 + z * (1.0f / 9 + z * (1.0f / 11)))));
    return k * 0.693145751953125f + (2.0f * s + (2.0f * s * series + k * 1.42860677e-06f));
}
__device__ inline double exact_log(double x) {
    const long long bits = __double_as_longlong(x), shifted = bits - 0x3FE6A09E667F3BCDLL;
    const double m = __longlong_as_double(bits - (shifted & (long long)0xFFF0000000000000ULL));
    const double k = (double)(int)(shifted >> 52), s = (m - 1) / (m + 1), z = s * s;
    const double series =
        z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11 + z * (1.0 / 13 +
        z * (1.0 / 15 + z * (1.0 / 17 + z * (1.0 / 19 + z * (1.0 / 21))))))))));
    return k * 0.6931471803691238 + (2 * s + (2 * s * series + k * 1.9082149292705877e-10));
}
template <class T> struct Turn { T sin, cos; };
template <class T> __device__ inline Turn<T> rotated(T s, T c, unsigned quarter) {
    const T x = quarter & 1u ? -s : c, y = quarter & 1u ? c : s;
    return {quarter & 2u ? -y : y, quarter & 2u ? -x : x};
}
// Of w / 2^32 turns: the nearest quarter, and the rest.
__device__ inline Turn<float> exact_turn(unsigned w) {
    const float t = (float)(int)(w << 2) * (6.283185307179586f * 0x1p-34f), z = t * t;
    const unsigned quarter = (w + 0x20000000u) >> 30;
    const float s = t + t * z * (-1.0f / 6 + z * (1.0f / 120 + z * (-1.0f / 5040 + z * (1.0f / 362880))));
    const float c = 1.0f + z * (-0.5f + z * (1.0f / 24 + z * (-1.0f / 720 + z * (1.0f / 40320 +
                    z * (-1.0f / 3628800)))));
    return rotated(s, c, quarter);
}
__device__ inline Turn<double> exact_turn(u64 w) {
    const double t = (double)((long long)(w << 2) >> 11) * (6.283185307179586 * 0x1p-55), z = t * t;
    const unsigned quarter = (unsigned)((w + 0x2000000000000000ull) >> 62);
    const double s = t + t * z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 +
        z * (-1.0 / 39916800 + z * (1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0 +
        z * (1.0 / 355687428096000.0))))))));
    const double c = 1.0 + z * (-0.5 + z * (1.0 / 24 + z * (-1.0 / 720 + z * (1.0 / 40320 +
        z * (-1.0 / 3628800 + z * (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 +
        z * (1.0 / 20922789888000.0))))))));
    return rotated(s, c, quarter);
}
// 0 below, infinite above.
__device__ inline double exact_exp(double x) {
    if (x < -745.0) return 0.0;
    if (x > 709.7) return __longlong_as_double(0x7FF0000000000000LL);
    const double k = floor(x * 1.4426950408889634 + 0.5);
    const double r = (x - k * 0.6931471803691238) - k * 1.9082149292705877e-10;
    double series = 1.0;
    for (int n = 14; n > 0; --n) series = 1.0 + series * r / (double)n;
    const int half = (int)k / 2, rest = (int)k - half;
    return series * __longlong_as_double((long long)(half + 1023) << 52) *
           __longlong_as_double((long long)(rest + 1023) << 52);
}
}
)"},
        // Box and Muller: two numbers of two uniform ones, of which element i is one.
        {"normal", "philox exact_math", R"(
namespace heald_ {
template <class U> __device__ inline auto normal_of(U u, U v, bool odd) {
    const auto radius = sqrt(exact_log(positive_unit(u)) * -2);
    const auto turn = exact_turn(v);
    return radius * (odd ? turn.sin : turn.cos);
}
__device__ inline float normal_float(const Source& s, long long i) {
    const Words w = words(s, (u64)i >> 2);
    return i & 2 ? normal_of(w.z, w.w, i & 1) : normal_of(w.x, w.y, i & 1);
}
__device__ inline double normal_double(const Source& s, long long i) {
    const Words w = words(s, (u64)i >> 1);
    return normal_of(joined(w.x, w.y), joined(w.z, w.w), i & 1);
}
}
)"},
        // From 0 to `last`, each equally often: of the product of a word and last + 1 the high half
        // (Lemire, "Fast random integer generation in an interval", 2019); the few words that would
        // make some numbers more likely are drawn again.
        {"bounded", "philox", R"(
namespace heald_ {
__device__ inline unsigned bounded_word(const Source& s, long long i, unsigned last) {
    unsigned w = word(s, i);
    if (last == 0xFFFFFFFFu) return w;
    const unsigned count = last + 1u;
    u64 product = (u64)w * count;
    if ((unsigned)product < count) {
        const unsigned least = (0u - count) % count;
        for (unsigned attempt = 1; (unsigned)product < least; ++attempt)
            product = (u64)word(s, i, attempt) * count;
    }
    return (unsigned)(product >> 32);
}
__device__ inline u64 bounded_pair(const Source& s, long long i, u64 last) {
    u64 w = word_pair(s, i);
    if (last == ~0ull) return w;
    const u64 count = last + 1ull;
    if (w * count < count) {
        const u64 least = (0ull - count) % count;
        for (unsigned attempt = 1; w * count < least; ++attempt) w = word_pair(s, i, attempt);
    }
    return __umul64hi(w, count);
}
}
)"},
    };
    return all;
}

}  // namespace heald::array
