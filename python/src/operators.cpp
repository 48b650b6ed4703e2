#include "python/src/operators.hpp"

#include "python/src/array.hpp"
#include "python/src/errors.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"
#include "python/src/operand.hpp"

#include "src/array/ops/reduce.hpp"
#include "src/array/shape.hpp"
#include "src/base/text.hpp"

#include <array>

namespace heald::python {

namespace {

/// Runs `function`; an exception becomes Python's.
template <class Function>
PyObject* guarded(Function&& function) noexcept {
    try {
        return function().release().ptr();
    } catch (...) {
        set_error_from_current_exception();
    }
    return nullptr;
}

PyObject* not_implemented() {
    return Py_NewRef(Py_NotImplemented);
}

/// The ufunc of that name with two operands; Python tries the other side if one is unknown.
PyObject* binary(const array::Ufunc& ufunc, PyObject* a, PyObject* b) noexcept {
    return guarded([&]() -> nb::object {
        auto x = operand_from_python(a);
        auto y = operand_from_python(b);
        if (!x || !y) return nb::steal(not_implemented());
        const std::array operands{*std::move(x), *std::move(y)};
        return record_ufunc(ufunc, operands);
    });
}

PyObject* unary(const array::Ufunc& ufunc, PyObject* a) noexcept {
    return guarded([&] {
        const std::array operands{*operand_from_python(a)};
        return record_ufunc(ufunc, operands);
    });
}

template <std::size_t size>
struct Name {
    char text[size];
    constexpr Name(const char (&name)[size]) {  // NOLINT(google-explicit-constructor)
        for (std::size_t i = 0; i < size; ++i) text[i] = name[i];
    }
};

template <Name name>
const array::Ufunc& row() {
    static const array::Ufunc& found = array::ufunc(name.text);
    return found;
}

template <Name name>
PyObject* binary_slot(PyObject* a, PyObject* b) {
    return binary(row<name>(), a, b);
}
template <Name name>
PyObject* unary_slot(PyObject* a) {
    return unary(row<name>(), a);
}

/// A power with a cheaper form, as NumPy's ** takes it for a Python exponent; else null.
const array::Ufunc* simple_power(PyObject* a, PyObject* b) {
    if (!PyFloat_CheckExact(b) && !PyLong_CheckExact(b)) return nullptr;
    if (!nb::isinstance<Array>(nb::handle(a))) return nullptr;
    const DTypeKind kind = info(nb::inst_ptr<Array>(nb::handle(a))->dtype()).kind;
    const bool inexact = kind == DTypeKind::real || kind == DTypeKind::complex;
    if (!inexact && (kind == DTypeKind::boolean || !PyLong_CheckExact(b))) return nullptr;
    const double exponent = PyFloat_AsDouble(b);
    if (PyErr_Occurred()) PyErr_Clear();
    if (exponent == 2.0) return &row<"square">();
    if (!inexact) return nullptr;
    if (exponent == 1.0) return &row<"positive">();
    if (exponent == -1.0) return &row<"reciprocal">();
    return exponent == 0.5 ? &row<"sqrt">() : nullptr;
}

PyObject* power_slot(PyObject* a, PyObject* b, PyObject* modulus) {
    if (modulus != Py_None) return not_implemented();
    if (const array::Ufunc* simple = simple_power(a, b)) return unary(*simple, a);
    return binary(row<"power">(), a, b);
}

PyObject* divmod_slot(PyObject* a, PyObject* b) {
    const nb::object quotient = nb::steal(binary(row<"floor_divide">(), a, b));
    if (!quotient.is_valid()) return nullptr;
    if (quotient.ptr() == Py_NotImplemented) return not_implemented();
    const nb::object rest = nb::steal(binary(row<"remainder">(), a, b));
    return rest.is_valid() ? PyTuple_Pack(2, quotient.ptr(), rest.ptr()) : nullptr;
}

/// `result` into the memory of `target`, as NumPy's operators do it: same_kind, and no new shape.
PyObject* store(std::string_view operation, PyObject* target, PyObject* result) {
    if (result == nullptr || result == Py_NotImplemented) return result;
    const nb::object value = nb::steal(result);
    return guarded([&]() -> nb::object {
        const Array& own = *nb::inst_ptr<Array>(nb::handle(target));
        Array& computed = *nb::inst_ptr<Array>(value);
        if (!array::can_cast_same_kind(computed.dtype(), own.dtype()))
            throw Error(ErrorKind::type_mismatch,
                        text("[", operation, "] Cannot cast ufunc '", operation, "' output from ",
                             name_of(computed.dtype()), " to ", name_of(own.dtype()),
                             " with casting rule 'same_kind'"));
        if (computed.shape() != own.shape())
            throw Error(ErrorKind::invalid_value,
                        text("[", operation, "] non-broadcastable output operand with shape ",
                             array::shape_text(own.shape()), " doesn't match the broadcast shape ",
                             array::shape_text(computed.shape())));
        {
            const GilRelease unlocked;
            array::assign(own, std::move(computed));  // a new array, which nobody has seen
        }
        return nb::borrow(target);
    });
}

template <Name name>
PyObject* in_place_slot(PyObject* a, PyObject* b) {
    return store(name.text, a, binary(row<name>(), a, b));
}

PyObject* in_place_power_slot(PyObject* a, PyObject* b, PyObject* modulus) {
    return store("power", a, power_slot(a, b, modulus));
}

PyObject* compare(PyObject* a, PyObject* b, int operation) {
    switch (operation) {
        case Py_LT:
            return binary(row<"less">(), a, b);
        case Py_LE:
            return binary(row<"less_equal">(), a, b);
        case Py_EQ:
            return binary(row<"equal">(), a, b);
        case Py_NE:
            return binary(row<"not_equal">(), a, b);
        case Py_GT:
            return binary(row<"greater">(), a, b);
        default:
            return binary(row<"greater_equal">(), a, b);
    }
}

template <class Function>
PyType_Slot slot(int id, Function* function) {
    return {id, reinterpret_cast<void*>(function)};
}

}  // namespace

std::vector<PyType_Slot> operator_slots() {
    return {
        slot(Py_nb_add, binary_slot<"add">),
        slot(Py_nb_subtract, binary_slot<"subtract">),
        slot(Py_nb_multiply, binary_slot<"multiply">),
        slot(Py_nb_true_divide, binary_slot<"divide">),
        slot(Py_nb_floor_divide, binary_slot<"floor_divide">),
        slot(Py_nb_remainder, binary_slot<"remainder">),
        slot(Py_nb_power, power_slot),
        slot(Py_nb_divmod, divmod_slot),
        slot(Py_nb_inplace_add, in_place_slot<"add">),
        slot(Py_nb_inplace_subtract, in_place_slot<"subtract">),
        slot(Py_nb_inplace_multiply, in_place_slot<"multiply">),
        slot(Py_nb_inplace_true_divide, in_place_slot<"divide">),
        slot(Py_nb_inplace_floor_divide, in_place_slot<"floor_divide">),
        slot(Py_nb_inplace_remainder, in_place_slot<"remainder">),
        slot(Py_nb_inplace_power, in_place_power_slot),
        slot(Py_nb_inplace_and, in_place_slot<"bitwise_and">),
        slot(Py_nb_inplace_or, in_place_slot<"bitwise_or">),
        slot(Py_nb_inplace_xor, in_place_slot<"bitwise_xor">),
        slot(Py_nb_inplace_lshift, in_place_slot<"left_shift">),
        slot(Py_nb_inplace_rshift, in_place_slot<"right_shift">),
        slot(Py_nb_and, binary_slot<"bitwise_and">),
        slot(Py_nb_or, binary_slot<"bitwise_or">),
        slot(Py_nb_xor, binary_slot<"bitwise_xor">),
        slot(Py_nb_lshift, binary_slot<"left_shift">),
        slot(Py_nb_rshift, binary_slot<"right_shift">),
        slot(Py_nb_negative, unary_slot<"negative">),
        slot(Py_nb_positive, unary_slot<"positive">),
        slot(Py_nb_absolute, unary_slot<"absolute">),
        slot(Py_nb_invert, unary_slot<"invert">),
        slot(Py_tp_richcompare, compare),
        slot(Py_tp_hash, PyObject_HashNotImplemented),
    };
}

}  // namespace heald::python
