#include "src/array/scan/accumulate.hpp"

#include "src/array/ops/elementwise.hpp"
#include "src/array/ops/fold.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/array/packed_launch.hpp"
#include "src/array/rows.hpp"
#include "src/array/scan/scan_plan.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"

#include <algorithm>

namespace heald::array {
namespace {

bool is_sum_or_product(const Ufunc& ufunc) {
    return ufunc.name == "add" || ufunc.name == "multiply";
}

bool is_logical(const Ufunc& ufunc) {
    return ufunc.name.starts_with("logical_");
}

DType loop_of(const Ufunc& ufunc, const Array& x, std::optional<DType> dtype) {
    if (is_logical(ufunc)) return DType::boolean;
    const DType own = is_sum_or_product(ufunc) ? dtype_of_sums(x.dtype()) : x.dtype();
    const DType wanted = dtype.value_or(own);
    const auto loop = loop_dtype(ufunc, wanted);
    HEALD_EXPECTS(ufunc.operands == 2 && loop && result_dtype(ufunc, *loop) == *loop, type_mismatch,
                  "[", ufunc.name, ".accumulate] there is no such operation for ", name_of(wanted));
    return *loop;
}

// Enough columns to occupy a device, each one thread's.
constexpr std::int64_t many_columns = 16384;
constexpr std::int64_t short_length = 64;
// Neighbours that one thread of a CPU goes along with together.
constexpr std::int64_t wide_inner = 16;

}  // namespace

bool is_associative(std::string_view ufunc) noexcept {
    return std::ranges::any_of(folds(),
                               [&](const Fold& row) { return !row.position && row.name == ufunc; });
}

Array accumulate(const Ufunc& ufunc, const Array& x, int axis_, std::optional<DType> dtype,
                 bool use_kernels) {
    const std::string operation = text("[", ufunc.name, ".accumulate] ");
    HEALD_EXPECTS(x.ndim() > 0, type_mismatch, operation,
                  "cannot accumulate on an array without axes");
    const int axis = checked_axis(operation.c_str(), axis_, x.ndim());
    const DType result = loop_of(ufunc, x, dtype);
    const Stream stream = stream_for(x);
    const bool on_cpu = stream.device().kind() == DeviceKind::cpu && !use_kernels;

    Scan scan;
    scan.ufunc = &ufunc;
    scan.loop = is_narrow(result) && is_sum_or_product(ufunc) ? DType::float32 : result;
    const auto at = static_cast<std::size_t>(axis);
    scan.length = x.shape()[at];
    const auto product = [&](std::size_t first, std::size_t last) {
        std::int64_t size = 1;
        for (std::size_t i = first; i < last; ++i) size *= x.shape()[i];
        return size;
    };
    scan.outer = product(0, at);
    scan.inner = product(at + 1, x.shape().size());
    if (x.size() == 0) return Array(x.shape(), result, stream);

    // Beside the axis there must be enough to do, or the axis becomes the last.
    const bool is_last = scan.inner == 1;
    const bool along_columns =
        on_cpu ? scan.inner >= wide_inner
               : scan.inner * scan.outer >= many_columns || scan.length <= short_length;
    const bool moved = !is_last && !along_columns;
    if (moved) {
        scan.outer *= scan.inner;
        scan.inner = 1;
        scan.from = rows_along(x, axis, operation.c_str(), stream).elements;
    } else {
        scan.from = x.is_c_contiguous() ? x : x.copy(stream);
    }
    scan.to = Array(scan.from.shape(), result, stream);
    if (!on_cpu || !scan_on_cpu(scan, stream)) scan_with_kernels(scan, stream);
    return moved ? axis_put_back(scan.to, axis) : scan.to;
}

}  // namespace heald::array
