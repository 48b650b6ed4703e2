#include "src/array/sort/sort.hpp"

#include "src/array/packed_launch.hpp"
#include "src/array/rows.hpp"
#include "src/array/sort/cpu_sort.hpp"
#include "src/array/sort/gpu_sort.hpp"

namespace heald::array {
namespace {

bool is_complex(const Array& x) {
    return info(x.dtype()).kind == DTypeKind::complex;
}

bool on_host(const Stream& stream, const SortOptions& options) {
    return stream.device().kind() == DeviceKind::cpu && !options.use_kernels;
}

}  // namespace

Array sort(const Array& x, int axis, const SortOptions& options) {
    const Stream stream = stream_for(x);
    const Rows rows = rows_along(x, axis, "[sort] ", stream);
    Array result(rows.elements.shape(), x.dtype(), stream);
    if (x.size() != 0) {
        if (!on_host(stream, options))
            sort_rows_on_gpu(rows, result, options.descending, stream);
        else if (is_complex(x))
            sort_complex_rows_on_cpu(rows, result, options.descending, stream);
        else
            sort_rows_on_cpu(rows, result, options.descending, stream);
    }
    return axis_put_back(result, rows.axis);
}

Array argsort(const Array& x, int axis, const SortOptions& options) {
    const Stream stream = stream_for(x);
    const Rows rows = rows_along(x, axis, "[argsort] ", stream);
    Array result(rows.elements.shape(), DType::int64, stream);
    if (x.size() != 0) {
        if (!on_host(stream, options))
            argsort_rows_on_gpu(rows, result, options.descending, stream);
        else if (is_complex(x))
            argsort_complex_rows_on_cpu(rows, result, options.descending, stream);
        else
            argsort_rows_on_cpu(rows, result, options.descending, stream);
    }
    return axis_put_back(result, rows.axis);
}

}  // namespace heald::array
