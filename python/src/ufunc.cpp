#include "python/src/array.hpp"
#include "python/src/dtype.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"
#include "python/src/numpy.hpp"
#include "python/src/operand.hpp"

#include "src/array/lazy/background.hpp"
#include "src/array/lazy/evaluate.hpp"
#include "src/array/lazy/explain.hpp"
#include "src/array/ops/at_source.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <optional>
#include <string>
#include <vector>

namespace heald::python {

namespace {

nb::object call_ufunc(std::string_view name, nb::args arguments, nb::handle dtype) {
    const array::Ufunc& ufunc = array::ufunc(name);
    if (arguments.size() != static_cast<std::size_t>(ufunc.operands))
        throw Error(ErrorKind::type_mismatch,
                    "[" + std::string(name) + "] takes " + std::to_string(ufunc.operands) +
                        " operands, got " + std::to_string(arguments.size()));
    std::vector<array::UfuncOperand> operands;
    for (nb::handle argument : arguments) operands.push_back(operand_argument(argument, name));
    std::optional<DType> loop;
    if (!dtype.is_none()) loop = dtype_from_python(dtype, std::string(name).c_str());
    return record_ufunc(ufunc, operands, loop);
}

/// Loop and result dtypes for operands that promote to a dtype; None if there is no loop.
nb::object ufunc_loop(std::string_view name, nb::handle dtype) {
    const array::Ufunc& ufunc = array::ufunc(name);
    const auto loop = array::loop_dtype(ufunc, dtype_from_python(dtype, "ufunc"));
    if (!loop) return nb::none();
    const NumPy& numpy = NumPy::get();
    return nb::make_tuple(numpy.dtype(*loop), numpy.dtype(array::result_dtype(ufunc, *loop)));
}

std::vector<std::shared_ptr<core::Block>> blocks_of(const nb::args& arrays) {
    std::vector<std::shared_ptr<core::Block>> blocks;
    for (nb::handle item : arrays) blocks.push_back(nb::cast<Array&>(item).buffer().block());
    return blocks;
}

std::string ufunc_at_source(std::string_view name, nb::handle loop, nb::handle target,
                            const Device& device) {
    return array::at_source(array::ufunc(name), dtype_from_python(loop, "ufunc.at"),
                            dtype_from_python(target, "ufunc.at"), device.kind());
}

void evaluate_arrays(nb::args arrays) {
    const auto blocks = blocks_of(arrays);
    const GilRelease unlocked;
    array::evaluate(blocks);
}

}  // namespace

void init_ufunc(nb::module_& m) {
    m.def("call_ufunc", call_ufunc, nb::arg("name"), nb::arg("operands"), nb::kw_only(),
          nb::arg("dtype") = nb::none(), "Records an elementwise operation by its NumPy name.");
    m.def("ufunc_loop", ufunc_loop, nb::arg("name"), nb::arg("dtype"),
          "(loop dtype, result dtype) for operands of that dtype, or None.");
    m.def("ufunc_at_source", ufunc_at_source, nb::arg("name"), nb::arg("loop"), nb::arg("target"),
          nb::arg("device"), "CUDA C++ of ufunc.at; see src/array/ops/at_source.hpp.");
    m.def("ufunc_names", [] {
        nb::list names;
        for (const array::Ufunc& row : array::ufuncs())
            names.append(nb::make_tuple(std::string(row.name), row.operands));
        return names;
    });
    m.def(
        "cast_array",
        [](const Array& x, nb::handle dtype) {
            return array::cast(x, dtype_from_python(dtype, "Array.astype"));
        },
        nb::arg("array"), nb::arg("dtype"));
    m.def("evaluate", evaluate_arrays, nb::arg("arrays"));
    m.def(
        "explain_arrays",
        [](nb::args arrays) {
            nb::list list;
            for (const array::KernelReport& kernel : array::explain(blocks_of(arrays)))
                list.append(nb::make_tuple(kernel.what, kernel.bytes_read, kernel.bytes_written,
                                           kernel.source));
            return list;
        },
        nb::arg("arrays"));
    m.def(
        "finish_background", [] { array::finish_background(); },
        nb::call_guard<nb::gil_scoped_release>());
    // Before the libraries that the compiler needs are torn down.
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(
        [] { array::stop_background(); }, nb::call_guard<nb::gil_scoped_release>()));
    m.def(
        "is_pending", [](const Array& x) { return x.buffer().block()->is_pending(); },
        nb::arg("array"));
}

}  // namespace heald::python
