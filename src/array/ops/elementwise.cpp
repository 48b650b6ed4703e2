#include "src/array/ops/elementwise.hpp"

#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/base/scalar_bits.hpp"
#include "src/core/current.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heald::array {
namespace {

std::optional<DType> promoted(std::span<const UfuncOperand> operands, std::size_t first) {
    std::optional<DType> result;
    for (const UfuncOperand& operand : operands.subspan(first)) {
        std::optional<DType> dtype;
        if (const auto* array = std::get_if<Array>(&operand)) dtype = array->dtype();
        if (const auto* scalar = std::get_if<TypedScalar>(&operand)) dtype = scalar->dtype;
        if (dtype) result = result ? promote(*result, *dtype) : *dtype;
    }
    for (const UfuncOperand& operand : operands.subspan(first))
        if (const auto* weak = std::get_if<WeakScalar>(&operand))
            result = promote(result, weak->kind);
    return result;
}

void check_range(const Ufunc& ufunc, const WeakScalar& scalar, DType dtype) {
    const DTypeInfo& its = info(dtype);
    if (its.kind != DTypeKind::signed_int && its.kind != DTypeKind::unsigned_int) return;
    const int bits = static_cast<int>(its.size) * 8 - (its.kind == DTypeKind::signed_int);
    const bool fits =
        scalar.is_unsigned  // a number of 2^63 and more
            ? dtype == DType::uint64
            : scalar.integer >= 0
                  ? bits >= 63 || scalar.integer >> bits == 0
                  : its.kind == DTypeKind::signed_int && (bits == 63 || scalar.integer >> bits == -1);
    HEALD_EXPECTS(fits, overflow, "[", ufunc.name, "] Python integer ",
                  scalar.is_unsigned ? std::to_string(static_cast<std::uint64_t>(scalar.integer))
                                     : std::to_string(scalar.integer),
                  " out of bounds for ", its.name);
}

/// Bits of a weak scalar as a dtype.
Value bits_of(const WeakScalar& scalar, DType dtype) {
    Value value;
    std::byte* out = value.bytes.data();
    const bool exact = scalar.kind == WeakKind::boolean || scalar.kind == WeakKind::integer;
    const double real = !exact             ? scalar.real
                        : scalar.is_unsigned ? static_cast<double>(static_cast<std::uint64_t>(scalar.integer))
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
                const float parts[2] = {static_cast<float>(real), static_cast<float>(scalar.imaginary)};
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
        const bool dense = std::ranges::none_of(axes, [&](std::size_t axis) {
            return steps[axis] == 0 && shape[axis] > 1;
        });
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

std::shared_ptr<core::StreamState> stream_on(core::DeviceState& device) {
    auto current = core::current_stream();
    return &current->device == &device ? current : device.default_stream();
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

}  // namespace

Shape broadcast_shapes(std::span<const Shape* const> shapes, std::string_view operation) {
    Shape result;
    for (const Shape* shape : shapes) {
        if (shape->size() > result.size()) result.insert(result.begin(), shape->size() - result.size(), 1);
        const std::size_t extra = result.size() - shape->size();
        for (std::size_t axis = 0; axis < shape->size(); ++axis) {
            std::int64_t& extent = result[extra + axis];
            const std::int64_t own = (*shape)[axis];
            if (own == extent || own == 1) continue;
            if (extent != 1) {
                std::string list;
                for (const Shape* one : shapes) list += text(list.empty() ? "" : " ", shape_text(*one));
                fail(ErrorKind::invalid_value, "[", operation,
                     "] operands could not be broadcast together with shapes ", list);
            }
            extent = own;
        }
    }
    return result;
}

Array broadcast_view(const Array& array, const Shape& shape) {
    if (array.shape() == shape) return array;
    const std::size_t extra = shape.size() - array.shape().size();
    Shape strides(shape.size(), 0);
    for (std::size_t axis = extra; axis < shape.size(); ++axis)
        if (array.shape()[axis - extra] != 1) strides[axis] = array.strides()[axis - extra];
    return Array(array.buffer(), shape, array.dtype(), std::move(strides), array.offset());
}

Array elementwise(const Ufunc& ufunc, std::span<const UfuncOperand> operands,
                  std::optional<DType> dtype) {
    const std::size_t first = ufunc.mixed == Mixed::boolean_first ? 1 : 0;
    const std::optional<DType> loop = loop_dtype(ufunc, dtype ? *dtype : *promoted(operands, first));
    HEALD_EXPECTS(loop.has_value(), type_mismatch, "[", ufunc.name,
                  "] there is no such operation for ", names_of_dtypes(operands));
    core::DeviceState& device = device_of(ufunc, operands);

    auto node = std::make_unique<Node>();
    node->ufunc = &ufunc;
    node->loop = *loop;
    node->result = result_dtype(ufunc, *loop);
    node->stream = stream_on(device);
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
            if (weak.kind == WeakKind::integer) check_range(ufunc, weak, as);
            node->operands.emplace_back(as, bits_of(weak, as));
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
