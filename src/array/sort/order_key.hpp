#pragma once

#include <heald/dtype.hpp>

#include <cstdint>
#include <utility>

namespace heald::array {

enum class KeyKind : std::uint8_t { unsigned_integer, signed_integer, floating };

/// Elements of one dtype as unsigned numbers in the order that sorting gives them: every NaN after
/// all numbers, also one whose sign bit is set.
template <class U, KeyKind kind, U infinity = 0>
struct OrderKey {
    using Bits = U;

    static constexpr U sign = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
    static constexpr U all = static_cast<U>(~U{0});
    /// Where -infinity would be if negative NaNs came first.
    static constexpr U least = kind == KeyKind::floating ? static_cast<U>(~(sign | infinity)) : 0;
    /// The greatest key that is not a NaN's.
    static constexpr U last =
        kind == KeyKind::floating ? static_cast<U>((infinity | sign) - least) : all;

    /// One to one: -0.0 just before 0.0.
    static constexpr U key(U bits) noexcept {
        if constexpr (kind == KeyKind::unsigned_integer) return bits;
        if constexpr (kind == KeyKind::signed_integer) return static_cast<U>(bits ^ sign);
        const U negative = static_cast<U>(-static_cast<U>(bits >> (8 * sizeof(U) - 1)));
        return static_cast<U>((bits ^ (negative | sign)) - least);
    }
    static constexpr U bits(U key) noexcept {
        if constexpr (kind == KeyKind::unsigned_integer) return key;
        if constexpr (kind == KeyKind::signed_integer) return static_cast<U>(key ^ sign);
        const U plain = static_cast<U>(key + least);
        const U positive = static_cast<U>(-static_cast<U>(plain >> (8 * sizeof(U) - 1)));
        return static_cast<U>(plain ^ (static_cast<U>(~positive) | sign));
    }
    /// Elements that compare equal have one key: -0.0 and 0.0, all NaNs.
    static constexpr U equal_key(U bits) noexcept {
        if constexpr (kind == KeyKind::floating) {
            const U size = static_cast<U>(bits & ~sign);
            if (size > infinity) return all;
            if (size == 0) return key(0);
        }
        return key(bits);
    }
    /// The key for descending order; NaNs stay last. Its own inverse.
    static constexpr U reversed(U key) noexcept {
        return key <= last ? static_cast<U>(last - key) : key;
    }
};

/// Calls `function` with the OrderKey of a dtype that is not complex.
template <class Function>
decltype(auto) with_order_key(DType dtype, Function&& function) {
    using enum KeyKind;
    using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
    switch (dtype) {
        case DType::int8:
            return function(OrderKey<uint8_t, signed_integer>{});
        case DType::int16:
            return function(OrderKey<uint16_t, signed_integer>{});
        case DType::int32:
            return function(OrderKey<uint32_t, signed_integer>{});
        case DType::int64:
            return function(OrderKey<uint64_t, signed_integer>{});
        case DType::uint16:
            return function(OrderKey<uint16_t, unsigned_integer>{});
        case DType::uint32:
            return function(OrderKey<uint32_t, unsigned_integer>{});
        case DType::uint64:
            return function(OrderKey<uint64_t, unsigned_integer>{});
        case DType::float16:
            return function(OrderKey<uint16_t, floating, 0x7C00>{});
        case DType::bfloat16:
            return function(OrderKey<uint16_t, floating, 0x7F80>{});
        case DType::float32:
            return function(OrderKey<uint32_t, floating, 0x7F800000>{});
        case DType::float64:
            return function(OrderKey<uint64_t, floating, 0x7FF0000000000000>{});
        default:
            return function(OrderKey<uint8_t, unsigned_integer>{});
    }
}

}  // namespace heald::array
