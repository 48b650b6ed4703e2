#include "python/src/epilogue.hpp"

#include "python/src/array.hpp"
#include "python/src/dtype.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"

#include "src/base/text.hpp"
#include "src/plan/epilogue/members.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heald::python {

namespace {

/// A Python object that threads without the GIL may let go.
class Kept {
public:
    explicit Kept(nb::object object) : object_(object.release().ptr()) {}
    ~Kept() {
        if (!python_alive()) return;
        const ForeignGil gil;
        if (gil.held()) Py_DECREF(object_);
    }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

    [[nodiscard]] nb::handle get() const { return object_; }

private:
    PyObject* object_;
};

Array array_result(nb::object result, const char* what) {
    if (!nb::isinstance<Array>(result))
        throw Error(ErrorKind::type_mismatch,
                    text("[", what, "] the function gave a ", Py_TYPE(result.ptr())->tp_name,
                         ", expected an hd.Array"));
    return nb::cast<Array>(result);
}

Shape optional_shape(nb::handle shape, const char* operation) {
    return shape.is_none() ? Shape() : shape_argument(shape, operation);
}

Epilogue own_function(nb::object function, nb::dict operands) {
    if (PyCallable_Check(function.ptr()) == 0)
        throw Error(ErrorKind::type_mismatch, text("[epilogue.function] expected a function, got ",
                                                   Py_TYPE(function.ptr())->tp_name));
    std::vector<std::string> names;
    std::vector<Shape> shapes;
    for (auto [name, shape] : operands) {
        names.push_back(nb::cast<std::string>(name));
        shapes.push_back(optional_shape(shape, "epilogue.function"));
    }
    auto kept = std::make_shared<Kept>(std::move(function));
    return Epilogue::function(
        [kept, names](const Array& accumulator, std::span<const Array> arrays) {
            const nb::gil_scoped_acquire gil;
            nb::kwargs named;
            for (std::size_t i = 0; i < names.size(); ++i)
                named[names[i].c_str()] = nb::cast(arrays[i]);
            return array_result(kept->get()(accumulator, **named), "epilogue.function");
        },
        names, shapes);
}

EpilogueMember activation_named(const std::string& name) {
    for (const plan::EpilogueRow& row : plan::epilogue_rows())
        if (row.name == name) return row.member;
    throw Error(ErrorKind::invalid_value,
                text("[epilogue] no activation is called '", name,
                     "': there are relu, gelu, gelu_erf, silu, sigmoid and tanh"));
}

}  // namespace

Epilogue epilogue_argument(nb::handle object) {
    if (object.is_none()) return {};
    if (nb::isinstance<Epilogue>(object)) return nb::cast<Epilogue>(object);
    if (PyUnicode_Check(object.ptr()))
        return Epilogue::activation(activation_named(nb::cast<std::string>(object)));
    if (PySequence_Check(object.ptr()) == 0)
        throw Error(ErrorKind::type_mismatch,
                    text("[Matmul] epilogue must be made by heald.epilogue or be a list of such, "
                         "got ",
                         Py_TYPE(object.ptr())->tp_name));
    Epilogue chain;
    for (nb::handle item : nb::object(nb::borrow(object))) chain = chain + epilogue_argument(item);
    return chain;
}

Prologue prologue_argument(nb::handle function, const char* name) {
    if (function.is_none()) return {};
    if (PyCallable_Check(function.ptr()) == 0)
        throw Error(ErrorKind::type_mismatch, text("[Matmul] ", name, " must be a function, got ",
                                                   Py_TYPE(function.ptr())->tp_name));
    auto kept = std::make_shared<Kept>(nb::borrow(function));
    return [kept](const Array& operand) {
        const nb::gil_scoped_acquire gil;
        return array_result(kept->get()(operand), "Matmul prologue");
    };
}

void init_epilogue(nb::module_& m) {
    nb::class_<Epilogue>(m, "Epilogue",
                         "What becomes of a product before it is stored: stages made by "
                         "heald.epilogue, joined with +.")
        .def("__add__", &Epilogue::operator+, nb::arg("next"))
        .def("__len__", [](const Epilogue& chain) { return chain.stages().size(); })
        .def("__repr__", [](const Epilogue& chain) {
            return text("<heald.Epilogue ",
                        chain.empty() ? "of no stages" : plan::chain_text(chain.stages()), ">");
        });
    m.def("epilogue_activation",
          [](const std::string& name) { return Epilogue::activation(activation_named(name)); });
    m.def("epilogue_scale", &Epilogue::scale, nb::arg("value"));
    m.def(
        "epilogue_bias",
        [](nb::handle shape, std::string name) {
            return Epilogue::bias(optional_shape(shape, "epilogue.bias"), std::move(name));
        },
        nb::arg("shape").none(), nb::arg("name"));
    m.def("epilogue_residual", &Epilogue::residual, nb::arg("name"));
    m.def(
        "epilogue_multiply",
        [](nb::handle shape, std::string name) {
            return Epilogue::multiply(optional_shape(shape, "epilogue.multiply"), std::move(name));
        },
        nb::arg("shape").none(), nb::arg("name"));
    m.def("epilogue_leaky_relu", &Epilogue::leaky_relu, nb::arg("slope"));
    m.def("epilogue_clamp", &Epilogue::clamp, nb::arg("low"), nb::arg("high"));
    m.def(
        "epilogue_cast",
        [](nb::handle dtype) { return Epilogue::cast(dtype_from_python(dtype, "epilogue.cast")); },
        nb::arg("dtype"));
    m.def("epilogue_dropout", &Epilogue::dropout, nb::arg("probability"), nb::arg("seed"));
    m.def("epilogue_relu_aux", &Epilogue::relu_aux, nb::arg("output"));
    m.def("epilogue_gelu_aux", &Epilogue::gelu_aux, nb::arg("output"));
    m.def("epilogue_drelu", &Epilogue::drelu, nb::arg("name"));
    m.def("epilogue_dgelu", &Epilogue::dgelu, nb::arg("name"));
    m.def("epilogue_bias_gradient", &Epilogue::bias_gradient, nb::arg("output"));
    m.def("epilogue_amax", &Epilogue::amax, nb::arg("output"));
    m.def("epilogue_function", own_function, nb::arg("function"), nb::arg("operands"));
}

}  // namespace heald::python
