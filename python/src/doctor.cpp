#include "python/src/gil.hpp"
#include "python/src/module.hpp"

#include <heald/doctor.hpp>
#include <heald/settings.hpp>
#include <heald/version.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace heald::python {

namespace {

void init_reports(nb::module_& m) {
    using L = LibraryReport;
    nb::class_<L>(m, "LibraryReport", "A library that heald opens at run time.")
        .def_ro("name", &L::name)
        .def_ro("purpose", &L::purpose)
        .def_ro("found", &L::found)
        .def_ro("path", &L::path)
        .def_ro("version", &L::version)
        .def_ro("tried", &L::tried, "names and folders that were looked at, in order")
        .def_ro("remedy", &L::remedy, "the command that would fix it; '' if nothing is wrong")
        .def_ro("required", &L::required, "for a device that is present")
        .def("__repr__", [](const L& l) {
            return "<LibraryReport " + l.name +
                   (l.found ? " " + l.version + " at " + l.path : ", missing") + ">";
        });
    using D = DeviceReport;
    nb::class_<D>(m, "DeviceReport", "A device, usable or not.")
        .def_ro("name", &D::name)
        .def_ro("model", &D::model)
        .def_ro("usable", &D::usable)
        .def_ro("chosen", &D::chosen, "the default device")
        .def_ro("reason", &D::reason, "why it is (not) usable or chosen")
        .def("__repr__", [](const D& d) {
            return "<DeviceReport " + d.name +
                   (d.chosen   ? ", chosen>"
                    : d.usable ? ">"
                               : ", not usable>");
        });
    using R = DoctorReport;
    nb::class_<R>(m, "DoctorReport", "What hd.doctor() found; prints as a table.")
        .def_ro("heald_version", &R::heald_version)
        .def_ro("devices", &R::devices)
        .def_ro("libraries", &R::libraries)
        .def_ro("problems", &R::problems, "each with its remedy; empty if all is well")
        .def_ro("cache_directory", &R::cache_directory)
        .def("__str__", [](const R& r) { return to_string(r); })
        .def("__repr__", [](const R& r) { return to_string(r); });
    using S = SettingInfo;
    nb::class_<S>(m, "SettingInfo", "An environment variable that heald reads.")
        .def_ro("name", &S::name)
        .def_ro("meaning", &S::meaning)
        .def_ro("fallback", &S::fallback)
        .def_ro("value", &S::value)
        .def("__repr__", [](const S& s) { return s.name + "=" + s.value + "  # " + s.meaning; });
}

}  // namespace

void init_doctor(nb::module_& m) {
    init_reports(m);
    m.attr("__version__") = HEALD_VERSION_STRING;
    m.def("doctor", doctor, nb::call_guard<GilRelease>(),
          "Which devices are there, which is the default and why, which libraries were found where "
          "and in which version, what is missing and the command that fixes it.");
    m.def("settings", settings, "The environment variables that heald reads.");
    m.def("set_package_folders", set_package_folders, nb::arg("folders"),
          "Folders such as site-packages in which libraries are looked for first.");
}

}  // namespace heald::python
