#include "python/src/array.hpp"

#include "python/src/buffer.hpp"
#include "python/src/current_stream.hpp"
#include "python/src/dtype.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"
#include "python/src/operators.hpp"
#include "python/src/text.hpp"
#include "python/src/wait.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <vector>

namespace heald::python {

namespace {

// The buffer protocol, on the CPU device: the array's own memory.
int get_buffer(PyObject* self, Py_buffer* view, int flags);
void release_buffer(PyObject*, Py_buffer* view);

struct ExportedLayout {
    Shape shape;
    Shape strides;
};

const char* buffer_format(DType dtype) {
    switch (dtype) {
        case DType::boolean:
            return "?";
        case DType::int8:
            return "b";
        case DType::int16:
            return "h";
        case DType::int32:
            return "i";
        case DType::int64:
            return "l";
        case DType::uint8:
            return "B";
        case DType::uint16:
            return "H";
        case DType::uint32:
            return "I";
        case DType::uint64:
            return "L";
        case DType::float16:
            return "e";
        case DType::float32:
            return "f";
        case DType::float64:
            return "d";
        case DType::complex64:
            return "Zf";
        case DType::complex128:
            return "Zd";
        case DType::bfloat16:
        case DType::opaque:
            break;
    }
    return nullptr;
}

int refuse_buffer(const std::string& why) {
    PyErr_SetString(PyExc_BufferError, ("[Array] " + why).c_str());
    return -1;
}

int fill_view(PyObject* self, Py_buffer* view, int flags) {
    if (!nb::inst_ready(self)) return refuse_buffer("the array was never initialised");
    const Array& array = *nb::inst_ptr<Array>(nb::handle(self));
    if (array.device().kind() != DeviceKind::cpu)
        return refuse_buffer("memory of " + array.device().name() +
                             " has no host buffer: use hd.asnumpy(x)");
    const char* format = buffer_format(array.dtype());
    if (!format)
        return refuse_buffer("the buffer protocol has no " + std::string(name_of(array.dtype())) +
                             ": use hd.asnumpy(x)");
    if ((flags & PyBUF_WRITABLE) && array.read_only())
        return refuse_buffer("the array is read-only");
    const bool wants_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
    if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS || !wants_strides) {
        if (!array.is_c_contiguous()) return refuse_buffer("the array is not C-contiguous");
    } else if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS) {
        if (!array.is_f_contiguous()) return refuse_buffer("the array is not F-contiguous");
    } else if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS) {
        if (!array.is_c_contiguous() && !array.is_f_contiguous())
            return refuse_buffer("the array is not contiguous");
    }
    share_with_others(array);
    wait_for_host(array, !array.read_only());
    static std::uint64_t nothing[2] = {0, 0};
    auto* layout = new ExportedLayout{array.shape(), array.strides()};
    view->buf = array.size() ? array.data() : nothing;
    view->obj = Py_NewRef(self);
    view->len = static_cast<Py_ssize_t>(array.nbytes());
    view->itemsize = static_cast<Py_ssize_t>(size_of(array.dtype()));
    view->readonly = array.read_only();
    view->ndim = array.ndim();
    view->format = (flags & PyBUF_FORMAT) ? const_cast<char*>(format) : nullptr;
    view->shape = (flags & PyBUF_ND) ? layout->shape.data() : nullptr;
    view->strides = wants_strides ? layout->strides.data() : nullptr;
    view->suboffsets = nullptr;
    view->internal = layout;
    return 0;
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
    view->obj = nullptr;
    try {
        return fill_view(self, view, flags);
    } catch (nb::python_error& e) {
        e.restore();
    } catch (const std::exception& e) {
        PyErr_SetString(PyExc_BufferError, e.what());
    }
    return -1;
}

void release_buffer(PyObject*, Py_buffer* view) {
    delete static_cast<ExportedLayout*>(view->internal);
}

const PyType_Slot* slots() {
    static const std::vector<PyType_Slot> all = [] {
        std::vector<PyType_Slot> list = operator_slots();
        list.push_back({Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)});
        list.push_back({Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)});
        list.push_back({0, nullptr});
        return list;
    }();
    return all.data();
}

Array transpose(const Array& array, nb::args axes) {
    if (axes.size() == 0) return array.transpose();
    nb::handle list = axes;
    if (axes.size() == 1) {
        if (axes[0].is_none()) return array.transpose();
        if (!PyLong_Check(nb::handle(axes[0]).ptr())) list = axes[0];
    }
    std::vector<int> order;
    for (nb::handle axis : list) order.push_back(nb::cast<int>(axis));
    return array.transpose(order);
}

Array reshape(const Array& array, nb::args shape) {
    const bool one_tuple = shape.size() == 1 && !PyLong_Check(nb::handle(shape[0]).ptr());
    Shape wanted =
        shape_argument(one_tuple ? nb::object(shape[0]) : nb::object(shape), "Array.reshape", true);
    std::int64_t known = 1;
    int unknown = 0;
    for (std::int64_t n : wanted) n < 0 ? void(++unknown) : void(known *= n);
    const bool divides = known != 0 && array.size() % known == 0;
    if (unknown > 1 || (unknown == 1 && !divides))
        throw Error(ErrorKind::invalid_value, "[Array.reshape] cannot give " +
                                                  std::to_string(array.size()) +
                                                  " elements the shape " + shape_text(wanted));
    for (std::int64_t& n : wanted)
        if (n < 0) n = array.size() / known;
    return array.reshape(wanted);
}

void make(Array* self, nb::handle shape, nb::handle dtype, nb::handle buffer, nb::handle strides,
          std::int64_t offset, nb::handle device, nb::handle stream) {
    const DType type = dtype_from_python(dtype, "Array");
    Shape lengths = shape_argument(shape, "Array");
    if (buffer.is_none()) {
        const Stream on = stream_argument(stream, device_argument(device, "Array"), "Array");
        const GilRelease unlocked;
        new (self) Array(std::move(lengths), type, on);
        return;
    }
    Shape steps;
    if (!strides.is_none())
        for (nb::handle step : nb::object(nb::borrow(strides)))
            steps.push_back(nb::cast<std::int64_t>(step));
    new (self) Array(memory_of(buffer, "Array", "buffer"), std::move(lengths), type,
                     std::move(steps), offset);
}

}  // namespace

nb::tuple shape_tuple(const Shape& shape) {
    nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
    for (std::size_t i = 0; i < shape.size(); ++i)
        PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLongLong(shape[i]));
    return nb::borrow<nb::tuple>(tuple);
}

Shape shape_argument(nb::handle shape, const char* operation, bool allow_unknown) {
    Shape result;
    const auto add = [&](nb::handle length) {
        const nb::object index = nb::steal(PyNumber_Index(length.ptr()));
        if (!index.is_valid()) {
            PyErr_Clear();
            throw Error(ErrorKind::type_mismatch, std::string("[") + operation +
                                                      "] shape must be an int or a sequence of " +
                                                      "ints, got " + shown(shape));
        }
        const long long value = PyLong_AsLongLong(index.ptr());
        if (value == -1 && PyErr_Occurred()) nb::raise_python_error();
        if (value < 0 && !(allow_unknown && value == -1))
            throw Error(
                ErrorKind::invalid_value,
                std::string("[") + operation + "] shape has a negative length in " + shown(shape));
        result.push_back(value);
    };
    if (PyTuple_Check(shape.ptr()) || PyList_Check(shape.ptr()))
        for (nb::handle length : nb::object(nb::borrow(shape))) add(length);
    else
        add(shape);
    return result;
}

Array broadcast_to(const Array& array, const Shape& shape, const char* operation) {
    const std::size_t extra = shape.size() - std::min(shape.size(), array.shape().size());
    bool fits = array.shape().size() <= shape.size();
    Shape strides(shape.size(), 0);
    for (std::size_t i = 0; fits && i < array.shape().size(); ++i) {
        const std::int64_t have = array.shape()[i];
        if (have == shape[extra + i])
            strides[extra + i] = array.strides()[i];
        else
            fits = have == 1;
    }
    if (!fits)
        throw Error(ErrorKind::invalid_value,
                    std::string("[") + operation + "] cannot broadcast shape " +
                        shape_text(array.shape()) + " to " + shape_text(shape));
    return Array(array.buffer(), shape, array.dtype(), std::move(strides), array.offset());
}

Array take_array(nb::handle object) {
    Array& array = *nb::inst_ptr<Array>(object);
#if PY_VERSION_HEX >= 0x030E0000
    const bool temporary = PyUnstable_Object_IsUniqueReferencedTemporary(object.ptr()) != 0;
#else
    // The caller's stack has the only reference.
    const bool temporary = Py_REFCNT(object.ptr()) == 1;
#endif
    return temporary ? std::move(array) : array;
}

void share_with_others(const Array& array) {
    const GilRelease unlocked;
    array.buffer().set_escaped();
}

void wait_for_host(const Array& array, bool write) {
    if (array.size() == 0) return;
    const Stream stream = current_stream(array.device());
    {
        const GilRelease unlocked;
        array.buffer().use(stream, write);
    }
    wait_for(stream);
}

void init_array(nb::module_& m) {
    nb::class_<Array>(
        m, "Array", nb::is_weak_referenceable(), nb::type_slots(slots()),
        "A typed, strided view of memory on a device, as in NumPy; strides are in bytes.\n\n"
        "Array(shape, dtype, buffer=None, strides=None, offset=0, device=None, stream=None) is\n"
        "uninitialised, or shows the elements of a Buffer that lie `offset` bytes into it. See\n"
        "hd.array, hd.empty, hd.zeros, hd.full, hd.asarray and hd.asnumpy.\n\n"
        ">>> a = hd.array([[1, 2], [3, 4]], dtype='float32')\n"
        ">>> a[:, ::-1].T.shape\n"
        "(2, 2)\n")
        .def("__init__", make, nb::arg("shape"), nb::arg("dtype") = "float64",
             nb::arg("buffer") = nb::none(), nb::arg("strides") = nb::none(), nb::arg("offset") = 0,
             nb::arg("device") = nb::none(), nb::arg("stream") = nb::none())
        .def_prop_ro("shape", [](const Array& a) { return shape_tuple(a.shape()); })
        .def_prop_ro(
            "strides", [](const Array& a) { return shape_tuple(a.strides()); },
            "bytes from one element to the next along each axis")
        .def_prop_ro(
            "dtype", [](const Array& a) { return dtype_to_python(a.dtype()); }, "numpy.dtype")
        .def_prop_ro("ndim", &Array::ndim)
        .def_prop_ro("size", &Array::size, "elements")
        .def_prop_ro(
            "itemsize", [](const Array& a) { return size_of(a.dtype()); }, "bytes")
        .def_prop_ro("nbytes", &Array::nbytes, "size * itemsize")
        .def_prop_ro("device", &Array::device)
        .def_prop_ro(
            "buffer", [](const Array& a) { return TypedBuffer{a.buffer(), a.dtype()}; },
            "the memory that the elements lie in")
        .def_prop_ro("offset", &Array::offset, "bytes into `buffer` of element [0, …, 0]")
        .def_prop_ro(
            "address", [](const Array& a) { return reinterpret_cast<std::uintptr_t>(a.data()); },
            "of element [0, …, 0] on the device; 0 if there are no elements")
        .def_prop_ro("read_only", &Array::read_only)
        .def_prop_ro("is_c_contiguous", &Array::is_c_contiguous)
        .def_prop_ro("is_f_contiguous", &Array::is_f_contiguous)
        .def_prop_ro(
            "T", [](const Array& a) { return a.transpose(); }, "axes reversed")
        .def("transpose", transpose, nb::arg("axes"),
             "A view with axes in that order; without arguments, reversed.")
        .def("reshape", reshape, nb::arg("shape"),
             "The elements in C order with another shape: a view if possible, else a copy. One "
             "length may be -1.")
        .def(
            "ravel", [](const Array& a) { return a.reshape({a.size()}); },
            "The elements in C order, one axis.")
        .def("__len__", [](const Array& a) {
            if (a.ndim() == 0)
                throw Error(ErrorKind::type_mismatch, "[Array] an array without axes has no len()");
            return a.shape()[0];
        });
}

}  // namespace heald::python
