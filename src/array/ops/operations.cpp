#include <heald/operations.hpp>

#include "src/array/lazy/evaluate.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/ops/operand.hpp"
#include "src/array/ops/reduce.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/base/scalar_bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>

namespace heald {
namespace array {

UfuncOperand ufunc_operand(const heald::Operand& operand) {
    if (const auto* elements = std::get_if<Array>(&operand.value())) return *elements;
    WeakScalar weak;
    if (const auto* truth = std::get_if<bool>(&operand.value())) {
        weak.kind = WeakKind::boolean;
        weak.integer = *truth;
    } else if (const auto* integer = std::get_if<std::int64_t>(&operand.value())) {
        weak.kind = WeakKind::integer;
        weak.integer = *integer;
    } else if (const auto* real = std::get_if<double>(&operand.value())) {
        weak.real = *real;
    } else {
        const auto number = std::get<std::complex<double>>(operand.value());
        weak.kind = WeakKind::complex;
        weak.real = number.real();
        weak.imaginary = number.imag();
    }
    return weak;
}

}  // namespace array

Array elementwise(std::string_view name, std::initializer_list<Operand> list) {
    const array::Ufunc& row = array::ufunc(name);
    HEALD_EXPECTS(list.size() == static_cast<std::size_t>(row.operands), type_mismatch, "[", name,
                  "] takes ", row.operands, " operands, got ", list.size());
    std::vector<array::UfuncOperand> operands;
    for (const Operand& operand : list) operands.push_back(array::ufunc_operand(operand));
    return array::elementwise(row, operands);
}

std::vector<std::string_view> elementwise_names() {
    std::vector<std::string_view> names;
    for (const array::Ufunc& row : array::ufuncs()) names.push_back(row.name);
    return names;
}

Array reduce(std::string_view name, const Array& array, std::span<const int> axes, bool keep_axes,
             std::optional<DType> dtype) {
    std::vector<int> folded;
    for (const int axis : axes) {
        folded.push_back(array::checked_axis("[reduce] ", axis, array.ndim()));
        HEALD_EXPECTS(std::ranges::count(folded, folded.back()) == 1, invalid_value,
                      "[reduce] axis ", axis, " was given twice");
    }
    if (axes.empty())
        for (int axis = 0; axis < array.ndim(); ++axis) folded.push_back(axis);
    return array::reduce(array::fold(name), array, std::move(folded), keep_axes, dtype);
}

Array range(double start, double step, std::int64_t count, DType dtype, const Stream& stream) {
    HEALD_EXPECTS(count >= 0, invalid_value, "[range] the count is negative: ", count);
    const auto bits = [&](double number) {
        array::Value value;
        const DTypeKind kind = info(dtype).kind;
        if (kind == DTypeKind::real) {
            (void)store_real(number, dtype, value.bytes.data());
        } else {
            HEALD_EXPECTS(kind == DTypeKind::signed_int || kind == DTypeKind::unsigned_int,
                          type_mismatch, "[range] there are no ranges of ", name_of(dtype));
            HEALD_EXPECTS(number == std::floor(number), invalid_value, "[range] ", number,
                          " is not a number of ", name_of(dtype));
            const auto integer = static_cast<std::int64_t>(number);
            std::memcpy(value.bytes.data(), &integer, size_of(dtype));
        }
        return value;
    };
    return array::range(bits(start), bits(step), count, dtype, stream);
}

Array as_type(const Array& array, DType dtype) {
    return array::cast(array, dtype);
}

void assign(const Array& target, const Operand& value) {
    if (const auto* elements = std::get_if<Array>(&value.value())) {
        array::assign(target, *elements);
        return;
    }
    // A number takes the target's dtype, as in NumPy.
    const array::UfuncOperand operands[] = {array::ufunc_operand(value)};
    const Stream stream = Stream::current().device() == target.device()
                              ? Stream::current()
                              : target.device().default_stream();
    const StreamScope scope(stream);
    array::assign(target, array::elementwise(array::cast_ufunc(), operands, target.dtype()));
}

void evaluate(std::initializer_list<Array> arrays) {
    std::vector<std::shared_ptr<core::Block>> blocks;
    for (const Array& one : arrays) blocks.push_back(one.buffer().block());
    array::evaluate(blocks);
}

}  // namespace heald
