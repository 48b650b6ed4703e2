#include "python/src/array.hpp"
#include "python/src/current_stream.hpp"
#include "python/src/dtype.hpp"
#include "python/src/gil.hpp"
#include "python/src/host_memory.hpp"
#include "python/src/module.hpp"
#include "python/src/numpy.hpp"
#include "python/src/text.hpp"

#include "src/array/ops/elementwise.hpp"
#include "src/array/ops/reduce.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>

#include <string>
#include <utility>
#include <vector>

namespace heald::python {

namespace {

bool is_newaxis(nb::handle item) {
    return item.is_none();
}
bool is_ellipsis(nb::handle item) {
    return item.ptr() == Py_Ellipsis;
}

bool is_integer(nb::handle item) {
    return PyLong_CheckExact(item.ptr()) ||
           (!PyBool_Check(item.ptr()) && PyIndex_Check(item.ptr()) &&
            !NumPy::get().is_array(item.ptr()) && !nb::isinstance<Array>(item));
}

bool is_basic(nb::handle item) {
    return is_integer(item) || PySlice_Check(item.ptr()) || is_newaxis(item) || is_ellipsis(item);
}

/// Ints, slices, None and Ellipsis give views; anything else goes through heald/_indexing.py.
bool is_basic_key(nb::handle key) {
    if (!PyTuple_Check(key.ptr())) return is_basic(key);
    for (nb::handle item : nb::borrow<nb::tuple>(key))
        if (!is_basic(item)) return false;
    return true;
}

/// A function of heald/_indexing.py, kept for ever.
PyObject* indexing_function(const char* name) {
    return nb::object(nb::module_::import_("heald._indexing").attr(name)).release().ptr();
}

nb::object get_item(nb::handle self, nb::handle key) {
    if (is_basic_key(key)) return nb::cast(index_array(nb::cast<Array&>(self), key));
    static PyObject* const function = indexing_function("get_item");
    return nb::handle(function)(self, key);
}

[[noreturn]] void refuse_index(std::int64_t index, int axis, std::int64_t length) {
    PyErr_Format(PyExc_IndexError, "[Array] index %lld is out of bounds for axis %d with size %lld",
                 static_cast<long long>(index), axis, static_cast<long long>(length));
    nb::raise_python_error();
}

Array take(const Array& array, int axis, nb::handle item) {
    const Py_ssize_t index = PyNumber_AsSsize_t(item.ptr(), PyExc_IndexError);
    if (index == -1 && PyErr_Occurred()) nb::raise_python_error();
    const std::int64_t length = array.shape()[static_cast<std::size_t>(axis)];
    if (index < -length || index >= length) refuse_index(index, axis, length);
    return array.index(axis, index < 0 ? index + length : index);
}

Array cut(const Array& array, int axis, nb::handle item) {
    Py_ssize_t start = 0, stop = 0, step = 0;
    if (PySlice_Unpack(item.ptr(), &start, &stop, &step) < 0) nb::raise_python_error();
    const std::int64_t length = array.shape()[static_cast<std::size_t>(axis)];
    PySlice_AdjustIndices(length, &start, &stop, step);
    return array.slice(axis, start, stop, step);
}

void assign_array(const Array& target, nb::handle value) {
    Array source = take_array(value);
    if (!array::can_assign(target, source.shape()))
        throw Error(ErrorKind::invalid_value, "[Array.__setitem__] cannot broadcast shape " +
                                                  shape_text(source.shape()) + " to " +
                                                  shape_text(target.shape()));
    const GilRelease unlocked;
    if (source.buffer().block() != nullptr && source.device() != target.device())
        source = source.to(target.device());
    array::assign(target, std::move(source));
}

void assign_host(const Array& target, nb::handle value) {
    const Stream stream = current_stream(target.device());
    if (!NumPy::get().is_array(value.ptr()) && !PySequence_Check(value.ptr())) {
        array::Value element;
        if (element_from_python(value, target.dtype(), element.bytes.data())) {
            const GilRelease unlocked;
            if (target.is_c_contiguous())
                target.fill(element.bytes.data(), stream);
            else
                array::assign(target, element);
            return;
        }
    }
    const NumPy& numpy = NumPy::get();
    nb::object host = numpy.asarray(value, dtype_to_python(target.dtype()));
    nb::object same_shape;
    try {
        same_shape = numpy.module().attr("broadcast_to")(host, shape_tuple(target.shape()));
    } catch (nb::python_error&) {
        const nb::object shape = host.attr("shape");
        throw Error(ErrorKind::invalid_value,
                    std::string("[Array.__setitem__] cannot broadcast shape ") + shown(shape) +
                        " to " + shape_text(target.shape()));
    }
    const HostMemory memory =
        HostMemory::strided(same_shape, HostMemory::Access::read, "Array.__setitem__");
    const Shape strides = memory.strides();
    const GilRelease unlocked;
    target.copy_from_host(memory.data(), strides, stream);
}

void assign(nb::handle self, nb::handle key, nb::handle value) {
    if (!is_basic_key(key)) {
        static PyObject* const function = indexing_function("set_item");
        (void)nb::handle(function)(self, key, value);
        return;
    }
    const Array target = index_array(nb::cast<Array&>(self), key);
    if (target.read_only())
        throw Error(ErrorKind::invalid_value, "[Array.__setitem__] the array is read-only");
    if (target.size() == 0 && !nb::isinstance<Array>(value)) return;
    if (nb::isinstance<Array>(value))
        assign_array(target, value);
    else
        assign_host(target, value);
}

}  // namespace

Array index_array(const Array& array, nb::handle key) {
    std::vector<nb::object> items;
    if (PyTuple_Check(key.ptr()))
        for (nb::handle item : nb::borrow<nb::tuple>(key)) items.push_back(nb::borrow(item));
    else
        items.push_back(nb::borrow(key));

    int consumed = 0, ellipses = 0;
    for (const nb::object& item : items) {
        ellipses += is_ellipsis(item);
        consumed += !is_ellipsis(item) && !is_newaxis(item);
    }
    if (ellipses > 1) {
        PyErr_SetString(PyExc_IndexError, "[Array] an index can have one ellipsis (...)");
        nb::raise_python_error();
    }
    if (consumed > array.ndim()) {
        PyErr_Format(PyExc_IndexError, "[Array] too many indices: the array has %d axes, got %d",
                     array.ndim(), consumed);
        nb::raise_python_error();
    }
    Array result = array;
    int axis = 0;
    for (const nb::object& item : items) {
        if (is_ellipsis(item))
            axis += array.ndim() - consumed;
        else if (is_newaxis(item))
            result = result.insert_axis(axis++);
        else if (PySlice_Check(item.ptr()))
            result = cut(result, axis++, item);
        else
            result = take(result, axis, item);
    }
    return result;
}

void init_array_index(nb::module_& m) {
    nb::object type = m.attr("Array");
    auto cls = nb::borrow<nb::class_<Array>>(type);
    cls.def("__getitem__", get_item, nb::arg("key").none(),
            "A view for ints, slices (negative steps too), None and ... as in NumPy; a new array "
            "for arrays or lists of ints and masks. An int for every axis gives an array without "
            "axes; see item(). A mask waits for its count, and arrays of indices on a device for "
            "the check that they are in range (IndexError).")
        .def("__setitem__", assign, nb::arg("key").none(), nb::arg("value").none(),
             "Assigns an Array or what NumPy takes, converted to this dtype, with broadcasting. Of "
             "values for one element the last one stays.");
}

}  // namespace heald::python
