#pragma once

#include "python/src/arguments.hpp"
#include "python/src/object_code.hpp"

#include <heald/kernel.hpp>

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

namespace heald::python {

namespace nb = nanobind;

/// What an hd.Kernel holds.
struct KernelData {
    Kernel kernel;
    ArgumentPlan plan;
};

/// What a bound launch holds.
struct BoundData {
    BoundLaunch launch;
    std::string kernel_name;
};

/// hd.Kernel(code, name, device, signature).
KernelData load_kernel(const DeviceCode& code, const std::string& name, nb::handle device,
                       nb::handle signature);

/// Checks, packs and enqueues. `stream` may be null: the current one. Waits only if an argument is
/// an Out or InOut.
void launch_kernel(KernelData& data, const LaunchConfig& config, PyObject* stream,
                   PyObject* const* arguments, std::size_t count);

BoundData bind_kernel(KernelData& data, const LaunchConfig& config, PyObject* stream,
                      PyObject* const* arguments, std::size_t count);

// The Python types, made by hand for the sake of a call's cost (kernel_type.cpp).
nb::object make_kernel(const DeviceCode& code, const std::string& name, nb::handle device,
                       nb::handle signature);
nb::object wrap_bound(BoundData bound);
/// The kernel in an hd.Kernel; null for anything else.
KernelData* find_kernel(PyObject* object) noexcept;

}  // namespace heald::python
