#include "python/src/object_code.hpp"

#include "python/src/buffer.hpp"
#include "python/src/current_stream.hpp"
#include "python/src/gil.hpp"
#include "python/src/kernel.hpp"
#include "python/src/module.hpp"
#include "python/src/text.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace heald::python {

namespace {

DeviceCode from_bytes(nb::bytes data, const std::string& name) {
    return {ObjectCode::from_bytes(std::string(data.c_str(), data.size()), name), std::nullopt};
}

// Read by Python: paths of every kind, and its errors (FileNotFoundError).
DeviceCode from_file(nb::handle path) {
    const nb::object name = nb::module_::import_("os").attr("fsdecode")(path);
    nb::object io = nb::module_::import_("io");
    nb::object file = io.attr("open")(path, "rb");
    nb::bytes data(file.attr("read")());
    file.attr("close")();
    return from_bytes(data, text_argument(name, "[ObjectCode.from_file] path"));
}

nb::object get_kernel(const DeviceCode& self, const std::string& name, nb::handle device,
                      nb::handle signature) {
    return make_kernel(self, name, device, signature);
}

TypedBuffer get_global(const DeviceCode& self, const std::string& name, nb::handle device) {
    const Device on = self.device_for(device, "ObjectCode.get_global");
    const GilRelease unlocked;
    return {self.code.get_global(name, on), std::nullopt};
}

nb::bytes code_bytes(const DeviceCode& self) {
    const std::string& bytes = self.code.bytes();
    return nb::bytes(bytes.data(), bytes.size());
}

std::string describe(const DeviceCode& self) {
    if (self.code.closed()) return "<heald.ObjectCode, closed>";
    return "<heald.ObjectCode '" + self.code.name() + "', " + self.code.format() + ">";
}

}  // namespace

Device DeviceCode::device_for(nb::handle asked, const char* operation) const {
    if (asked.is_valid() && !asked.is_none()) return device_argument(asked, operation);
    if (device) return *device;
    if (code.format() == "cpu") return Device("cpu");
    return Device();
}

std::vector<ObjectCode> object_code_list(nb::args inputs) {
    nb::object list = inputs;
    if (inputs.size() == 1 && !nb::isinstance<DeviceCode>(inputs[0])) list = inputs[0];
    std::vector<ObjectCode> codes;
    for (nb::handle item : list) {
        if (!nb::isinstance<DeviceCode>(item))
            throw Error(ErrorKind::type_mismatch,
                        std::string("[Linker] inputs must be ObjectCodes, got ") +
                            Py_TYPE(item.ptr())->tp_name);
        codes.push_back(nb::cast<DeviceCode&>(item).code);
    }
    return codes;
}

void init_object_code(nb::module_& m) {
    nb::class_<DeviceCode>(
        m, "ObjectCode", nb::is_weak_referenceable(),
        "Code for one device architecture, loaded on a device when a kernel is first asked for.")
        .def_static("from_bytes", from_bytes, nb::arg("data"), nb::arg("name") = "",
                    "cubin, PTX, LTO-IR or heald's CPU code, found by its contents.")
        .def_static("from_file", from_file, nb::arg("path"),
                    "The same from a file: str, pathlib.Path or bytes.")
        .def_prop_ro("code", code_bytes, "the contents, bytes")
        .def_prop_ro(
            "format", [](const DeviceCode& c) { return c.code.format(); },
            "'cubin', 'ptx', 'ltoir' or 'cpu'")
        .def_prop_ro("name", [](const DeviceCode& c) { return c.code.name(); })
        .def_prop_ro(
            "log", [](const DeviceCode& c) { return c.code.log(); },
            "what the compiler said, warnings included")
        .def_prop_ro(
            "warnings", [](const DeviceCode& c) { return c.code.warnings(); }, "list of Diagnostic")
        .def_prop_ro("kernel_names", [](const DeviceCode& c) { return c.code.kernel_names(); })
        .def("get_kernel", get_kernel, nb::arg("name"), nb::arg("device") = nb::none(),
             nb::arg("signature") = nb::none(),
             "A kernel by its plain name, mangled name or name expression ('scale<float, 4>'). "
             "`signature`, such as '(const float*, int)', is for code without source. Raises "
             "NotFoundError that suggests near names.")
        .def("get_global", get_global, nb::arg("name"), nb::arg("device") = nb::none(),
             "The memory of a __device__ or __constant__ variable, a Buffer.")
        .def_prop_ro("closed", [](const DeviceCode& c) { return c.code.closed(); })
        .def("close", [](DeviceCode& c) { c.code.close(); })
        .def("__enter__", [](nb::object self) { return self; })
        .def("__exit__", [](DeviceCode& c, nb::args) { c.code.close(); })
        .def("__repr__", describe);
}

}  // namespace heald::python
