#include "src/array/ops/fold.hpp"

#include "src/array/lazy/kernel_text.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/base/check.hpp"

namespace heald::array {
namespace {

std::string infinity_text(DType dtype, bool negative) {
    if (dtype == DType::float64)
        return negative ? "__longlong_as_double(0xfff0000000000000LL)"
                        : "__longlong_as_double(0x7ff0000000000000LL)";
    return negative ? "__int_as_float(0xff800000)" : "__int_as_float(0x7f800000)";
}

std::string extreme_text(DType dtype, bool lowest) {
    const DTypeInfo& its = info(dtype);
    const int bits = static_cast<int>(its.size) * 8;
    switch (its.kind) {
        case DTypeKind::boolean:
            return lowest ? "false" : "true";
        case DTypeKind::unsigned_int:
            return lowest ? "0" : text("(", value_type(dtype), ")~0ull");
        case DTypeKind::signed_int:
            return lowest ? text("(", value_type(dtype), ")(1ull << ", bits - 1, ")")
                          : text("(", value_type(dtype), ")((1ull << ", bits - 1, ") - 1)");
        case DTypeKind::complex: {
            const std::string part = infinity_text(real_part_of(dtype), lowest);
            return text(value_type(dtype), "{", part, ", ", part, "}");
        }
        default:
            return infinity_text(dtype, lowest);
    }
}

}  // namespace

std::span<const Fold> folds() noexcept {
    using enum Identity;
    static constexpr Fold rows[] = {
        {"add", "add", zero, true},
        {"multiply", "multiply", one, true},
        {"maximum", "maximum", lowest},
        {"minimum", "minimum", highest},
        {"fmax", "fmax", lowest},
        {"fmin", "fmin", highest},
        {"logical_and", "logical_and", one, false, true},
        {"logical_or", "logical_or", zero, false, true},
        {"logical_xor", "logical_xor", zero, false, true},
        {"bitwise_and", "bitwise_and", all_ones},
        {"bitwise_or", "bitwise_or", zero},
        {"bitwise_xor", "bitwise_xor", zero},
        {"argmax", "greater", lowest, false, false, true},
        {"argmin", "less", highest, false, false, true},
    };
    return rows;
}

const Fold& fold(std::string_view name) {
    for (const Fold& row : folds())
        if (row.name == name) return row;
    fail(ErrorKind::not_found, "[", name, ".reduce] this operation has no reduction");
}

const Ufunc& combine_ufunc(const Fold& fold) {
    return fold.combine != nullptr ? *fold.combine : ufunc(fold.ufunc);
}

std::string identity_text(const Fold& fold, DType dtype) {
    const std::string type = value_type(dtype);
    if (!fold.begin.empty()) return text("(", type, ")(", fold.begin, ")");
    const bool complex = info(dtype).kind == DTypeKind::complex;
    switch (fold.identity) {
        case Identity::zero:
            return complex ? type + "{0, 0}" : text("(", type, ")0");
        case Identity::one:
            return complex ? type + "{1, 0}" : text("(", type, ")1");
        case Identity::all_ones:
            return dtype == DType::boolean ? "true" : text("(", type, ")~0ull");
        case Identity::lowest:
            return extreme_text(dtype, true);
        case Identity::highest:
            return extreme_text(dtype, false);
    }
    return "0";
}

}  // namespace heald::array
