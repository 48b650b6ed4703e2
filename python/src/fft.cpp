#include <heald/fft.hpp>

#include "python/src/array.hpp"
#include "python/src/dtype.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heald::python {

namespace {

using fft::Norm;

Norm norm_argument(nb::handle norm) {
    if (norm.is_none()) return Norm::backward;
    if (PyUnicode_Check(norm.ptr())) {
        if (PyUnicode_CompareWithASCIIString(norm.ptr(), "backward") == 0) return Norm::backward;
        if (PyUnicode_CompareWithASCIIString(norm.ptr(), "ortho") == 0) return Norm::ortho;
        if (PyUnicode_CompareWithASCIIString(norm.ptr(), "forward") == 0) return Norm::forward;
    }
    throw Error(ErrorKind::invalid_value,
                "[fft] Invalid norm value " + nb::cast<std::string>(nb::repr(norm)) +
                    "; should be \"backward\", \"ortho\" or \"forward\".");
}

Norm swapped(Norm norm) {
    return norm == Norm::backward ? Norm::forward : norm == Norm::forward ? Norm::backward : norm;
}

fft::Kind kind_of(int code) {
    return static_cast<fft::Kind>(code & 3);
}
constexpr int inverse_bit = 4;
constexpr int swap_bit = 8;  // hfft and ihfft: the other direction is divided

fft::Transform described(int code, nb::handle norm) {
    fft::Transform what;
    what.kind = kind_of(code);
    what.direction = (code & inverse_bit) != 0 ? fft::Direction::inverse : fft::Direction::forward;
    what.norm = norm_argument(norm);
    if ((code & swap_bit) != 0) what.norm = swapped(what.norm);
    return what;
}

/// Runs a transform without Python's lock; the result is `out` itself if there is one.
nb::object run(const Array& x, const fft::Transform& what, nb::handle out) {
    std::optional<Array> target;
    if (!out.is_none()) {
        if (!nb::isinstance<Array>(out))
            throw Error(ErrorKind::type_mismatch, "[fft] out must be an hd.Array, got " +
                                                      std::string(Py_TYPE(out.ptr())->tp_name));
        target = nb::cast<Array&>(out);
    }
    Array result = [&] {
        const GilRelease unlocked;
        return fft::transform(x, what, target);
    }();
    return target ? nb::borrow(out) : nb::cast(std::move(result));
}

nb::object fft_1d(const Array& x, int code, std::optional<std::int64_t> n, int axis,
                  nb::handle norm, nb::handle out) {
    fft::Transform what = described(code, norm);
    what.axes = {axis};
    // -1 means the input's length in n dimensions only.
    if (n && *n < 1)
        throw Error(ErrorKind::invalid_value, "[fft] Invalid number of FFT data points (" +
                                                  std::to_string(*n) + ") specified.");
    if (n) what.lengths = {*n};
    return run(x, what, out);
}

nb::object fft_nd(const Array& x, int code, const std::optional<std::vector<std::int64_t>>& s,
                  const std::optional<std::vector<int>>& axes, nb::handle norm, nb::handle out) {
    fft::Transform what = described(code, norm);
    if (s) what.lengths = *s;
    what.axes =
        s && s->empty() && !axes ? std::vector<int>{} : fft::axes_for(x, axes, what.lengths.size());
    return run(x, what, out);
}

/// A Python function over arrays; called with Python's lock.
fft::Callback callback_of(nb::object function, const char* name) {
    if (function.is_none()) return {};
    // The last reference may go on a thread without the lock.
    std::shared_ptr<nb::object> kept(new nb::object(std::move(function)), [](nb::object* held) {
        if (!python_alive()) return;
        const nb::gil_scoped_acquire locked;
        delete held;
    });
    return [kept = std::move(kept), name](const Array& value, std::span<const Array> index,
                                          std::span<const Array> operands) {
        const nb::gil_scoped_acquire locked;
        nb::list places;
        for (const Array& one : index) places.append(nb::cast(one));
        nb::list arguments;
        for (const Array& one : operands) arguments.append(nb::cast(one));
        const nb::object result =
            (*kept)(nb::cast(value), nb::tuple(places), *nb::tuple(arguments));
        if (!nb::isinstance<Array>(result))
            throw Error(ErrorKind::type_mismatch, "[FFT] the " + std::string(name) +
                                                      " must return an hd.Array, got " +
                                                      Py_TYPE(result.ptr())->tp_name);
        return nb::cast<Array&>(result);
    };
}

FFT make_plan(nb::handle shape, nb::handle dtype, const std::optional<std::vector<int>>& axes,
              int kind, const std::optional<std::vector<std::int64_t>>& lengths, nb::handle norm,
              nb::object prologue, nb::object epilogue) {
    FFTOptions options;
    if (axes) options.axes = *axes;
    options.kind = kind_of(kind);
    if (lengths) options.lengths = *lengths;
    options.norm = norm_argument(norm);
    options.prologue = callback_of(std::move(prologue), "prologue");
    options.epilogue = callback_of(std::move(epilogue), "epilogue");
    return FFT(shape_argument(shape, "FFT"), dtype_from_python(dtype, "FFT"), std::move(options));
}

nb::object execute(const FFT& plan, const Array& x, bool inverse, nb::handle out,
                   const std::vector<Array>& before, const std::vector<Array>& after) {
    std::optional<Array> target;
    if (!out.is_none()) target = nb::cast<Array&>(out);
    Array result = [&] {
        const GilRelease unlocked;
        return plan.execute(x, inverse ? fft::Direction::inverse : fft::Direction::forward, target,
                            before, after);
    }();
    return target ? nb::borrow(out) : nb::cast(std::move(result));
}

}  // namespace

void init_fft(nb::module_& m) {
    nb::class_<FFT>(m, "FFTPlan", "The engine's plan behind hd.FFT.")
        .def_static("make", make_plan, nb::arg("shape"), nb::arg("dtype"), nb::arg("axes").none(),
                    nb::arg("kind"), nb::arg("lengths").none(), nb::arg("norm").none(),
                    nb::arg("prologue").none(), nb::arg("epilogue").none())
        .def("execute", execute, nb::arg("x"), nb::arg("inverse"), nb::arg("out").none(),
             nb::arg("before"), nb::arg("after"))
        .def_prop_ro("result_shape",
                     [](const FFT& plan) { return shape_tuple(plan.result_shape()); })
        .def("explain", &FFT::explain, nb::arg("device"));
    m.def("fft_1d", fft_1d, nb::arg("array"), nb::arg("code"), nb::arg("n").none(), nb::arg("axis"),
          nb::arg("norm").none(), nb::arg("out").none(),
          "A transform over one axis. `code`: 0 complex, 1 real to complex, 2 complex to real; + 4 "
          "inverse; + 8 the other norm.");
    m.def("fft_nd", fft_nd, nb::arg("array"), nb::arg("code"), nb::arg("s").none(),
          nb::arg("axes").none(), nb::arg("norm").none(), nb::arg("out").none(),
          "A transform over several axes; codes as in fft_1d.");
    m.def("fft_cache_info", [] {
        const fft::CacheInfo info = fft::cache_info();
        return nb::make_tuple(info.size, info.limit, info.hits, info.misses);
    });
    m.def("fft_cache_clear", [] {
        const GilRelease unlocked;
        fft::clear_cache();
    });
    m.def(
        "fft_cache_limit",
        [](std::size_t plans) {
            const GilRelease unlocked;
            fft::limit_cache(plans);
        },
        nb::arg("plans"));
}

}  // namespace heald::python
