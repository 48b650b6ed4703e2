#include "src/array/ops/promotion.hpp"

#include <algorithm>

namespace heald::array {
namespace {

using enum DTypeKind;

DType signed_of(std::size_t bytes) noexcept {
    switch (bytes) {
        case 1:
            return DType::int8;
        case 2:
            return DType::int16;
        case 4:
            return DType::int32;
        default:
            return DType::int64;
    }
}

/// The real type that holds integers of that size, as NumPy sees it.
DType real_for_integer(std::size_t bytes) noexcept {
    return bytes == 1 ? DType::float16 : bytes == 2 ? DType::float32 : DType::float64;
}

bool is_integer(DTypeKind kind) noexcept {
    return kind == signed_int || kind == unsigned_int;
}

DType promote_integers(const DTypeInfo& a, const DTypeInfo& b) noexcept {
    if (a.kind == b.kind) return a.size >= b.size ? a.dtype : b.dtype;
    const DTypeInfo& with_sign = a.kind == signed_int ? a : b;
    const DTypeInfo& without = a.kind == signed_int ? b : a;
    if (with_sign.size > without.size) return with_sign.dtype;
    return without.size == 8 ? DType::float64 : signed_of(2 * without.size);
}

DType promote_reals(DType a, DType b) noexcept {
    if (a == b) return a;
    if (size_of(a) == 2 && size_of(b) == 2) return DType::float32;
    return size_of(a) >= size_of(b) ? a : b;
}

/// The real type with which `dtype` (not complex) is added to a real one.
DType real_for(DType dtype, DType beside) noexcept {
    const DTypeInfo& its = info(dtype);
    if (its.kind == real) return dtype;
    if (its.kind == boolean) return beside;
    const DType alone = real_for_integer(its.size);
    // An int8 fits bfloat16 as it fits float16.
    return alone == DType::float16 ? beside : alone;
}

}  // namespace

DType promote(DType a, DType b) noexcept {
    if (a == b) return a;
    const DTypeInfo& x = info(a);
    const DTypeInfo& y = info(b);
    if (x.kind == complex || y.kind == complex) {
        const DType real_a = x.kind == complex ? real_part_of(a) : real_for(a, DType::float16);
        const DType real_b = y.kind == complex ? real_part_of(b) : real_for(b, DType::float16);
        return complex_of(promote_reals(real_a, real_b));
    }
    if (x.kind == real || y.kind == real)
        return promote_reals(real_for(a, x.kind == real ? a : b),
                             real_for(b, y.kind == real ? b : a));
    if (x.kind == boolean) return b;
    if (y.kind == boolean) return a;
    return promote_integers(x, y);
}

DType promote(std::optional<DType> dtype, WeakKind kind) noexcept {
    constexpr DType defaults[] = {DType::boolean, DType::int64, DType::float64, DType::complex128};
    const DType alone = defaults[static_cast<int>(kind)];
    if (!dtype) return alone;
    const DTypeKind own = info(*dtype).kind;
    switch (kind) {
        case WeakKind::boolean:
            return *dtype;
        case WeakKind::integer:
            return own == boolean ? alone : *dtype;
        case WeakKind::real:
            return own == real || own == complex ? *dtype : alone;
        case WeakKind::complex:
            return own == complex ? *dtype : own == real ? complex_of(*dtype) : alone;
    }
    return alone;
}

DType floating_for(DType dtype) noexcept {
    const DTypeInfo& its = info(dtype);
    if (its.kind == boolean) return DType::float16;
    return is_integer(its.kind) ? real_for_integer(its.size) : dtype;
}

DType dtype_of_sums(DType dtype) noexcept {
    switch (info(dtype).kind) {
        case DTypeKind::boolean:
        case DTypeKind::signed_int:
            return DType::int64;
        case DTypeKind::unsigned_int:
            return DType::uint64;
        default:
            return dtype;
    }
}

DType real_part_of(DType dtype) noexcept {
    if (dtype == DType::complex64) return DType::float32;
    return dtype == DType::complex128 ? DType::float64 : dtype;
}

DType complex_of(DType dtype) noexcept {
    if (info(dtype).kind == complex) return dtype;
    return dtype == DType::float64 ? DType::complex128 : DType::complex64;
}

bool can_cast_safely(DType from, DType to) noexcept {
    const DTypeInfo& x = info(from);
    const DTypeInfo& y = info(to);
    // NumPy counts 64-bit integers as safe in float64.
    if (is_integer(x.kind) && (y.kind == real || y.kind == complex))
        return size_of(real_part_of(to)) >= size_of(real_for_integer(x.size));
    return promote(from, to) == to;
}

bool can_cast_same_kind(DType from, DType to) noexcept {
    if (can_cast_safely(from, to)) return true;
    const auto rank = [](DTypeKind kind) {
        switch (kind) {
            case boolean:
                return 0;
            case unsigned_int:
                return 1;
            case signed_int:
                return 2;
            case real:
                return 3;
            default:
                return 4;
        }
    };
    return rank(info(from).kind) <= rank(info(to).kind);
}

}  // namespace heald::array
