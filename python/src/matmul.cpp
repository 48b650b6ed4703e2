#include <heald/matmul.hpp>

#include "python/src/array.hpp"
#include "python/src/current_stream.hpp"
#include "python/src/dtype.hpp"
#include "python/src/epilogue.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"

#include "src/base/text.hpp"
#include "src/plan/tuning_store.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>

#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heald::python {

namespace {

MatrixType matrix_argument(nb::handle object, nb::handle dtype, const char* name) {
    if (nb::isinstance<Array>(object)) return {nb::cast<Array&>(object)};
    if (dtype.is_none())
        throw Error(ErrorKind::type_mismatch,
                    text("[Matmul] '", name, "' is a shape: pass dtype= as well"));
    return {shape_argument(object, "Matmul"), dtype_from_python(dtype, "Matmul")};
}

Multiply multiply_argument(nb::handle name) {
    if (name.is_none()) return Multiply::operands;
    const std::string given = nb::cast<std::string>(nb::str(name));
    if (given == "float32" || given == "operands") return Multiply::operands;
    if (given == "tf32") return Multiply::tf32;
    if (given == "float16") return Multiply::float16;
    if (given == "bfloat16") return Multiply::bfloat16;
    throw Error(ErrorKind::invalid_value,
                text("[Matmul] multiply must be 'float32', 'tf32', 'float16' or 'bfloat16', got '",
                     given, "'"));
}

Tuning tuning_argument(const std::string& name) {
    if (name == "heuristic") return Tuning::heuristic;
    if (name == "measure") return Tuning::measure;
    throw Error(ErrorKind::invalid_value,
                text("[Matmul] tuning must be 'heuristic' or 'measure', got '", name, "'"));
}

std::optional<DType> optional_dtype(nb::handle dtype) {
    if (dtype.is_none()) return std::nullopt;
    return dtype_from_python(dtype, "Matmul");
}

void make_plan(Matmul* self, nb::handle a, nb::handle b, nb::handle dtype, nb::handle out_dtype,
               nb::handle multiply, nb::handle accumulate, nb::handle epilogue, bool exact,
               nb::handle prologue_a, nb::handle prologue_b, bool conjugate_a, bool conjugate_b,
               const std::string& tuning, std::size_t workspace_limit, nb::handle device) {
    const MatrixType left = matrix_argument(a, dtype, "a");
    const MatrixType right = matrix_argument(b, dtype, "b");
    MatmulOptions options;
    options.dtype = optional_dtype(out_dtype);
    options.multiply = multiply_argument(multiply);
    options.accumulate = optional_dtype(accumulate);
    options.epilogue = epilogue_argument(epilogue);
    options.exact = exact;
    options.prologue_a = prologue_argument(prologue_a, "prologue_a");
    options.prologue_b = prologue_argument(prologue_b, "prologue_b");
    options.conjugate_a = conjugate_a;
    options.conjugate_b = conjugate_b;
    options.tuning = tuning_argument(tuning);
    options.workspace_limit = workspace_limit;
    std::optional<Device> where;
    for (nb::handle operand : {a, b})
        if (nb::isinstance<Array>(operand)) {
            const Device own = nb::cast<Array&>(operand).device();
            if (where && !(*where == own))
                throw Error(ErrorKind::invalid_value,
                            text("[Matmul] the operands are on ", where->name(), " and ",
                                 own.name(), ": bring them together with x.to(device)"));
            where = own;
        }
    if (!where || !device.is_none()) where = device_argument(device, "Matmul");
    const GilRelease unlocked;
    new (self) Matmul(left, right, std::move(options), *where);
}

const Array& array_named(nb::handle object, const char* name) {
    if (!nb::isinstance<Array>(object))
        throw Error(ErrorKind::type_mismatch,
                    text("[Matmul.execute] argument '", name, "' must be an hd.Array, got ",
                         Py_TYPE(object.ptr())->tp_name, ": pass hd.asarray(x)"));
    return *nb::inst_ptr<Array>(object);
}

nb::object as_python(MatmulResult result, nb::handle out) {
    nb::object value = out.is_none() ? nb::cast(std::move(result.result)) : nb::borrow(out);
    if (result.outputs.empty()) return value;
    nb::dict outputs;
    for (auto& [name, array] : result.outputs) outputs[name.c_str()] = nb::cast(std::move(array));
    return nb::make_tuple(value, outputs);
}

nb::object execute(const Matmul& plan, nb::handle a, nb::handle b, nb::handle c,
                   std::complex<double> alpha, std::complex<double> beta, nb::handle out,
                   nb::kwargs operands) {
    const Array& left = array_named(a, "a");
    const Array& right = array_named(b, "b");
    MatmulArguments arguments;
    arguments.alpha = alpha;
    arguments.beta = beta;
    if (!c.is_none()) arguments.c = array_named(c, "c");
    if (!out.is_none()) arguments.out = array_named(out, "out");
    for (auto [name, operand] : operands) {
        const std::string text = nb::cast<std::string>(name);
        arguments.operands.emplace_back(text, array_named(operand, text.c_str()));
    }
    MatmulResult result;
    {
        const GilRelease unlocked;
        result = plan.execute(left, right, arguments);
    }
    return as_python(std::move(result), out);
}

Array multiply_arrays(const Array& a, const Array& b) {
    const GilRelease unlocked;
    return matmul(a, b);
}

Array multiply_fused(const Array& a, const Array& b, nb::handle bias, nb::handle activation,
                     nb::handle out) {
    MatmulOptions options;
    MatmulArguments arguments;
    if (!bias.is_none()) {
        const Array& added = array_named(bias, "bias");
        options.epilogue = Epilogue::bias(added.shape());
        arguments.operands.emplace_back("bias", added);
    }
    if (!activation.is_none()) options.epilogue = options.epilogue + epilogue_argument(activation);
    if (!out.is_none()) arguments.out = array_named(out, "out");
    const GilRelease unlocked;
    return matmul(a, b, options, arguments).result;
}

}  // namespace

void init_matmul(nb::module_& m) {
    nb::class_<Matmul>(m, "MatmulPlan", nb::is_weak_referenceable())
        .def("__init__", make_plan, nb::arg("a"), nb::arg("b"), nb::kw_only(),
             nb::arg("dtype").none(), nb::arg("out_dtype").none(), nb::arg("multiply").none(),
             nb::arg("accumulate").none(), nb::arg("epilogue").none(), nb::arg("exact"),
             nb::arg("prologue_a").none(), nb::arg("prologue_b").none(), nb::arg("conjugate_a"),
             nb::arg("conjugate_b"), nb::arg("tuning"), nb::arg("workspace_limit"),
             nb::arg("device").none())
        .def("execute", execute, nb::arg("a"), nb::arg("b"), nb::kw_only(),
             nb::arg("c") = nb::none(), nb::arg("alpha") = 1.0, nb::arg("beta") = 1.0,
             nb::arg("out") = nb::none(), nb::arg("operands"))
        .def("__call__", execute, nb::arg("a"), nb::arg("b"), nb::kw_only(),
             nb::arg("c") = nb::none(), nb::arg("alpha") = 1.0, nb::arg("beta") = 1.0,
             nb::arg("out") = nb::none(), nb::arg("operands"))
        .def(
            "autotune",
            [](const Matmul& plan, int iterations) {
                const GilRelease unlocked;
                plan.autotune(iterations);
            },
            nb::arg("iterations") = 10,
            "Times every algorithm that the library offers (the median of `iterations` runs, the "
            "L2 cache flushed before each), keeps the fastest and stores the choice.")
        .def_prop_ro("algorithms",
                     [](const Matmul& plan) {
                         std::vector<MatmulAlgorithm> found;
                         {
                             const GilRelease unlocked;
                             found = plan.algorithms();
                         }
                         nb::list list;
                         for (const MatmulAlgorithm& algorithm : found)
                             list.append(nb::make_tuple(algorithm.name, algorithm.workspace,
                                                        algorithm.milliseconds, algorithm.chosen));
                         return list;
                     })
        .def("explain",
             [](const Matmul& plan) {
                 const GilRelease unlocked;
                 return plan.explain();
             })
        .def_prop_ro("shape", [](const Matmul& plan) { return shape_tuple(plan.shape()); })
        .def_prop_ro("dtype", [](const Matmul& plan) { return dtype_to_python(plan.dtype()); })
        .def_prop_ro("device", &Matmul::device)
        .def_prop_ro("flop", &Matmul::flop)
        .def("close", &Matmul::close)
        .def_prop_ro("closed", &Matmul::closed);
    m.def("set_deterministic", &set_deterministic, nb::arg("wanted"));
    m.def("is_deterministic", &deterministic);
    m.def("tuning_save", &plan::save_tuning, nb::arg("path"));
    m.def("tuning_load", &plan::load_tuning, nb::arg("path"));
    m.def("tuning_clear", &plan::clear_tuning);
    m.def("tuning_count", &plan::tuning_count);
    m.def("matmul_arrays", multiply_arrays, nb::arg("a"), nb::arg("b"),
          "NumPy's matmul of two arrays, by a plan from the cache.");
    m.def("matmul_fused", multiply_fused, nb::arg("a"), nb::arg("b"), nb::arg("bias").none(),
          nb::arg("activation").none(), nb::arg("out").none(),
          "The same with a bias and an activation.");
}

}  // namespace heald::python
