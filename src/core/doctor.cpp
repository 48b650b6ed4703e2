#include <heald/doctor.hpp>

#include <heald/program.hpp>
#include <heald/version.hpp>

#include "src/base/text.hpp"
#include "src/core/registry.hpp"

#include <algorithm>

namespace heald {
namespace {

void add_problem(std::vector<std::string>& problems, const LibraryReport& library) {
    if (library.found || !library.required) return;
    std::string problem = text(library.name, " (", library.purpose, ") was not found");
    if (!library.remedy.empty()) problem += text(": ", library.remedy);
    problems.push_back(std::move(problem));
}

}  // namespace

DoctorReport doctor() {
    DoctorReport report;
    report.heald_version = HEALD_VERSION_STRING;
    report.devices = core::device_reports();
    report.cache_directory = compile_cache_directory();
    core::add_backend_reports(report);
    for (const LibraryReport& library : report.libraries) add_problem(report.problems, library);
    const bool any = std::any_of(report.devices.begin(), report.devices.end(),
                                 [](const DeviceReport& device) { return device.chosen; });
    if (!any) {
        try {
            (void)core::default_device();
        } catch (const Error& error) {
            report.problems.emplace_back(error.what());
        }
    }
    return report;
}

std::string to_string(const DoctorReport& report) {
    std::string result = text("heald ", report.heald_version, "\n\nDevices\n");
    for (const DeviceReport& device : report.devices) {
        result += text("  ", device.chosen ? "* " : "  ", device.name);
        if (!device.model.empty()) result += text("  ", device.model);
        if (!device.usable) result += "  not usable";
        if (!device.reason.empty()) result += text(": ", device.reason);
        result += "\n";
    }
    result += "\nLibraries\n";
    for (const LibraryReport& library : report.libraries) {
        result += text("  ", library.found ? "+ " : library.required ? "! " : "- ", library.name);
        if (!library.version.empty()) result += text(" ", library.version);
        result +=
            text(" (", library.purpose, "): ", library.found ? library.path : "not found", "\n");
        if (library.found) continue;
        for (const std::string& place : library.tried)
            result += text("      looked at ", place, "\n");
        if (!library.remedy.empty()) result += text("      ", library.remedy, "\n");
    }
    result +=
        text("\nCompile cache: ", report.cache_directory.empty() ? "none" : report.cache_directory,
             "\n");
    result += report.problems.empty() ? "\nNo problems found.\n" : "\nProblems\n";
    for (const std::string& problem : report.problems) result += text("  ! ", problem, "\n");
    return result;
}

}  // namespace heald
