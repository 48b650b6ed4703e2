#include "src/plan/matmul/types.hpp"

#include "src/array/ops/promotion.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <array>

namespace heald::plan {
namespace {

bool is_integer(DType dtype) {
    const DTypeKind kind = info(dtype).kind;
    return kind == DTypeKind::signed_int || kind == DTypeKind::unsigned_int;
}
bool is_short_float(DType dtype) {
    return dtype == DType::float16 || dtype == DType::bfloat16;
}

void check_accumulate(DType common, DType accumulate, const Device& device) {
    if (accumulate == wide_dtype(common) || accumulate == common) {
        HEALD_EXPECTS(!is_short_float(accumulate) || device.kind() == DeviceKind::cuda, unavailable,
                      "[Matmul] ", device.name(), " does not accumulate in ", name_of(accumulate),
                      ": leave accumulate out (float32), or use a GPU");
        HEALD_EXPECTS(accumulate != DType::bfloat16, unavailable,
                      "[Matmul] no device accumulates in bfloat16: use accumulate=\"float32\"");
        return;
    }
    HEALD_EXPECTS(array::can_cast_safely(common, accumulate) ||
                      (is_integer(common) && accumulate == DType::int32),
                  type_mismatch, "[Matmul] products of ", name_of(common),
                  " cannot be accumulated in ", name_of(accumulate));
}

}  // namespace

DType wide_dtype(DType dtype) noexcept {
    return is_short_float(dtype) ? DType::float32 : dtype;
}

std::string_view name_of(Multiply multiply) noexcept {
    switch (multiply) {
        case Multiply::tf32:
            return "tf32";
        case Multiply::float16:
            return "float16";
        case Multiply::bfloat16:
            return "bfloat16";
        default:
            return "operands";
    }
}

std::vector<MatmulTypes> matmul_types(DType a, DType b, DType result, Multiply multiply,
                                      std::optional<DType> accumulate, bool wide_result,
                                      const Device& device) {
    const DType common = array::promote(a, b);
    HEALD_EXPECTS(info(common).kind != DTypeKind::opaque, type_mismatch, "[Matmul] ",
                  heald::name_of(common), " cannot be multiplied");
    const bool on_gpu = device.kind() == DeviceKind::cuda;
    if (accumulate) check_accumulate(common, *accumulate, device);
    std::vector<MatmulTypes> ways;
    const auto add = [&](MatmulTypes way) {
        if (std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(way);
    };

    if (multiply != Multiply::operands) {
        HEALD_EXPECTS(common == DType::float32, type_mismatch, "[Matmul] multiply=\"",
                      name_of(multiply), "\" is for float32 operands, got ", heald::name_of(a),
                      " and ", heald::name_of(b));
        HEALD_EXPECTS(on_gpu || multiply != Multiply::tf32, unavailable, "[Matmul] ", device.name(),
                      " has no tf32: use multiply=\"bfloat16\", or leave it out");
        if (multiply == Multiply::tf32) {
            add({common, common, common, common, multiply, {}});
            return ways;
        }
        // Operands are rounded for sure: a library's fast mode may use a finer type.
        const DType narrow = multiply == Multiply::float16 ? DType::float16 : DType::bfloat16;
        add({narrow, narrow, common, common, Multiply::operands, narrow});
        add({common, common, common, common, Multiply::operands, narrow});
        return ways;
    }
    if (accumulate && *accumulate != wide_dtype(common) && *accumulate != common) {
        add({*accumulate, *accumulate, *accumulate, *accumulate, multiply, {}});
        return ways;
    }
    if (is_integer(common) || common == DType::boolean) {
        // Sums of 8-bit integers in 32 bits wrap to the same 8 bits.
        const bool eight = a != DType::boolean && b == DType::int8 && size_of(a) == 1;
        if (eight && (result == DType::int32 || size_of(result) == 1))
            add({a, b, DType::int32, DType::int32, multiply, {}});
        const DType in = is_integer(result) ? array::promote(common, result) : common;
        add({in, in, in, in, multiply, {}});
        return ways;
    }
    const DType sum = accumulate.value_or(wide_dtype(common));
    const DType wide = wide_dtype(common);
    if (!wide_result && size_of(result) <= size_of(wide) && info(result).kind == info(common).kind)
        add({common, common, result, sum, multiply, {}});
    add({common, common, wide, sum, multiply, {}});
    add({wide, wide, wide, sum, multiply, {}});
    return ways;
}

}  // namespace heald::plan
