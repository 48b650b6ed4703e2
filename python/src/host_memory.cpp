#include "python/src/host_memory.hpp"

#include "python/src/deferred.hpp"
#include "python/src/numpy.hpp"

#include <heald/error.hpp>

#include <cstring>
#include <string>

namespace heald::python {

namespace {

[[noreturn]] void refuse(nb::handle object, HostMemory::Access access, const char* operation) {
    PyErr_Clear();
    const std::string prefix = std::string("[") + operation + "] ";
    const std::string type = Py_TYPE(object.ptr())->tp_name;
    if (!PyObject_CheckBuffer(object.ptr()))
        throw Error(
            ErrorKind::type_mismatch,
            prefix + "host memory must be a NumPy array or have the buffer protocol, got " + type);
    Py_buffer view;
    if (access == HostMemory::Access::write &&
        PyObject_GetBuffer(object.ptr(), &view, PyBUF_STRIDED_RO) == 0) {
        const bool read_only = view.readonly != 0;
        PyBuffer_Release(&view);
        if (read_only)
            throw Error(ErrorKind::invalid_value,
                        prefix + "the destination is read-only (" + type + ")");
    }
    PyErr_Clear();
    throw Error(ErrorKind::invalid_value,
                prefix + "the " + type +
                    " is not contiguous: pass numpy.ascontiguousarray(x), or use hd.array, which "
                    "takes any strides");
}

}  // namespace

HostMemory HostMemory::contiguous(nb::handle object, Access access, const char* operation) {
    HostMemory memory;
    const int flags = PyBUF_ANY_CONTIGUOUS | (access == Access::write ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object.ptr(), &memory.view_, flags) < 0)
        refuse(object, access, operation);
    memory.held_ = true;
    return memory;
}

HostMemory HostMemory::strided(nb::handle ndarray, Access access, const char* operation) {
    HostMemory memory;
    const int flags = access == Access::write ? PyBUF_STRIDED : PyBUF_STRIDED_RO;
    if (PyObject_GetBuffer(ndarray.ptr(), &memory.view_, flags) < 0)
        refuse(ndarray, access, operation);
    memory.held_ = true;
    return memory;
}

HostMemory::HostMemory(HostMemory&& other) noexcept : view_(other.view_), held_(other.held_) {
    other.held_ = false;
}

HostMemory::~HostMemory() {
    if (held_) PyBuffer_Release(&view_);
}

Shape HostMemory::shape() const {
    return Shape(view_.shape, view_.shape + view_.ndim);
}

Shape HostMemory::strides() const {
    return Shape(view_.strides, view_.strides + view_.ndim);
}

std::shared_ptr<void> HostMemory::keep_alive() const {
    if (NumPy::get().is_array(view_.obj)) return own(view_.obj);
    nb::object exported = nb::steal(PyMemoryView_FromObject(view_.obj));
    if (!exported.is_valid()) nb::raise_python_error();
    return own(exported.ptr());
}

std::optional<DType> host_dtype(nb::handle object) {
    const NumPy& numpy = NumPy::get();
    if (!numpy.is_array(object.ptr()) && !numpy.is_scalar(object.ptr())) return std::nullopt;
    return numpy.find_dtype(object.attr("dtype"));
}

}  // namespace heald::python
