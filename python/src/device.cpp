#include "python/src/current_stream.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"
#include "python/src/wait.hpp"

#include <heald/buffer.hpp>
#include <heald/device.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <string>

namespace heald::python {

namespace {

nb::tuple triple(const std::uint32_t (&value)[3]) {
    return nb::make_tuple(value[0], value[1], value[2]);
}

void init_properties(nb::module_& m) {
    using P = DeviceProperties;
    nb::class_<P>(m, "DeviceProperties", "What a device is and what it can do; sizes in bytes.")
        .def_ro("name", &P::name, "'NVIDIA H200', 'Intel(R) Xeon(R) …'")
        .def_ro("architecture", &P::architecture, "'sm_90', 'x86-64-v4'")
        .def_prop_ro(
            "compute_capability",
            [](const P& p) {
                return nb::make_tuple(p.compute_capability_major, p.compute_capability_minor);
            },
            "(9, 0); (0, 0) on a CPU")
        .def_ro("multiprocessor_count", &P::multiprocessor_count, "on a CPU: worker threads")
        .def_ro("warp_size", &P::warp_size)
        .def_ro("max_threads_per_block", &P::max_threads_per_block)
        .def_ro("max_threads_per_multiprocessor", &P::max_threads_per_multiprocessor)
        .def_prop_ro("max_block", [](const P& p) { return triple(p.max_block); })
        .def_prop_ro("max_grid", [](const P& p) { return triple(p.max_grid); })
        .def_ro("shared_memory_per_block", &P::shared_memory_per_block, "without opting in")
        .def_ro("shared_memory_per_block_optin", &P::shared_memory_per_block_optin,
                "what a kernel may ask for")
        .def_ro("shared_memory_per_multiprocessor", &P::shared_memory_per_multiprocessor)
        .def_ro("registers_per_block", &P::registers_per_block, "0 on a CPU")
        .def_ro("total_memory", &P::total_memory)
        .def_ro("l2_cache", &P::l2_cache)
        .def_ro("clock_rate_khz", &P::clock_rate_khz)
        .def_ro("memory_clock_rate_khz", &P::memory_clock_rate_khz)
        .def_ro("memory_bus_width_bits", &P::memory_bus_width_bits)
        .def_ro("cooperative_launch", &P::cooperative_launch)
        .def_ro("cluster_launch", &P::cluster_launch)
        .def_ro("managed_memory", &P::managed_memory)
        .def_ro("integrated", &P::integrated)
        .def_ro("pci_bus_id", &P::pci_bus_id, "'' on a CPU")
        .def_ro("uuid", &P::uuid, "'' on a CPU")
        .def("__repr__", [](const P& p) {
            return "DeviceProperties(name='" + p.name + "', architecture='" + p.architecture + "')";
        });
}

void init_pool(nb::module_& m) {
    using S = MemoryPool::Statistics;
    nb::class_<S>(m, "MemoryStatistics", "What a pool holds; sizes in bytes.")
        .def_ro("current_bytes", &S::current_bytes, "in live allocations")
        .def_ro("peak_bytes", &S::peak_bytes)
        .def_ro("cached_bytes", &S::cached_bytes, "held for reuse")
        .def_ro("live_count", &S::live_count, "live allocations")
        .def_ro("total_count", &S::total_count, "allocations ever made")
        .def("__repr__", [](const S& s) {
            return "MemoryStatistics(current_bytes=" + std::to_string(s.current_bytes) +
                   ", peak_bytes=" + std::to_string(s.peak_bytes) +
                   ", cached_bytes=" + std::to_string(s.cached_bytes) +
                   ", live_count=" + std::to_string(s.live_count) +
                   ", total_count=" + std::to_string(s.total_count) + ")";
        });
    nb::class_<MemoryPool>(m, "MemoryPool", "A device's memory pool.")
        .def_prop_ro("statistics", &MemoryPool::statistics, "MemoryStatistics of now")
        .def_prop_rw("limit", &MemoryPool::limit, &MemoryPool::set_limit, nb::arg().none(),
                     "Bytes that live allocations may take together; None: no limit.")
        .def("reset_peak", &MemoryPool::reset_peak)
        .def("trim", &MemoryPool::trim, nb::arg("keep_bytes") = 0, nb::call_guard<GilRelease>(),
             "Gives cached memory back to the system, keeping at most `keep_bytes`.");
}

}  // namespace

void init_device(nb::module_& m) {
    init_properties(m);
    init_pool(m);
    nb::class_<Device>(m, "Device", nb::is_weak_referenceable(),
                       "A GPU or the CPU.\n\n"
                       "Device() is the current device: the innermost `with device:`, else the "
                       "default (the first\n"
                       "usable GPU, else the CPU; HEALD_DEVICE chooses). Device('cuda:1') raises "
                       "UnavailableError\n"
                       "with the reason if it cannot be used.\n\n"
                       ">>> with hd.Device('cpu'):\n"
                       "...     x = hd.zeros(3)\n")
        .def(
            "__init__",
            [](Device* self, nb::handle name) {
                new (self) Device(device_argument(name, "Device"));
            },
            nb::arg("name") = nb::none())
        .def_prop_ro("name", &Device::name, "'cuda:0', 'cpu'")
        .def_prop_ro("kind",
                     [](const Device& d) { return d.kind() == DeviceKind::cuda ? "cuda" : "cpu"; })
        .def_prop_ro("ordinal", &Device::ordinal)
        .def_prop_ro("properties", &Device::properties, nb::rv_policy::copy)
        .def_prop_ro("memory", &Device::memory, "The device's MemoryPool.")
        .def_prop_ro(
            "memory_info",
            [](const Device& d) {
                const Device::MemoryInfo info = d.memory_info();
                return nb::make_tuple(info.free, info.total);
            },
            "(free, total) bytes now")
        .def_prop_ro("default_stream", &Device::default_stream)
        .def(
            "synchronize", [](const Device& d) { wait_for(d); },
            "Waits for all work of the device; raises the first error that queued work left.")
        .def("can_access", &Device::can_access, nb::arg("peer"),
             "Whether kernels here may use memory of `peer` directly.")
        .def("__enter__",
             [](nb::object self) {
                 enter_device(nb::cast<Device&>(self));
                 return self;
             })
        .def("__exit__", [](const Device&, nb::args) { leave_scope(); })
        .def(
            "__eq__",
            [](const Device& a, nb::handle b) {
                return nb::isinstance<Device>(b) && a == nb::cast<Device&>(b);
            },
            nb::arg().none())
        .def("__hash__", [](const Device& d) { return std::hash<void*>()(d.shared_state().get()); })
        .def("__str__", &Device::name)
        .def("__repr__", [](const Device& d) { return "Device('" + d.name() + "')"; })
        .def("__reduce__", [](nb::object self) {
            return nb::make_tuple(nb::type<Device>(), nb::make_tuple(self.attr("name")));
        });
    m.def("devices", &Device::all, "Every usable device, GPUs first.");
    m.def("why_no_gpu", &Device::why_no_gpu, "Why there is no GPU, or '' if there is one.");
}

}  // namespace heald::python
