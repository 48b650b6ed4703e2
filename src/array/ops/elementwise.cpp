#include "src/array/ops/elementwise.hpp"

#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/base/scalar_bits.hpp"
#include "src/core/current.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heald::array {
namespace {

std::optional<DType> strong_dtype(const UfuncOperand& operand) {
    if (const auto* array = std::get_if<Array>(&operand)) return array->dtype();
    if (const auto* scalar = std::get_if<TypedScalar>(&operand)) return scalar->dtype;
    return std::nullopt;
}

DType promoted(std::span<const UfuncOperand> operands) {
    std::optional<DType> result;
    for (const UfuncOperand& operand : operands)
        if (const auto dtype = strong_dtype(operand))
            result = result ? promote(*result, *dtype) : *dtype;
    for (const UfuncOperand& operand : operands)
        if (const auto* weak = std::get_if<WeakScalar>(&operand))
            result = promote(result, weak->kind);
    return *result;
}

/// The operands that the loop depends on.
std::span<const UfuncOperand> counting(const Ufunc& ufunc, std::span<const UfuncOperand> operands) {
    if (ufunc.mixed == Mixed::boolean_first) return operands.subspan(1);
    return ufunc.mixed == Mixed::int64_second ? operands.first(1) : operands;
}

std::optional<DType> loop_for(const Ufunc& ufunc, std::span<const UfuncOperand> operands) {
    // A Python int takes the first loop that there is beside an integer, int64's beside a bool.
    const auto* weak = std::get_if<WeakScalar>(&operands[0]);
    if (ufunc.mixed == Mixed::int64_second && weak != nullptr && weak->kind == WeakKind::integer)
        if (const auto second = strong_dtype(operands[1]); second && *second != DType::boolean)
            return DType::float16;
    operands = counting(ufunc, operands);
    const bool strong = std::ranges::all_of(
        operands, [](const UfuncOperand& operand) { return strong_dtype(operand).has_value(); });
    if (ufunc.loop != Loop::floating || !strong) return loop_dtype(ufunc, promoted(operands));
    // The first loop that all fit, one by one: int8 and uint8 meet in float16.
    DType common = floating_for(*strong_dtype(operands[0]));
    for (const UfuncOperand& operand : operands.subspan(1))
        common = promote(common, floating_for(*strong_dtype(operand)));
    return loop_dtype(ufunc, common);
}

bool is_signed(DType dtype) {
    return info(dtype).kind == DTypeKind::signed_int;
}

bool is_integer(DType dtype) {
    return is_signed(dtype) || info(dtype).kind == DTypeKind::unsigned_int;
}

bool fits(const WeakScalar& scalar, DType dtype) {
    const DTypeInfo& its = info(dtype);
    const int bits = static_cast<int>(its.size) * 8 - is_signed(dtype);
    if (scalar.beyond != 0) return false;
    if (scalar.is_unsigned) return dtype == DType::uint64;
    if (scalar.integer >= 0) return bits >= 63 || scalar.integer >> bits == 0;
    return is_signed(dtype) && (bits == 63 || scalar.integer >> bits == -1);
}

std::string number_text(const WeakScalar& scalar) {
    if (scalar.beyond != 0) return text(scalar.real);
    return scalar.is_unsigned ? std::to_string(static_cast<std::uint64_t>(scalar.integer))
                              : std::to_string(scalar.integer);
}

void check_range(const Ufunc& ufunc, const WeakScalar& scalar, DType dtype) {
    if (is_integer(dtype))
        HEALD_EXPECTS(fits(scalar, dtype), overflow, "[", ufunc.name, "] Python integer ",
                      number_text(scalar), " out of bounds for ", name_of(dtype));
    else
        HEALD_EXPECTS(std::isfinite(scalar.real), overflow, "[", ufunc.name,
                      "] int too large to convert to float");
}

std::string names_of_dtypes(std::span<const UfuncOperand> operands) {
    std::string list;
    for (const UfuncOperand& operand : operands) {
        if (!list.empty()) list += ", ";
        if (const auto* array = std::get_if<Array>(&operand))
            list += name_of(array->dtype());
        else if (const auto* typed = std::get_if<TypedScalar>(&operand))
            list += name_of(typed->dtype);
        else {
            constexpr const char* names[] = {"bool", "int", "float", "complex"};
            list += names[static_cast<int>(std::get<WeakScalar>(operand).kind)];
        }
    }
    return list;
}

/// Dense strides for a result in the order of memory of its operands, as NumPy's "K".
Shape result_strides(const Shape& shape, DType dtype, std::span<const Operand> operands) {
    Shape strides = c_strides(shape, size_of(dtype));
    if (shape.size() < 2) return strides;
    for (const Operand& operand : operands) {
        if (!operand.is_array() || operand.array.is_c_contiguous()) continue;
        const Shape& steps = operand.array.strides();
        std::vector<std::size_t> axes(shape.size());
        for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = i;
        const bool dense = std::ranges::none_of(
            axes, [&](std::size_t axis) { return steps[axis] == 0 && shape[axis] > 1; });
        if (!dense) continue;
        std::ranges::stable_sort(axes, [&](std::size_t a, std::size_t b) {
            return std::abs(steps[a]) > std::abs(steps[b]);
        });
        auto step = static_cast<std::int64_t>(size_of(dtype));
        for (std::size_t i = axes.size(); i-- > 0;) {
            strides[axes[i]] = step;
            step *= std::max<std::int64_t>(shape[axes[i]], 1);
        }
        return strides;
    }
    return strides;
}

/// The device of all arrays.
core::DeviceState& device_of(const Ufunc& ufunc, std::span<const UfuncOperand> operands) {
    core::DeviceState* device = nullptr;
    for (const UfuncOperand& operand : operands) {
        const auto* array = std::get_if<Array>(&operand);
        if (array == nullptr) continue;
        core::DeviceState& own = array->buffer().block()->device();
        HEALD_EXPECTS(device == nullptr || device == &own, invalid_value, "[", ufunc.name,
                      "] the arrays are on ", device->name(), " and ", own.name(),
                      ": bring them together with x.to(device)");
        device = &own;
    }
    return device != nullptr ? *device : *core::current_device();
}

bool is_comparison(const Ufunc& row) {
    static const std::uint16_t first = ufunc("equal").id;  // the others follow
    return row.id >= first && row.id - first < 6;
}

/// `a < b` as `b > a`.
std::string mirrored(std::string_view name) {
    if (name.starts_with("less")) return text("greater", name.substr(4));
    if (name.starts_with("greater")) return text("less", name.substr(7));
    return std::string(name);
}

/// Whether `name` holds for numbers of which the first is smaller (-1) or larger (1).
bool holds(std::string_view name, int order) {
    if (name.starts_with("less")) return order < 0;
    if (name.starts_with("greater")) return order > 0;
    return name == "not_equal";
}

/// Comparisons of integers that have no common type: NumPy compares the numbers.
std::optional<Array> compare_integers(const Ufunc& row, const UfuncOperand& a,
                                      const UfuncOperand& b) {
    const auto x = strong_dtype(a), y = strong_dtype(b);
    if (x && y) {
        if (is_signed(*x) && *y == DType::uint64) {
            const std::array operands{a, b};
            return elementwise(ufunc(text(row.name, "_uint64")), operands, DType::int64);
        }
        if (*x == DType::uint64 && is_signed(*y)) {
            const std::array operands{b, a};
            return elementwise(ufunc(text(mirrored(row.name), "_uint64")), operands, DType::int64);
        }
        return std::nullopt;
    }
    const UfuncOperand& strong = x ? a : b;
    const auto* weak = std::get_if<WeakScalar>(x ? &b : &a);
    const auto dtype = x ? x : y;
    if (!dtype || weak == nullptr || weak->kind != WeakKind::integer) return std::nullopt;
    if (!is_integer(*dtype) || fits(*weak, *dtype)) return std::nullopt;
    const bool negative =
        weak->beyond < 0 || (weak->beyond == 0 && !weak->is_unsigned && weak->integer < 0);
    // An integer equals itself: every element says the same.
    const bool same = holds(row.name, negative == x.has_value() ? 1 : -1);
    const std::array operands{strong, strong};
    return elementwise(ufunc(same ? "equal" : "not_equal"), operands);
}

void check_exponent(const UfuncOperand& exponent) {
    bool negative = false;
    if (const auto* weak = std::get_if<WeakScalar>(&exponent))
        negative = weak->integer < 0 && !weak->is_unsigned;
    if (const auto* typed = std::get_if<TypedScalar>(&exponent); typed && is_signed(typed->dtype))
        negative =
            (std::to_integer<unsigned>(typed->value.bytes[size_of(typed->dtype) - 1]) & 0x80u) != 0;
    HEALD_EXPECTS(!negative, invalid_value,
                  "[power] Integers to negative integer powers are not allowed.");
}

/// What NumPy refuses before it computes.
void check_operands(const Ufunc& ufunc, std::span<const UfuncOperand> operands, DType loop) {
    for (std::size_t k = 0; k < operands.size(); ++k)
        if (const auto* weak = std::get_if<WeakScalar>(&operands[k]))
            if (weak->kind == WeakKind::integer)
                check_range(ufunc, *weak, operand_dtype(ufunc, k, loop));
    if (ufunc.name == "power" && is_integer(loop)) check_exponent(operands[1]);
    if (ufunc.mixed != Mixed::int64_second) return;
    const auto second = strong_dtype(operands[1]);
    const auto* weak = std::get_if<WeakScalar>(&operands[1]);
    const bool whole =
        weak != nullptr ? weak->kind <= WeakKind::integer : can_cast_safely(*second, DType::int64);
    HEALD_EXPECTS(whole, type_mismatch, "[", ufunc.name, "] there is no such operation for ",
                  names_of_dtypes(operands), ": operand 2 must be of integers that int64 holds");
}

}  // namespace

Value element_of(const WeakScalar& scalar, DType dtype) {
    Value value;
    std::byte* out = value.bytes.data();
    const bool exact = scalar.kind == WeakKind::boolean || scalar.kind == WeakKind::integer;
    const double real = !exact || scalar.beyond != 0 ? scalar.real
                        : scalar.is_unsigned
                            ? static_cast<double>(static_cast<std::uint64_t>(scalar.integer))
                            : static_cast<double>(scalar.integer);
    switch (info(dtype).kind) {
        case DTypeKind::boolean: {
            const bool truth = exact ? scalar.integer != 0 : real != 0 || scalar.imaginary != 0;
            std::memcpy(out, &truth, 1);
            break;
        }
        case DTypeKind::signed_int:
        case DTypeKind::unsigned_int: {
            const std::int64_t integer = exact ? scalar.integer : static_cast<std::int64_t>(real);
            std::memcpy(out, &integer, size_of(dtype));
            break;
        }
        case DTypeKind::real:
            (void)store_real(real, dtype, out);
            break;
        case DTypeKind::complex:
            if (dtype == DType::complex64) {
                const float parts[2] = {static_cast<float>(real),
                                        static_cast<float>(scalar.imaginary)};
                std::memcpy(out, parts, sizeof parts);
            } else {
                const double parts[2] = {real, scalar.imaginary};
                std::memcpy(out, parts, sizeof parts);
            }
            break;
        case DTypeKind::opaque:
            break;
    }
    return value;
}

Shape broadcast_shapes(std::span<const Shape* const> shapes, std::string_view operation) {
    Shape result;
    for (const Shape* shape : shapes) {
        if (shape->size() > result.size())
            result.insert(result.begin(), shape->size() - result.size(), 1);
        const std::size_t extra = result.size() - shape->size();
        for (std::size_t axis = 0; axis < shape->size(); ++axis) {
            std::int64_t& extent = result[extra + axis];
            const std::int64_t own = (*shape)[axis];
            if (own == extent || own == 1) continue;
            if (extent != 1) {
                std::string list;
                for (const Shape* one : shapes)
                    list += text(list.empty() ? "" : " ", shape_text(*one));
                fail(ErrorKind::invalid_value, "[", operation,
                     "] operands could not be broadcast together with shapes ", list);
            }
            extent = own;
        }
    }
    return result;
}

Array broadcast_view(Array array, const Shape& shape) {
    if (array.shape() == shape) return array;
    const std::size_t extra = shape.size() - array.shape().size();
    Shape strides(shape.size(), 0);
    for (std::size_t axis = extra; axis < shape.size(); ++axis)
        if (array.shape()[axis - extra] != 1) strides[axis] = array.strides()[axis - extra];
    return Array(array.buffer(), shape, array.dtype(), std::move(strides), array.offset());
}

Array elementwise(const Ufunc& ufunc, std::span<const UfuncOperand> operands,
                  std::optional<DType> dtype) {
    if (!dtype && operands.size() == 2 && is_comparison(ufunc))
        if (auto compared = compare_integers(ufunc, operands[0], operands[1])) return *compared;
    const std::optional<DType> loop = dtype ? loop_dtype(ufunc, *dtype) : loop_for(ufunc, operands);
    HEALD_EXPECTS(loop.has_value(), type_mismatch, "[", ufunc.name,
                  "] there is no such operation for ", names_of_dtypes(operands));
    check_operands(ufunc, operands, *loop);
    core::DeviceState& device = device_of(ufunc, operands);

    auto node = std::make_unique<Node>();
    node->ufunc = &ufunc;
    node->loop = *loop;
    node->result = result_dtype(ufunc, *loop);
    node->stream = core::current_stream(device);
    std::array<const Shape*, 4> shapes{};
    std::size_t arrays = 0;
    for (const UfuncOperand& operand : operands)
        if (const auto* array = std::get_if<Array>(&operand)) shapes[arrays++] = &array->shape();
    node->shape = broadcast_shapes({shapes.data(), arrays}, ufunc.name);
    node->operands.reserve(operands.size());
    for (std::size_t k = 0; k < operands.size(); ++k) {
        if (const auto* array = std::get_if<Array>(&operands[k])) {
            node->operands.emplace_back(broadcast_view(*array, node->shape));
        } else if (const auto* typed = std::get_if<TypedScalar>(&operands[k])) {
            node->operands.emplace_back(typed->dtype, typed->value);
        } else {
            const auto& weak = std::get<WeakScalar>(operands[k]);
            const DType as = operand_dtype(ufunc, k, *loop);
            node->operands.emplace_back(as, element_of(weak, as));
        }
    }
    node->iteration = node->shape;
    node->strides = result_strides(node->shape, node->result, node->operands);
    return record(std::move(node));
}

Array cast(const Array& array, DType dtype) {
    if (array.dtype() == dtype) return array;
    const UfuncOperand operand = array;
    return elementwise(cast_ufunc(), {&operand, 1}, dtype);
}

}  // namespace heald::array
