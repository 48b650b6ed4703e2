#include "python/src/array.hpp"
#include "python/src/buffer.hpp"
#include "python/src/current_stream.hpp"
#include "python/src/deferred.hpp"
#include "python/src/dtype.hpp"
#include "python/src/gil.hpp"
#include "python/src/host_memory.hpp"
#include "python/src/module.hpp"
#include "python/src/numpy.hpp"
#include "python/src/wait.hpp"

#include "src/base/scalar_bits.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>

#include <cstring>
#include <optional>
#include <string>

namespace heald::python {

namespace {

DType ndarray_dtype(nb::handle ndarray, const char* operation) {
    return dtype_from_python(ndarray.attr("dtype"), operation);
}

Array copy(const Array& array, nb::handle stream) {
    const Stream on = stream_argument(stream, array.device(), "Array.copy");
    const GilRelease unlocked;
    return array.copy(on);
}

nb::object to_device(nb::object self, nb::handle device, nb::handle stream) {
    const Array& array = nb::cast<Array&>(self);
    const Device target = device_argument(device, "Array.to");
    if (target == array.device()) return self;
    const Stream on = stream_argument(stream, target, "Array.to");
    Array result = [&] {
        const GilRelease unlocked;
        return array.to(target, on);
    }();
    return nb::cast(std::move(result));
}

void fill(const Array& array, nb::handle value, nb::handle stream) {
    if (array.read_only())
        throw Error(ErrorKind::invalid_value, "[Array.fill] the array is read-only");
    const Stream on = stream_argument(stream, array.device(), "Array.fill");
    alignas(16) std::byte element[16];
    if (!element_from_python(value, array.dtype(), element))
        throw Error(ErrorKind::invalid_value, "[Array.fill] the value must be one number");
    const GilRelease unlocked;
    array.fill(element, on);
}

// Shares a NumPy array's memory with the CPU device.
Array share_numpy(nb::handle ndarray, const Device& device) {
    if (device.kind() != DeviceKind::cpu)
        throw Error(ErrorKind::invalid_value, "[asarray] copy=False: " + device.name() +
                                                  " cannot use a NumPy array's memory, only "
                                                  "device cpu can");
    const DType dtype = ndarray_dtype(ndarray, "asarray");
    const HostMemory memory = HostMemory::strided(ndarray, HostMemory::Access::read, "asarray");
    const Shape shape = memory.shape();
    const Shape strides = memory.strides();
    std::int64_t low = 0, high = static_cast<std::int64_t>(size_of(dtype));
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0) return Array(Buffer::wrap(nullptr, 0, device, nullptr), shape, dtype);
        (strides[i] < 0 ? low : high) += (shape[i] - 1) * strides[i];
    }
    Buffer wrapped =
        Buffer::wrap(static_cast<char*>(memory.data()) + low, static_cast<std::size_t>(high - low),
                     device, memory.keep_alive(), memory.read_only());
    return Array(std::move(wrapped), shape, dtype, strides, -low);
}

}  // namespace

Array array_from_numpy(nb::handle ndarray, const Stream& stream, const char* operation) {
    const DType dtype = ndarray_dtype(ndarray, operation);
    const HostMemory memory = HostMemory::strided(ndarray, HostMemory::Access::read, operation);
    Shape shape = memory.shape();
    const Shape strides = memory.strides();
    const GilRelease unlocked;
    Array array(std::move(shape), dtype, stream);
    if (array.size() == 0) return array;
    array.copy_from_host(memory.data(), strides, stream);
    return array;
}

bool element_from_python(nb::handle value, DType dtype, void* element) {
    PyObject* object = value.ptr();
    const DTypeKind kind = info(dtype).kind;
    const bool is_real = kind == DTypeKind::real;
    if ((is_real && PyFloat_CheckExact(object)) || (PyBool_Check(object) && !is_real)) {
        if (is_real) {
            (void)store_real(PyFloat_AS_DOUBLE(object), dtype, element);
        } else {
            const std::uint8_t bit = object == Py_True;
            cast_scalar(DType::boolean, &bit, dtype, element);
            if (kind == DTypeKind::boolean) std::memcpy(element, &bit, 1);
        }
        return true;
    }
    if (PyLong_CheckExact(object)) {
        const long small = PyLong_AsLong(object);
        if (small >= 0 && small <= 127) {  // fits every dtype
            const auto byte =
                static_cast<std::uint8_t>(kind == DTypeKind::boolean ? small != 0 : small);
            if (size_of(dtype) == 1)
                std::memcpy(element, &byte, 1);
            else
                cast_scalar(DType::uint8, &byte, dtype, element);
            return true;
        }
        PyErr_Clear();
    }
    nb::object host = NumPy::get().asarray(value, dtype_to_python(dtype));
    if (nb::cast<int>(host.attr("ndim")) != 0) return false;
    nb::object bytes = host.attr("tobytes")();
    std::memcpy(element, PyBytes_AsString(bytes.ptr()), size_of(dtype));
    return true;
}

nb::object array_to_numpy(const Array& array, const Stream& stream) {
    nb::object host =
        NumPy::get().empty(shape_tuple(array.shape()), dtype_to_python(array.dtype()));
    if (array.size() == 0) return host;
    Array contiguous = array;
    if (!array.is_c_contiguous()) {
        const GilRelease unlocked;
        contiguous = array.copy(stream);
    }
    copy_to_host(contiguous.buffer().slice(static_cast<std::size_t>(contiguous.offset()),
                                           contiguous.nbytes()),
                 host, stream, "asnumpy");
    return host;
}

void init_array_transfer(nb::module_& m) {
    nb::object type = m.attr("Array");
    auto cls = nb::borrow<nb::class_<Array>>(type);
    cls.def("copy", copy, nb::arg("stream") = nb::none(), "A new array, C order. Enqueued.")
        .def("to", to_device, nb::arg("device"), nb::arg("stream") = nb::none(),
             "The elements on another device, or this array if it is there already. Enqueued.")
        .def("fill", fill, nb::arg("value"), nb::arg("stream") = nb::none(),
             "Sets every element. Enqueued.");
    m.def(
        "array_from_numpy",
        [](nb::handle ndarray, nb::handle device, nb::handle stream) {
            const Stream on = stream_argument(stream, device_argument(device, "array"), "array");
            return array_from_numpy(ndarray, on, "array");
        },
        nb::arg("ndarray"), nb::arg("device") = nb::none(), nb::arg("stream") = nb::none());
    m.def(
        "array_share_numpy",
        [](nb::handle ndarray, nb::handle device) {
            return share_numpy(ndarray, device_argument(device, "asarray"));
        },
        nb::arg("ndarray"), nb::arg("device") = nb::none());
    m.def(
        "array_to_numpy",
        [](const Array& array, nb::handle stream) {
            return array_to_numpy(array, stream_argument(stream, array.device(), "asnumpy"));
        },
        nb::arg("array"), nb::arg("stream") = nb::none());
}

}  // namespace heald::python
