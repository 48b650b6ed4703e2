#include "python/src/array.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"
#include "python/src/operand.hpp"

#include <heald/elementwise.hpp>

#include "src/array/user/user_elementwise.hpp"
#include "src/array/user/user_reduction.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heald::python {

namespace {

/// `arguments`: the inputs, and then outputs or none.
nb::tuple call_elementwise(const ElementwiseFunction& function, nb::args arguments,
                           nb::handle size) {
    const array::UserElementwise& state = *function.state();
    const std::size_t inputs = state.input_count(), all = inputs + state.output_count();
    if (arguments.size() != inputs && arguments.size() != all)
        throw Error(ErrorKind::type_mismatch,
                    "[" + state.name() + "] takes " + std::to_string(inputs) + " inputs, or " +
                        std::to_string(all) + " arguments with its outputs, got " +
                        std::to_string(arguments.size()));
    std::vector<array::UfuncOperand> operands;
    std::vector<Array> outputs;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        operands.push_back(operand_argument(arguments[k], state.name()));
        if (k < inputs) continue;
        const auto* output = std::get_if<Array>(&operands.back());
        if (output == nullptr)
            throw Error(ErrorKind::type_mismatch, "[" + state.name() + "] argument " +
                                                      std::to_string(k + 1) +
                                                      " is an output: pass an hd.Array");
        outputs.push_back(*output);
        operands.pop_back();
    }
    std::optional<Shape> shape;
    if (!size.is_none()) shape = shape_argument(size, state.name().c_str());
    std::vector<Array> results;
    {
        const GilRelease unlocked;
        results = state.call(operands, outputs, shape);
    }
    nb::list list;
    for (Array& result : results) list.append(nb::cast(std::move(result)));
    return nb::tuple(list);
}

Array call_reduction(const ReductionFunction& function, nb::args arguments,
                     const std::vector<int>& axes, bool keepdims, nb::handle out) {
    const array::UserReduction& state = *function.state();
    std::vector<array::UfuncOperand> operands;
    for (nb::handle argument : arguments)
        operands.push_back(operand_argument(argument, state.name()));
    std::optional<Array> given;
    if (!out.is_none()) given = nb::cast<Array&>(out);
    const GilRelease unlocked;
    return state.call(operands, [&](int) { return axes; }, keepdims, given);
}

}  // namespace

void init_user_functions(nb::module_& m) {
    nb::class_<ElementwiseFunction>(m, "ElementwiseFunction", "The engine of hd.elementwise.")
        .def(nb::init<std::string, std::string, std::string, std::string, std::string>(),
             nb::arg("inputs"), nb::arg("outputs"), nb::arg("operation"), nb::arg("name"),
             nb::arg("preamble"))
        .def("call", call_elementwise, nb::arg("arguments"), nb::kw_only(),
             nb::arg("size") = nb::none());
    nb::class_<ReductionFunction>(m, "ReductionFunction", "The engine of hd.reduction.")
        .def(nb::init<std::string, std::string, std::string, std::string, std::string, std::string,
                      std::string, std::string, std::string>(),
             nb::arg("inputs"), nb::arg("output"), nb::arg("map"), nb::arg("reduce"),
             nb::arg("post"), nb::arg("identity"), nb::arg("name"), nb::arg("reduce_type"),
             nb::arg("preamble"))
        .def("call", call_reduction, nb::arg("arguments"), nb::kw_only(), nb::arg("axes"),
             nb::arg("keepdims"), nb::arg("out").none());
}

}  // namespace heald::python
