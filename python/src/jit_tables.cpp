// What the translator of Python kernels takes from the table of NumPy's elementwise operations.

#include "python/src/dtype.hpp"
#include "python/src/module.hpp"

#include "src/array/ops/device_functions.hpp"
#include "src/array/ops/ufunc.hpp"

#include <heald/dtype.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <string>
#include <string_view>

namespace heald::python {

namespace {

nb::object ufunc_expression(std::string_view name, std::string_view promoted) {
    const array::Ufunc& ufunc = array::ufunc(name);
    const auto loop = array::loop_dtype(ufunc, dtype_from_name(promoted));
    if (!loop) return nb::none();
    const array::Expression& expression = array::expression_of(ufunc, *loop);
    if (expression.text.empty()) return nb::none();
    nb::list operands;
    for (int i = 0; i < ufunc.operands; ++i)
        operands.append(
            std::string(name_of(array::operand_dtype(ufunc, static_cast<std::size_t>(i), *loop))));
    return nb::make_tuple(std::string(expression.text), std::string(expression.functions),
                          std::string(name_of(*loop)), operands,
                          std::string(name_of(array::result_dtype(ufunc, *loop))));
}

nb::object device_function(std::string_view name) {
    for (const array::DeviceFunctions& row : array::device_functions())
        if (row.name == name)
            return nb::make_tuple(std::string(row.needs), std::string(row.source));
    return nb::none();
}

}  // namespace

void init_jit_tables(nb::module_& m) {
    m.def("ufunc_expression", ufunc_expression, nb::arg("name"), nb::arg("dtype"),
          "(CUDA C++ of a, b, c in T, names of device functions, loop dtype, operand dtypes, "
          "result dtype) of a ufunc for operands that promote to a dtype, or None.");
    m.def("device_function", device_function, nb::arg("name"),
          "(names it needs, CUDA C++) of functions that expressions call, or None.");
}

}  // namespace heald::python
