#include "python/src/current_stream.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"

#include <heald/buffer.hpp>
#include <heald/error.hpp>

#include <cstdint>

namespace heald::python {

namespace {

/// Host memory for DMA, shown to NumPy by the buffer protocol.
struct PinnedMemory {
    Buffer memory;
};

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
    if (!nb::inst_ready(self)) {
        PyErr_SetString(PyExc_BufferError, "[PinnedMemory] the object was never initialised");
        return -1;
    }
    const Buffer& memory = nb::inst_ptr<PinnedMemory>(nb::handle(self))->memory;
    static std::uint64_t nothing = 0;
    void* data = memory.size() ? memory.data() : &nothing;
    return PyBuffer_FillInfo(view, self, data, static_cast<Py_ssize_t>(memory.size()), 0, flags);
}

PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)}, {0, nullptr}};

}  // namespace

void init_pinned(nb::module_& m) {
    nb::class_<PinnedMemory>(m, "PinnedMemory", nb::type_slots(slots),
                             "Page-locked host memory; see pinned_empty.")
        .def(
            "__init__",
            [](PinnedMemory* self, std::size_t bytes, nb::handle device) {
                const Device on = device_argument(device, "pinned_empty");
                const GilRelease unlocked;
                // The host uses the memory at once: wait for what used it before, on a stream
                // of its own so as not to wait for anything else.
                const Stream stream(on);
                Buffer memory(bytes, stream, MemoryKind::pinned);
                stream.synchronize();
                new (self) PinnedMemory{std::move(memory)};
            },
            nb::arg("bytes"), nb::arg("device") = nb::none());
}

}  // namespace heald::python
