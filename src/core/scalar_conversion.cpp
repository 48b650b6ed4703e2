#include "src/core/scalar_conversion.hpp"

#include "src/base/text.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace heald::core {
namespace {

template <class T>
T read(const void* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// Calls `function` with the value as its own C++ type; false for types without one.
template <class Function>
bool with_value(DType dtype, const void* value, Function&& function) {
    switch (dtype) {
        case DType::boolean:
            function(read<std::uint8_t>(value) != 0);
            return true;
        case DType::int8:
            function(read<std::int8_t>(value));
            return true;
        case DType::int16:
            function(read<std::int16_t>(value));
            return true;
        case DType::int32:
            function(read<std::int32_t>(value));
            return true;
        case DType::int64:
            function(read<std::int64_t>(value));
            return true;
        case DType::uint8:
            function(read<std::uint8_t>(value));
            return true;
        case DType::uint16:
            function(read<std::uint16_t>(value));
            return true;
        case DType::uint32:
            function(read<std::uint32_t>(value));
            return true;
        case DType::uint64:
            function(read<std::uint64_t>(value));
            return true;
        case DType::float32:
            function(read<float>(value));
            return true;
        case DType::float64:
            function(read<double>(value));
            return true;
        default:
            return false;
    }
}

template <class To, class From>
Conversion write(From value, void* to) {
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        return Conversion::wrong_type;
    } else if constexpr (std::is_same_v<To, bool>) {
        if (value != From{0} && value != From{1}) return Conversion::out_of_range;
    } else if constexpr (std::is_same_v<From, bool>) {
        // fits everywhere
    } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
        if (!std::in_range<To>(value)) return Conversion::out_of_range;
    } else if constexpr (std::is_same_v<From, double> && std::is_same_v<To, float>) {
        if (std::isfinite(value) && std::fabs(value) > std::numeric_limits<float>::max())
            return Conversion::out_of_range;
    }
    if constexpr (!(std::is_floating_point_v<From> && std::is_integral_v<To>)) {
        const To result = static_cast<To>(value);
        std::memcpy(to, &result, sizeof result);
    }
    return Conversion::done;
}

template <class From>
Conversion write_as(DType to_type, From value, void* to) {
    switch (to_type) {
        case DType::boolean:
            return write<bool>(value, to);
        case DType::int8:
            return write<std::int8_t>(value, to);
        case DType::int16:
            return write<std::int16_t>(value, to);
        case DType::int32:
            return write<std::int32_t>(value, to);
        case DType::int64:
            return write<std::int64_t>(value, to);
        case DType::uint8:
            return write<std::uint8_t>(value, to);
        case DType::uint16:
            return write<std::uint16_t>(value, to);
        case DType::uint32:
            return write<std::uint32_t>(value, to);
        case DType::uint64:
            return write<std::uint64_t>(value, to);
        case DType::float32:
            return write<float>(value, to);
        case DType::float64:
            return write<double>(value, to);
        default:
            return Conversion::wrong_type;
    }
}

}  // namespace

Conversion convert_scalar(DType from_type, const void* from, DType to_type, void* to) {
    Conversion result = Conversion::wrong_type;
    with_value(from_type, from, [&](auto value) { result = write_as(to_type, value, to); });
    return result;
}

std::string scalar_text(DType dtype, const void* value) {
    std::string result(name_of(dtype));
    with_value(dtype, value, [&](auto number) {
        if constexpr (std::is_floating_point_v<decltype(number)>)
            result += text(" ", static_cast<double>(number));
        else
            result += text(" ", number);
    });
    return result;
}

}  // namespace heald::core
