#include <heald/fft.hpp>
#include <heald/operations.hpp>

#include "src/array/memory_use.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/packed_launch.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/plan/fft/executor.hpp"
#include "src/plan/fft/gpu_steps.hpp"
#include "src/plan/fft/layout.hpp"
#include "src/plan/fft/transform.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heald::fft {
namespace {

/// `x` cut or padded with zeros to a shape. `is_own`: the result is memory that nobody else has.
Array fitted(Array x, const Shape& shape, const Stream& stream, bool& is_own) {
    bool pad = false;
    for (int axis = 0; axis < x.ndim(); ++axis) {
        const std::int64_t extent = x.shape()[static_cast<std::size_t>(axis)];
        const std::int64_t wanted = shape[static_cast<std::size_t>(axis)];
        if (extent > wanted) x = x.slice(axis, 0, wanted, 1);
        pad |= extent < wanted;
    }
    if (!pad) return x;
    const Array padded(shape, x.dtype(), stream);
    // What lies past the input along each axis, as far as earlier axes did not cover it.
    Array inside = padded;
    for (int axis = 0; axis < x.ndim(); ++axis) {
        const std::int64_t extent = x.shape()[static_cast<std::size_t>(axis)];
        const std::int64_t wanted = shape[static_cast<std::size_t>(axis)];
        if (extent == wanted) continue;
        constexpr std::byte zero[16]{};
        inside.slice(axis, extent, wanted, 1).fill(zero, stream);
        inside = inside.slice(axis, 0, extent, 1);
    }
    inside.copy_from(x, stream);
    is_own = true;
    return padded;
}

bool same_view(const Array& a, const Array& b) {
    return a.data() == b.data() && a.shape() == b.shape() && a.strides() == b.strides() &&
           a.dtype() == b.dtype();
}

void check_out(const Array& out, const Array& x, const Shape& shape, DType dtype,
               const char* operation) {
    HEALD_EXPECTS(!out.read_only(), invalid_value, "[", operation, "] out is read-only");
    HEALD_EXPECTS(out.device() == x.device(), invalid_value, "[", operation, "] out is on ",
                  out.device().name(), ", the input on ", x.device().name(),
                  ": bring them together with x.to(device)");
    HEALD_EXPECTS(out.shape() == shape, invalid_value, "[", operation, "] out has shape ",
                  array::shape_text(out.shape()), ", the result ", array::shape_text(shape));
    const bool complex = info(dtype).kind == DTypeKind::complex;
    const DTypeKind kind = info(out.dtype()).kind;
    HEALD_EXPECTS(kind == DTypeKind::complex || (!complex && kind == DTypeKind::real),
                  type_mismatch, "[", operation, "] cannot cast the result from ", name_of(dtype),
                  " to ", name_of(out.dtype()), " with casting rule 'same_kind'");
}

Operation operation_of(const Transform& what) {
    if (what.kind == Kind::r2c) return Operation::r2c;
    if (what.kind == Kind::c2r) return Operation::c2r;
    return what.direction == Direction::forward ? Operation::forward : Operation::inverse;
}

}  // namespace

Array run(const Array& from, bool is_own, Operation operation, const Resolved& resolved,
          DType dtype, const std::optional<Array>& out, const Stream& stream) {
    Array in = from;
    bool own = is_own;
    if (!is_regular(in)) {
        in = in.copy(stream);
        own = true;
    }
    const bool direct = out && out->dtype() == dtype && is_regular(*out);
    // A complex transform may take place where its input lies, if nobody else sees that.
    const bool complex = operation == Operation::forward || operation == Operation::inverse;
    Array to = direct                                   ? *out
               : complex && own && in.is_c_contiguous() ? in
                                                        : Array(resolved.out, dtype, stream);
    if (to.size() != 0) {
        if (direct && !own && !(complex && same_view(in, to)) &&
            array::overlap(array::use_of(in, false), array::use_of(to, true)))
            in = in.copy(stream);
        core::DeviceState& device = stream.state().device;
        if (device.kind() == DeviceKind::cpu) {
            const Problem problem =
                problem_of(operation, in, to, resolved.axes, resolved.lengths, resolved.scale);
            executor_for(device, problem)->run(in, to, stream);
        } else {
            run_on_gpu(in, own, to, operation, resolved.axes, resolved.lengths, stream);
            if (resolved.scale != 1) {
                // Part of whatever kernel reads the result, where that can be.
                const StreamScope scope(stream);
                if (out)
                    assign(to, to * resolved.scale);
                else
                    to = to * resolved.scale;
            }
        }
    }
    if (!out || direct) return to;
    const StreamScope scope(stream);
    assign(*out, to);
    return *out;
}

Array transform(const Array& x, const Transform& what, const std::optional<Array>& out) {
    constexpr const char* operation = "fft";
    const Resolved resolved = resolve(x.shape(), what, operation);
    const bool float64 = is_double(x.dtype());
    const DType wanted = input_dtype(what.kind, float64);
    HEALD_EXPECTS(info(x.dtype()).kind != DTypeKind::opaque, type_mismatch,
                  "[fft] the array has no numbers");
    HEALD_EXPECTS(what.kind != Kind::r2c || info(x.dtype()).kind != DTypeKind::complex,
                  type_mismatch, "[fft] a transform of real input got ", name_of(x.dtype()),
                  ": use fft() and take half of it, or pass x.real");
    const DType dtype = output_dtype(what.kind, float64);
    if (out) check_out(*out, x, resolved.out, dtype, operation);
    const Stream stream = array::stream_for(x);
    const StreamScope scope(stream);
    bool is_own = x.dtype() != wanted;
    Array in = is_own ? array::cast(x, wanted) : x;
    if (resolved.axes.empty()) {  // NumPy: the input itself
        if (!out) return is_own ? in : in.copy(stream);
        assign(*out, in);
        return *out;
    }
    in = fitted(std::move(in), resolved.in, stream, is_own);
    return run(in, is_own, operation_of(what), resolved, dtype, out, stream);
}

std::vector<int> axes_for(const Array& x, const std::optional<std::vector<int>>& axes,
                          std::size_t lengths) {
    if (axes) return *axes;
    const int count = lengths == 0 ? x.ndim() : static_cast<int>(lengths);
    std::vector<int> last(static_cast<std::size_t>(count));
    std::iota(last.begin(), last.end(), -count);
    return last;
}

}  // namespace heald::fft
