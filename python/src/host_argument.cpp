#include "python/src/arguments.hpp"
#include "python/src/gil.hpp"
#include "python/src/host_memory.hpp"
#include "python/src/module.hpp"
#include "python/src/numpy.hpp"
#include "python/src/text.hpp"

#include <heald/error.hpp>

#include <nanobind/nanobind.h>

#include <string>

namespace heald::python {

namespace {

/// hd.In, hd.Out, hd.InOut: a NumPy array that is copied for one launch.
struct HostArgument {
    nb::object array;
    bool copies_in = true;
    bool copies_out = true;
};
struct In : HostArgument {};
struct Out : HostArgument {};
struct InOut : HostArgument {};

nb::object checked_array(nb::object array, const char* name, HostMemory::Access access) {
    if (!NumPy::get().is_array(array.ptr()))
        throw Error(ErrorKind::type_mismatch, std::string("[") + name +
                                                  "] expected a NumPy array, got " +
                                                  Py_TYPE(array.ptr())->tp_name);
    (void)HostMemory::contiguous(array, access, name);
    return array;
}

const HostArgument* find_host_argument(PyObject* object) {
    const nb::handle handle(object);
    if (!nb::inst_check(handle) || !nb::inst_ready(handle)) return nullptr;
    if (nb::isinstance<In>(handle)) return nb::inst_ptr<In>(handle);
    if (nb::isinstance<Out>(handle)) return nb::inst_ptr<Out>(handle);
    if (nb::isinstance<InOut>(handle)) return nb::inst_ptr<InOut>(handle);
    return nullptr;
}

template <class T>
void bind(nb::module_& m, const char* name, bool copies_in, bool copies_out, const char* doc) {
    nb::class_<T>(m, name, doc)
        .def(
            "__init__",
            [name, copies_in, copies_out](T* self, nb::object array) {
                const auto access =
                    copies_out ? HostMemory::Access::write : HostMemory::Access::read;
                new (self)
                    T{{checked_array(std::move(array), name, access), copies_in, copies_out}};
            },
            nb::arg("array"))
        .def_prop_ro("array", [](const T& self) { return self.array; });
}

}  // namespace

bool fill_host_argument(const ArgumentPlace& place, const Slot& slot, PyObject* object,
                        ArgumentPack& pack) {
    const HostArgument* argument = find_host_argument(object);
    if (!argument) return false;
    const nb::object dtype = argument->array.attr("dtype");
    check_pointer_dtype(place, slot, host_dtype(argument->array),
                        std::string("a NumPy array of ") + text_argument(nb::str(dtype), "dtype"));
    const auto access = argument->copies_out ? HostMemory::Access::write : HostMemory::Access::read;
    const HostMemory host = HostMemory::contiguous(argument->array, access, "Kernel.launch");
    const bool on_host = place.plan.device.kind() == DeviceKind::cpu;
    // The CPU works in place where no one can tell: what is written comes back anyway.
    const bool in_place = on_host && argument->copies_out;
    Buffer memory;
    if (in_place) {
        memory = Buffer::wrap(host.data(), host.bytes(), place.plan.device, host.keep_alive());
    } else {
        const GilRelease unlocked;
        memory = Buffer(host.bytes(), pack.stream());
        if (argument->copies_in && host.bytes())
            memory.copy_from_host(host.data(), host.bytes(), pack.stream());
    }
    pack.set_pointer(place.index, memory.data());
    if (memory.size() != 0)
        pack.add_use({memory.block().get(), memory.offset(), memory.offset() + memory.size(),
                      !slot.is_const});
    pack.keep(memory);
    if (argument->copies_out) {
        pack.set_must_wait();
        if (!in_place) pack.copy_back(memory, argument->array);
    }
    return true;
}

void init_host_argument(nb::module_& m) {
    bind<In>(m, "In", true, false,
             "In(array): a contiguous NumPy array that a launch copies to the device and reads.");
    bind<Out>(m, "Out", false, true,
              "Out(array): a launch fills the array; it returns when the result is there. What the "
              "kernel does not write is undefined.");
    bind<InOut>(
        m, "InOut", true, true,
        "InOut(array): copied to the device and back; the launch returns when it is there.");
}

}  // namespace heald::python
