#include "python/src/operators.hpp"

#include "python/src/array.hpp"
#include "python/src/errors.hpp"
#include "python/src/module.hpp"
#include "python/src/operand.hpp"

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

PyObject* power_slot(PyObject* a, PyObject* b, PyObject* modulus) {
    if (modulus != Py_None) return not_implemented();
    return binary(row<"power">(), a, b);
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
