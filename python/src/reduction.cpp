#include "python/src/array.hpp"
#include "python/src/current_stream.hpp"
#include "python/src/dtype.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"
#include "python/src/operand.hpp"

#include "src/array/ops/reduce.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heald::python {

namespace {

/// None: all; else an int or a tuple of ints, negative ones from the end. NumPy's AxisError is an
/// IndexError and a ValueError.
std::vector<int> axes_argument(nb::handle axes, int ndim, const std::string& operation) {
    std::vector<int> result;
    if (axes.is_none()) {
        for (int axis = 0; axis < ndim; ++axis) result.push_back(axis);
        return result;
    }
    const auto add = [&](nb::handle item) {
        const Py_ssize_t axis = PyNumber_AsSsize_t(item.ptr(), PyExc_IndexError);
        if (axis == -1 && PyErr_Occurred()) nb::raise_python_error();
        if (axis < -ndim || axis >= ndim) {
            nb::object error = nb::module_::import_("numpy").attr("exceptions").attr("AxisError");
            PyErr_SetObject(error.ptr(), nb::make_tuple(axis, ndim, "[" + operation + "]").ptr());
            nb::raise_python_error();
        }
        const int from_start = static_cast<int>(axis < 0 ? axis + ndim : axis);
        for (const int other : result)
            if (other == from_start)
                throw Error(ErrorKind::invalid_value,
                            "[" + operation + "] duplicate value in 'axis'");
        result.push_back(from_start);
    };
    if (PyTuple_Check(axes.ptr()) || PyList_Check(axes.ptr()))
        for (nb::handle item : nb::object(nb::borrow(axes))) add(item);
    else
        add(axes);
    return result;
}

Array reduce_array(const std::string& name, const Array& x, nb::handle axes, bool keepdims,
                   nb::handle dtype) {
    std::optional<DType> wanted;
    if (!dtype.is_none()) wanted = dtype_from_python(dtype, name.c_str());
    return array::reduce(array::fold(name), x, axes_argument(axes, x.ndim(), name), keepdims,
                         wanted);
}

array::Value value_argument(nb::handle value, DType dtype, const char* operation) {
    array::Value bits;
    if (!element_from_python(value, dtype, bits.bytes.data()))
        throw Error(ErrorKind::invalid_value,
                    "[" + std::string(operation) + "] expected one number");
    return bits;
}

Array range_array(nb::handle start, nb::handle step, std::int64_t count, nb::handle dtype,
                  nb::handle device) {
    const DType type = dtype_from_python(dtype, "arange");
    const Stream stream = stream_argument(nb::none(), device_argument(device, "arange"), "arange");
    return array::range(value_argument(start, type, "arange"), value_argument(step, type, "arange"),
                        count, type, stream);
}

void assign_array(const Array& target, nb::handle value, nb::handle where) {
    std::optional<Array> mask;
    if (!where.is_none()) mask = nb::cast<Array&>(where);
    Array taken = take_array(value);
    const GilRelease unlocked;
    array::assign(target, std::move(taken), mask);
}

}  // namespace

void init_reduction(nb::module_& m) {
    m.def("reduce_array", reduce_array, nb::arg("name"), nb::arg("x"), nb::arg("axes").none(),
          nb::arg("keepdims") = false, nb::arg("dtype") = nb::none(),
          "Records a reduction over axes (None: all).");
    m.def("range_array", range_array, nb::arg("start"), nb::arg("step"), nb::arg("count"),
          nb::arg("dtype"), nb::arg("device") = nb::none(),
          "start + i * step for i from 0 to count - 1, computed where it is read.");
    m.def("assign", assign_array, nb::arg("target"), nb::arg("value"),
          nb::arg("where") = nb::none(), "target[...] = value, converted and broadcast.");
}

}  // namespace heald::python
