#include "src/array/sort/order_source.hpp"

#include "src/base/text.hpp"

namespace heald::array {
namespace {

constexpr const char* key_functions = R"(
using Element = U;
constexpr U sign = (U)((U)1 << (8 * sizeof(U) - 1));
constexpr U every_bit = (U)~(U)0;
constexpr U least_key = kind == 2 ? (U)~(U)(sign | infinity) : (U)0;
constexpr U last_key = kind == 2 ? (U)((U)(infinity | sign) - least_key) : every_bit;
__device__ inline U order_key(U bits) {
    if constexpr (kind == 0) return bits;
    if constexpr (kind == 1) return (U)(bits ^ sign);
    return (U)((U)(bits & sign ? (U)~bits : (U)(bits | sign)) - least_key);
}
__device__ inline U order_bits(U key) {
    if constexpr (kind == 0) return key;
    if constexpr (kind == 1) return (U)(key ^ sign);
    const U plain = (U)(key + least_key);
    return plain & sign ? (U)(plain & (U)~sign) : (U)~plain;
}
__device__ inline U equal_key(U bits) {
    if constexpr (kind == 2) {
        const U size = (U)(bits & (U)~sign);
        if (size > infinity) return every_bit;
        if (size == 0) return order_key((U)0);
    }
    return order_key(bits);
}
__device__ inline U reversed_key(U key) { return key <= last_key ? (U)(last_key - key) : key; }
__device__ inline bool comes_before(U a, U b) { return equal_key(a) < equal_key(b); }
)";

constexpr const char* complex_order = R"(
struct alignas(2 * sizeof(R)) Element { R re, im; };
__device__ inline bool comes_before(const Element a, const Element b) {
    const int a_class = (a.re != a.re) * 2 + (a.im != a.im);
    const int b_class = (b.re != b.re) * 2 + (b.im != b.im);
    if (a_class != b_class) return a_class < b_class;
    if (a.re < b.re) return true;
    if (b.re < a.re) return false;
    return a.im < b.im;
}
)";

}  // namespace

std::string order_source(DType dtype) {
    if (info(dtype).kind == DTypeKind::complex)
        return text("using R = ", dtype == DType::complex64 ? "float" : "double", ";\n",
                    complex_order);
    const char* bits = size_of(dtype) == 1   ? "unsigned char"
                       : size_of(dtype) == 2 ? "unsigned short"
                       : size_of(dtype) == 4 ? "unsigned int"
                                             : "unsigned long long";
    const int kind = info(dtype).kind == DTypeKind::real         ? 2
                     : info(dtype).kind == DTypeKind::signed_int ? 1
                                                                 : 0;
    const char* infinity = dtype == DType::float16    ? "0x7C00"
                           : dtype == DType::bfloat16 ? "0x7F80"
                           : dtype == DType::float32  ? "0x7F800000"
                           : dtype == DType::float64  ? "0x7FF0000000000000"
                                                      : "0";
    return text("using U = ", bits, ";\nconstexpr int kind = ", kind,
                ";\nconstexpr U infinity = (U)", infinity, ";\n", key_functions);
}

int key_bits(DType dtype) {
    return static_cast<int>(8 * size_of(dtype));
}

}  // namespace heald::array
