#include "python/src/current_stream.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"
#include "python/src/object_code.hpp"
#include "python/src/text.hpp"

#include <heald/error.hpp>
#include <heald/program.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heald::python {

namespace {

// One str or path, or a sequence of them. A str is one entry and never a sequence of letters.
std::vector<std::string> text_list(nb::handle value, const char* option) {
    std::vector<std::string> result;
    const auto add = [&](nb::handle item) {
        nb::object path = nb::steal(PyOS_FSPath(item.ptr()));
        if (!path.is_valid()) {
            PyErr_Clear();
            throw Error(ErrorKind::type_mismatch, std::string("[ProgramOptions] ") + option +
                                                      " must be a str or a sequence of str, got " +
                                                      shown(value));
        }
        nb::object text = PyBytes_Check(path.ptr())
                              ? nb::steal(PyUnicode_DecodeFSDefault(PyBytes_AsString(path.ptr())))
                              : path;
        if (!text.is_valid()) nb::raise_python_error();
        result.push_back(text_argument(text, std::string("[ProgramOptions] ") + option));
    };
    if (value.is_none()) return result;
    if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr()) ||
        nb::hasattr(value, "__fspath__")) {
        add(value);
    } else if (PySequence_Check(value.ptr())) {
        for (nb::handle item : nb::object(nb::borrow(value))) add(item);
    } else {
        add(value);  // refuses it
    }
    return result;
}

// Nobody changes it while its entries are turned into text.
nb::dict copy_of(nb::handle dict) {
    return nb::steal<nb::dict>(PyDict_Copy(dict.ptr()));
}

std::vector<std::string> define_list(nb::handle value) {
    if (!PyDict_Check(value.ptr())) return text_list(value, "defines");
    std::vector<std::string> result;
    for (auto [name, text] : copy_of(value)) {
        std::string define = text_argument(nb::str(name), "[ProgramOptions] defines");
        if (!text.is_none())
            define += "=" + text_argument(nb::str(text), "[ProgramOptions] defines");
        result.push_back(std::move(define));
    }
    return result;
}

std::vector<std::pair<std::string, std::string>> header_list(nb::handle value) {
    std::vector<std::pair<std::string, std::string>> result;
    if (value.is_none()) return result;
    if (!PyDict_Check(value.ptr()))
        throw Error(ErrorKind::type_mismatch,
                    std::string("[ProgramOptions] headers must be a dict of name to text, got ") +
                        Py_TYPE(value.ptr())->tp_name);
    for (auto [name, text] : copy_of(value))
        result.emplace_back(text_argument(name, "[ProgramOptions] name of a header"),
                            text_argument(text, "[ProgramOptions] text of a header"));
    return result;
}

void make_options(ProgramOptions* self, const std::string& standard, nb::handle include_paths,
                  nb::handle headers, nb::handle defines, nb::handle undefines,
                  std::optional<std::string> architecture, bool fast_math, bool contract,
                  bool debug, bool line_info, bool warnings_as_errors, bool relocatable,
                  std::optional<int> max_registers, nb::handle extra, bool use_cache) {
    ProgramOptions options;
    options.standard = standard;
    options.include_paths = text_list(include_paths, "include_paths");
    options.headers = header_list(headers);
    options.defines = define_list(defines);
    options.undefines = text_list(undefines, "undefines");
    options.architecture = std::move(architecture);
    options.fast_math = fast_math;
    options.contract = contract;
    options.debug = debug;
    options.line_info = line_info;
    options.warnings_as_errors = warnings_as_errors;
    options.relocatable = relocatable;
    options.max_registers = max_registers;
    options.extra = text_list(extra, "extra");
    options.use_cache = use_cache;
    new (self) ProgramOptions(std::move(options));
}

void init_options(nb::module_& m) {
    using O = ProgramOptions;
    nb::class_<O>(
        m, "ProgramOptions",
        "How a source is compiled; the same on every device. A str is taken as one entry where a\n"
        "list is expected; `defines` may be a dict, `headers` is a dict of name to text.\n"
        "`line_info` is for profilers, `debug` for cuda-gdb and gdb, `relocatable` for hd.Linker,\n"
        "`extra` goes to the GPU's compiler as it is.\n\n"
        ">>> hd.ProgramOptions(defines={'TILE': 16}, fast_math=True)\n")
        .def("__init__", make_options, nb::kw_only(), nb::arg("standard") = "c++20",
             nb::arg("include_paths") = nb::none(), nb::arg("headers") = nb::none(),
             nb::arg("defines") = nb::none(), nb::arg("undefines") = nb::none(),
             nb::arg("architecture") = nb::none(), nb::arg("fast_math") = false,
             nb::arg("contract") = true, nb::arg("debug") = false, nb::arg("line_info") = false,
             nb::arg("warnings_as_errors") = false, nb::arg("relocatable") = false,
             nb::arg("max_registers") = nb::none(), nb::arg("extra") = nb::none(),
             nb::arg("use_cache") = true)
        .def_rw("standard", &O::standard)
        .def_rw("include_paths", &O::include_paths)
        .def_rw("headers", &O::headers)
        .def_rw("defines", &O::defines)
        .def_rw("undefines", &O::undefines)
        .def_rw("architecture", &O::architecture, nb::arg().none())
        .def_rw("fast_math", &O::fast_math)
        .def_rw("contract", &O::contract)
        .def_rw("debug", &O::debug)
        .def_rw("line_info", &O::line_info)
        .def_rw("warnings_as_errors", &O::warnings_as_errors)
        .def_rw("relocatable", &O::relocatable)
        .def_rw("max_registers", &O::max_registers, nb::arg().none())
        .def_rw("extra", &O::extra)
        .def_rw("use_cache", &O::use_cache);
}

ProgramOptions options_argument(nb::handle options, const char* operation) {
    if (options.is_none()) return {};
    if (nb::isinstance<ProgramOptions>(options)) return nb::cast<ProgramOptions&>(options);
    if (PyDict_Check(options.ptr())) {
        nb::object made = nb::type<ProgramOptions>()(**nb::borrow<nb::dict>(options));
        return nb::cast<ProgramOptions&>(made);
    }
    throw Error(ErrorKind::type_mismatch, std::string("[") + operation +
                                              "] options must be an hd.ProgramOptions, got " +
                                              Py_TYPE(options.ptr())->tp_name);
}

DeviceCode compile(const Program& program, const std::string& target, nb::handle names) {
    const std::vector<std::string> list = text_list(names, "names");
    const GilRelease unlocked;
    return {program.compile(target, list), program.device()};
}

DeviceCode link(const Linker& linker, const std::string& target) {
    const GilRelease unlocked;
    return {linker.link(target), std::nullopt};
}

void init_cache(nb::module_& m) {
    using S = CacheStatistics;
    nb::class_<S>(m, "CacheStatistics", "Counters of the compile cache since the process started.")
        .def_ro("memory_hits", &S::memory_hits)
        .def_ro("disk_hits", &S::disk_hits)
        .def_ro("misses", &S::misses)
        .def_ro("stores", &S::stores)
        .def_ro("rejected", &S::rejected, "damaged or foreign files that were not read")
        .def("__repr__", [](const S& s) {
            return "CacheStatistics(memory_hits=" + std::to_string(s.memory_hits) +
                   ", disk_hits=" + std::to_string(s.disk_hits) +
                   ", misses=" + std::to_string(s.misses) + ", stores=" + std::to_string(s.stores) +
                   ", rejected=" + std::to_string(s.rejected) + ")";
        });
    m.def("compile_cache_statistics", compile_cache_statistics);
    m.def("compile_cache_directory", compile_cache_directory);
    m.def("clear_compile_cache", clear_compile_cache, nb::call_guard<GilRelease>(),
          "Empties the compile cache, in memory and on disk.");
}

}  // namespace

void init_program(nb::module_& m) {
    init_options(m);
    nb::class_<Program>(
        m, "Program",
        "CUDA C++ source, compiled at run time for a device (default: the current one).\n\n"
        ">>> program = hd.Program(source, name='scale.cu')\n"
        ">>> kernel = program.compile().get_kernel('scale')\n")
        .def(
            "__init__",
            [](Program* self, const std::string& source, const std::string& name,
               nb::handle options, nb::handle device) {
                new (self) Program(source, name, options_argument(options, "Program"),
                                   device_argument(device, "Program"));
            },
            nb::arg("source"), nb::arg("name") = "kernel.cu", nb::arg("options") = nb::none(),
            nb::arg("device") = nb::none())
        .def("compile", compile, nb::arg("target") = "", nb::arg("names") = nb::none(),
             "Compiles to an ObjectCode. `target`: '' for what the device loads, else 'cubin', "
             "'ptx' or 'ltoir' (GPU) or 'cpu'. `names`: template instances wanted, such as "
             "['scale<float, 4>']. Raises CompileError.")
        .def_prop_ro("source", &Program::source)
        .def_prop_ro("name", &Program::name)
        .def_prop_ro("options", &Program::options, nb::rv_policy::copy)
        .def_prop_ro("device", &Program::device)
        .def("__enter__", [](nb::object self) { return self; })
        .def("__exit__", [](const Program&, nb::args) {})
        .def("__repr__", [](const Program& p) {
            return "<heald.Program '" + p.name() + "' for " + p.device().name() + ">";
        });
    nb::class_<Linker>(
        m, "Linker",
        "Joins object codes compiled with ProgramOptions(relocatable=True) into one.\n\n"
        ">>> code = hd.Linker(a, b).link()\n")
        .def(
            "__init__",
            [](Linker* self, nb::args inputs, nb::handle options, nb::handle device) {
                new (self) Linker(object_code_list(inputs), options_argument(options, "Linker"),
                                  device_argument(device, "Linker"));
            },
            nb::arg("inputs"), nb::arg("options") = nb::none(), nb::arg("device") = nb::none())
        .def("link", link, nb::arg("target") = "", "Raises CompileError.")
        .def("__enter__", [](nb::object self) { return self; })
        .def("__exit__", [](const Linker&, nb::args) {});
    init_cache(m);
}

}  // namespace heald::python
