#include "python/src/jit_key.hpp"

#include "python/src/array.hpp"
#include "python/src/dtype.hpp"
#include "python/src/foreign.hpp"
#include "python/src/host_memory.hpp"
#include "python/src/numpy.hpp"

#include "src/core/block.hpp"

#include <heald/error.hpp>

#include <algorithm>
#include <cstring>

namespace heald::python {

namespace {

// So much below 2^31 that small steps beyond a length still fit.
constexpr std::int64_t int32_max = INT32_MAX - 65536;

PyTypeObject* array_type() {
    static auto* type = reinterpret_cast<PyTypeObject*>(nb::type<Array>().ptr());
    return type;
}

bool is_host_argument(PyObject* object) {
    static PyObject* const types = [] {
        nb::module_ m = nb::module_::import_("heald._heald");
        return nb::make_tuple(m.attr("In"), m.attr("Out"), m.attr("InOut")).release().ptr();
    }();
    return PyObject_IsInstance(object, types) == 1;
}

// The spread of elements about the first: indices of 32 bits reach them all.
bool is_narrow(const Array& array, std::int64_t item) {
    std::int64_t spread = 0;
    for (std::size_t i = 0; i < array.shape().size(); ++i) {
        const std::int64_t length = array.shape()[i];
        if (length > int32_max) return false;
        if (length > 1)
            spread += (length - 1) * std::max<std::int64_t>(std::abs(array.strides()[i]), item);
        if (spread / item >= int32_max) return false;
    }
    return true;
}

char layout_of(const Array& array, std::int64_t item, bool& whole) {
    const Shape& shape = array.shape();
    const Shape& strides = array.strides();
    std::int64_t expected = item;
    bool contiguous = true, empty = false;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] != 1) {
            contiguous &= strides[i] == expected;
            whole &= strides[i] % item == 0;
        }
        expected *= shape[i];
        empty |= shape[i] == 0;
    }
    if (contiguous || empty) return 'C';
    const std::size_t last = shape.size() - 1;
    return shape[last] == 1 || strides[last] == item ? 'I' : 'A';
}

}  // namespace

void KeyText::spill(char c) {
    if (size_ == inline_size) heap_.assign(inline_.data(), inline_size);
    heap_.push_back(c);
}

void KeyText::add_pointer(const void* p) {
    char bytes[sizeof p];
    std::memcpy(bytes, &p, sizeof p);
    for (const char c : bytes) add(c);
}

std::int64_t element_stride(const Array& array, std::size_t axis) noexcept {
    return array.strides()[axis] / static_cast<std::int64_t>(size_of(array.dtype()));
}

JitArguments::JitArguments(PyObject* const* arguments, std::size_t count, const Device& device,
                           const Stream& stream, const LaunchConfig& config,
                           const std::string& operation)
    : device_(device), stream_(stream), operation_(operation) {
    const Dim3& grid = config.grid;
    const Dim3& block = config.block;
    narrow_ = std::uint64_t{grid.x} * block.x <= static_cast<std::uint64_t>(int32_max) &&
              std::uint64_t{grid.y} * block.y <= static_cast<std::uint64_t>(int32_max) &&
              std::uint64_t{grid.z} * block.z <= static_cast<std::uint64_t>(int32_max);
    for (std::size_t i = 0; i < count; ++i) add(arguments[i]);
    key_.add(narrow_ ? 'n' : 'w');
}

void JitArguments::add(PyObject* object) {
    if (Py_TYPE(object) == array_type() && nb::inst_ready(object)) {
        add_array(object, *nb::inst_ptr<Array>(nb::handle(object)));
    } else if (PyLong_CheckExact(object)) {
        add_int(object);
    } else if (PyFloat_CheckExact(object)) {
        key_.add('f');
        add_leaf({object});
    } else {
        add_other(object);
    }
}

void JitArguments::add_array(PyObject* object, const Array& array) {
    if (&array.buffer().block()->device() != device_.shared_state().get()) [[unlikely]]
        throw Error(ErrorKind::invalid_value, operation_ + "the arguments are of two devices, " +
                                                  device_.name() + " and " + array.device().name() +
                                                  ": pass x.to(device)");
    const auto item = static_cast<std::int64_t>(size_of(array.dtype()));
    bool whole = true;
    key_.add('A');
    key_.add(static_cast<char>(array.dtype()));
    key_.add(static_cast<char>(array.shape().size()));
    key_.add(array.shape().empty() ? 'C' : layout_of(array, item, whole));
    if (!whole)
        throw Error(ErrorKind::invalid_value,
                    operation_ + "the strides " + shape_text(array.strides()) +
                        " of an array are no whole elements: pass x.copy()");
    narrow_ = narrow_ && is_narrow(array, item);
    add_leaf({object, &array});
}

void JitArguments::add_int(PyObject* object) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    char width = value >= 0 && value <= int32_max                ? 'u'
                 : value < 0 && value >= std::int64_t{INT32_MIN} ? 'i'
                                                                 : 'l';
    if (overflow) {
        (void)PyLong_AsUnsignedLongLong(object);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            throw Error(ErrorKind::overflow, operation_ + "an int does not fit 64 bits");
        }
        width = 'U';
    }
    key_.add('i');
    key_.add(width);
    add_leaf({object});
}

void JitArguments::add_tuple(PyObject* tuple) {
    if (PyTuple_CheckExact(tuple)) {
        key_.add('(');
    } else {
        key_.add('T');
        key_.add_pointer(Py_TYPE(tuple));
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) add(PyTuple_GET_ITEM(tuple, i));
    key_.add(')');
}

void JitArguments::add_host(PyObject* object) {
    const nb::object array = nb::handle(object).attr("array");
    const std::optional<DType> dtype = host_dtype(array);
    if (!dtype) refuse(array.ptr());
    key_.add('A');
    key_.add(static_cast<char>(*dtype));
    key_.add(static_cast<char>(nb::cast<int>(array.attr("ndim"))));
    key_.add('C');
    narrow_ = narrow_ && nb::cast<std::int64_t>(array.attr("size")) < int32_max;
    JitLeaf leaf{object};
    leaf.is_host = true;
    add_leaf(leaf);
}

bool JitArguments::add_foreign(PyObject* object) {
    const nb::handle handle(object);
    std::optional<Array> array;
    if (device_.kind() == DeviceKind::cuda && nb::hasattr(handle, "__cuda_array_interface__"))
        array = array_from_cuda_interface(handle, &stream_, "hd.jit");
    else if (nb::hasattr(handle, "__dlpack__"))
        array = array_from_dlpack(handle, &stream_, "hd.jit");
    if (!array) return false;
    if (!owned_) owned_.emplace();
    owned_->push_back(std::move(*array));
    add_array(object, owned_->back());
    return true;
}

void JitArguments::add_other(PyObject* object) {
    const NumPy& numpy = NumPy::get();
    if (PyBool_Check(object)) {
        key_.add('b');
        add_leaf({object});
    } else if (PyTuple_Check(object)) {
        add_tuple(object);
    } else if (const auto dtype = numpy.scalar_dtype(object)) {
        key_.add('s');
        key_.add(static_cast<char>(*dtype));
        add_leaf({object});
    } else if (PyComplex_CheckExact(object)) {
        key_.add('c');
        add_leaf({object});
    } else if (object == Py_None) {
        key_.add('N');
    } else if (numpy.is_scalar(object) && nb::hasattr(nb::handle(object), "dtype") &&
               !nb::handle(object).attr("dtype").attr("names").is_none()) {
        kept_.push_back(nb::handle(object).attr("dtype"));
        key_.add('R');
        key_.add_pointer(kept_.back().ptr());
        add_leaf({object});
    } else if (PyFunction_Check(object) || PyType_Check(object)) {
        key_.add('O');
        key_.add_pointer(object);
    } else if (is_host_argument(object)) {
        add_host(object);
    } else if (numpy.is_array(object) || !add_foreign(object)) {
        if (PyLong_Check(object))
            add_int(object);
        else
            refuse(object);
    }
}

void JitArguments::refuse(PyObject* object) const {
    const std::string type = Py_TYPE(object)->tp_name;
    if (NumPy::get().is_array(object))
        throw Error(ErrorKind::type_mismatch,
                    operation_ +
                        "got a NumPy array: pass hd.In(x), hd.Out(x) or hd.InOut(x) to "
                        "have it copied for this launch, or hd.array(x) to keep it on the "
                        "device");
    throw Error(ErrorKind::type_mismatch,
                operation_ + "got an argument of type " + type +
                    ": a kernel takes arrays, numbers, tuples and NumPy records");
}

std::optional<Device> jit_device(PyObject* const* arguments, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        PyObject* object = arguments[i];
        if (Py_TYPE(object) == array_type() && nb::inst_ready(object))
            return nb::inst_ptr<Array>(nb::handle(object))->device();
        if (PyTuple_Check(object)) {
            PyObject** items = PySequence_Fast_ITEMS(object);
            const auto size = static_cast<std::size_t>(PyTuple_GET_SIZE(object));
            if (auto device = jit_device(items, size)) return device;
        } else if (!PyLong_CheckExact(object) && !PyFloat_CheckExact(object) &&
                   !NumPy::get().is_array(object) && !NumPy::get().is_scalar(object) &&
                   nb::hasattr(nb::handle(object), "__dlpack_device__")) {
            const nb::object pair = nb::handle(object).attr("__dlpack_device__")();
            return device_from_dlpack({nb::cast<std::int32_t>(nb::int_(pair[0])),
                                       nb::cast<std::int32_t>(nb::int_(pair[1]))},
                                      "hd.jit");
        }
    }
    return std::nullopt;
}

}  // namespace heald::python
