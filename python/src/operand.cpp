#include "python/src/operand.hpp"

#include "python/src/array.hpp"
#include "python/src/dtype.hpp"
#include "python/src/foreign.hpp"
#include "python/src/gil.hpp"
#include "python/src/numpy.hpp"

#include <heald/error.hpp>

#include <cstring>
#include <limits>
#include <string>

namespace heald::python {

namespace {

PyTypeObject* array_type() {
    static auto* type = reinterpret_cast<PyTypeObject*>(nb::type<Array>().ptr());
    return type;
}

array::WeakScalar integer_scalar(PyObject* object) {
    array::WeakScalar scalar;
    scalar.kind = array::WeakKind::integer;
    int overflow = 0;
    scalar.integer = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow == 0) return scalar;
    const unsigned long long bits = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
    if (overflow < 0 || (bits == static_cast<unsigned long long>(-1) && PyErr_Occurred())) {
        PyErr_Clear();
        scalar.beyond = static_cast<std::int8_t>(overflow);
        scalar.real = PyLong_AsDouble(object);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            scalar.real = overflow * std::numeric_limits<double>::infinity();
        }
        return scalar;
    }
    scalar.is_unsigned = true;
    scalar.integer = static_cast<std::int64_t>(bits);
    return scalar;
}

array::TypedScalar numpy_scalar(nb::handle object) {
    array::TypedScalar scalar;
    const NumPy& numpy = NumPy::get();
    if (const auto dtype = numpy.scalar_dtype(object.ptr())) {
        scalar.dtype = *dtype;
        numpy.read_scalar(object.ptr(), *dtype, scalar.value.bytes.data());
        return scalar;
    }
    scalar.dtype = dtype_from_python(object.attr("dtype"), "ufunc");
    const nb::object bytes = object.attr("tobytes")();
    std::memcpy(scalar.value.bytes.data(), PyBytes_AsString(bytes.ptr()), size_of(scalar.dtype));
    return scalar;
}

/// A tensor of another library as an Array over its memory; nullopt for anything else.
std::optional<Array> shared_array(nb::handle object) {
    if (nb::hasattr(object, "__dlpack__")) return array_from_dlpack(object, nullptr, "ufunc");
    if (nb::hasattr(object, "__cuda_array_interface__"))
        return array_from_cuda_interface(object, nullptr, "ufunc");
    return std::nullopt;
}

}  // namespace

std::optional<array::UfuncOperand> operand_from_python(nb::handle handle) {
    PyObject* object = handle.ptr();
    if (Py_TYPE(object) == array_type() || PyObject_TypeCheck(object, array_type()))
        return *nb::inst_ptr<Array>(handle);
    array::WeakScalar weak;
    if (PyFloat_CheckExact(object)) {
        weak.real = PyFloat_AS_DOUBLE(object);
        return weak;
    }
    if (PyBool_Check(object)) {
        weak.kind = array::WeakKind::boolean;
        weak.integer = object == Py_True;
        return weak;
    }
    if (PyLong_CheckExact(object)) return integer_scalar(object);
    if (PyComplex_CheckExact(object)) {
        weak.kind = array::WeakKind::complex;
        weak.real = PyComplex_RealAsDouble(object);
        weak.imaginary = PyComplex_ImagAsDouble(object);
        return weak;
    }
    if (NumPy::get().is_scalar(object)) return numpy_scalar(handle);
    if (NumPy::get().is_array(object)) {
        if (nb::cast<int>(handle.attr("ndim")) == 0) return numpy_scalar(handle);
        return std::nullopt;
    }
    if (auto shared = shared_array(handle)) return *shared;
    if (PyLong_Check(object)) return integer_scalar(object);
    return std::nullopt;
}

array::UfuncOperand operand_argument(nb::handle object, std::string_view operation) {
    if (auto operand = operand_from_python(object)) return *std::move(operand);
    const std::string type = Py_TYPE(object.ptr())->tp_name;
    throw Error(ErrorKind::type_mismatch,
                "[" + std::string(operation) +
                    "] an operand must be an hd.Array, a tensor of another "
                    "library or a number, got " +
                    type + ": pass hd.asarray(x)");
}

namespace {

std::optional<DType> dtype_of(const array::UfuncOperand& operand) {
    if (const auto* x = std::get_if<Array>(&operand)) return x->dtype();
    if (const auto* scalar = std::get_if<array::TypedScalar>(&operand)) return scalar->dtype;
    const auto kind = std::get<array::WeakScalar>(operand).kind;
    return kind <= array::WeakKind::integer ? std::optional(DType::int64) : std::nullopt;
}

/// NumPy refuses negative integer powers of integers: those in an array are looked for.
void check_exponents(const array::UfuncOperand& base, const array::UfuncOperand& exponent) {
    const auto* array = std::get_if<Array>(&exponent);
    if (array == nullptr || info(array->dtype()).kind != DTypeKind::signed_int) return;
    const auto dtype = dtype_of(base);
    if (!dtype || *dtype == DType::uint64) return;
    const DTypeKind kind = info(*dtype).kind;
    if (kind == DTypeKind::real || kind == DTypeKind::complex) return;
    nb::module_::import_("heald._folds").attr("check_exponents")(*array);
}

}  // namespace

nb::object record_ufunc(const array::Ufunc& ufunc, std::span<const array::UfuncOperand> operands,
                        std::optional<DType> dtype) {
    static const array::Ufunc& power = array::ufunc("power");
    if (&ufunc == &power && !dtype) check_exponents(operands[0], operands[1]);
    return nb::cast(array::elementwise(ufunc, operands, dtype));
}

}  // namespace heald::python
