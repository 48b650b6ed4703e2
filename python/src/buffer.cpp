#include "python/src/buffer.hpp"

#include "python/src/current_stream.hpp"
#include "python/src/deferred.hpp"
#include "python/src/dtype.hpp"
#include "python/src/gil.hpp"
#include "python/src/host_memory.hpp"
#include "python/src/module.hpp"
#include "python/src/wait.hpp"

#include <heald/array.hpp>
#include <heald/error.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

namespace heald::python {

namespace {

[[noreturn]] void refuse_size(const char* operation, std::size_t host, std::size_t device) {
    throw Error(ErrorKind::invalid_value,
                std::string("[") + operation + "] the host memory has " + std::to_string(host) +
                    " bytes, the buffer " + std::to_string(device) +
                    ": they must agree, or copy a part of the buffer, buffer[start:stop]");
}

MemoryKind kind_from_name(const std::string& name) {
    if (name == "device") return MemoryKind::device;
    if (name == "pinned") return MemoryKind::pinned;
    if (name == "managed") return MemoryKind::managed;
    throw Error(ErrorKind::invalid_value,
                "[Buffer] kind must be 'device', 'pinned' or 'managed', got '" + name + "'");
}

const char* kind_name(MemoryKind kind) {
    return kind == MemoryKind::device   ? "device"
           : kind == MemoryKind::pinned ? "pinned"
                                        : "managed";
}

std::size_t checked_size(nb::handle size, const char* operation) {
    const Py_ssize_t bytes = PyNumber_AsSsize_t(size.ptr(), PyExc_OverflowError);
    if (bytes == -1 && PyErr_Occurred()) nb::raise_python_error();
    if (bytes < 0)
        throw Error(ErrorKind::invalid_value, std::string("[") + operation + "] a size of " +
                                                  std::to_string(bytes) + " bytes is negative");
    return static_cast<std::size_t>(bytes);
}

void make(TypedBuffer* self, nb::handle size, nb::handle device, nb::handle stream,
          const std::string& kind, nb::handle dtype) {
    const std::size_t bytes = checked_size(size, "Buffer");
    std::optional<DType> type;
    if (!dtype.is_none()) type = dtype_from_python(dtype, "Buffer");
    const Stream on = stream_argument(stream, device_argument(device, "Buffer"), "Buffer");
    const MemoryKind memory_kind = kind_from_name(kind);
    new (self) TypedBuffer{[&] {
                               const GilRelease unlocked;
                               return Buffer(bytes, on, memory_kind);
                           }(),
                           type};
}

TypedBuffer from_host(nb::handle data, nb::handle device, nb::handle stream) {
    const Stream on =
        stream_argument(stream, device_argument(device, "Buffer.from_host"), "Buffer.from_host");
    const HostMemory memory =
        HostMemory::contiguous(data, HostMemory::Access::read, "Buffer.from_host");
    const std::optional<DType> dtype = host_dtype(data);
    const GilRelease unlocked;
    return {Buffer::from_host(memory.data(), memory.bytes(), on), dtype};
}

TypedBuffer wrap(std::uintptr_t address, nb::handle size, nb::handle owner, nb::handle device,
                 nb::handle dtype, bool read_only) {
    std::optional<DType> type;
    if (!dtype.is_none()) type = dtype_from_python(dtype, "Buffer.wrap");
    return {Buffer::wrap(reinterpret_cast<void*>(address), checked_size(size, "Buffer.wrap"),
                         device_argument(device, "Buffer.wrap"), own(owner.ptr()), read_only),
            type};
}

void copy_from(const TypedBuffer& self, nb::object source, nb::handle stream) {
    const Stream on = stream_argument(stream, self.memory.device(), "Buffer.copy_from");
    if (nb::isinstance<TypedBuffer>(source) || nb::isinstance<Array>(source)) {
        const Buffer from = memory_of(source, "Buffer.copy_from", "source");
        const Buffer to = self.memory;  // another thread may close `self` once the GIL is free
        const GilRelease unlocked;
        to.copy_from(from, on);
    } else {
        copy_from_host(self.memory, source, on, "Buffer.copy_from");
    }
}

nb::object to_host(const TypedBuffer& self, nb::object destination, nb::handle stream) {
    const Stream on = stream_argument(stream, self.memory.device(), "Buffer.copy_to_host");
    copy_to_host(self.memory, destination, on, "Buffer.copy_to_host");
    return destination;
}

TypedBuffer slice(const TypedBuffer& self, nb::slice range) {
    const auto [start, stop, step, length] = range.compute(self.memory.size());
    if (step != 1)
        throw Error(ErrorKind::invalid_value,
                    "[Buffer] slices of a buffer have step 1: bytes "
                    "[start:stop]");
    return {self.memory.slice(static_cast<std::size_t>(start), length), self.dtype};
}

void fill(const TypedBuffer& self, std::uint64_t pattern, unsigned pattern_bytes,
          nb::handle stream) {
    const Stream on = stream_argument(stream, self.memory.device(), "Buffer.fill");
    const Buffer memory = self.memory;  // as in copy_from
    const GilRelease unlocked;
    memory.fill(pattern, pattern_bytes, on);
}

std::string describe(const TypedBuffer& self) {
    if (self.memory.closed()) return "<heald.Buffer, closed>";
    std::string text = "<heald.Buffer of " + std::to_string(self.memory.size()) + " bytes";
    if (self.dtype) text += ", made from " + std::string(name_of(*self.dtype));
    return text + ", on " + self.memory.device().name() + ">";
}

}  // namespace

void copy_to_host(Buffer source, nb::handle destination, const Stream& stream,
                  const char* operation) {
    const HostMemory memory =
        HostMemory::contiguous(destination, HostMemory::Access::write, operation);
    if (memory.bytes() != source.size()) refuse_size(operation, memory.bytes(), source.size());
    if (memory.bytes() == 0) return;
    if (source.device().kind() == DeviceKind::cuda) {
        // Pageable memory is copied within the call, which no signal ends: so wait before it.
        wait_for(stream);
        const GilRelease unlocked;
        source.copy_to_host(memory.data(), memory.bytes(), stream);
        return;
    }
    const std::shared_ptr<void> kept = memory.keep_alive();
    {
        const GilRelease unlocked;
        source.copy_to_host_async(memory.data(), memory.bytes(), kept, stream);
    }
    wait_for(stream);
}

void copy_from_host(Buffer destination, nb::handle source, const Stream& stream,
                    const char* operation) {
    const HostMemory memory = HostMemory::contiguous(source, HostMemory::Access::read, operation);
    if (memory.bytes() != destination.size())
        refuse_size(operation, memory.bytes(), destination.size());
    const GilRelease unlocked;
    destination.copy_from_host(memory.data(), memory.bytes(), stream);
}

Buffer memory_of(nb::handle object, const char* operation, const char* argument) {
    if (nb::isinstance<TypedBuffer>(object)) {
        const Buffer& memory = nb::cast<TypedBuffer&>(object).memory;
        (void)memory.block();  // closed buffers raise here
        return memory;
    }
    if (nb::isinstance<Array>(object)) {
        const Array& array = nb::cast<Array&>(object);
        if (!array.is_c_contiguous())
            throw Error(ErrorKind::invalid_value, std::string("[") + operation + "] " + argument +
                                                      " is a non-contiguous array: pass " +
                                                      argument + ".copy()");
        return array.buffer().slice(static_cast<std::size_t>(array.offset()), array.nbytes());
    }
    throw Error(ErrorKind::type_mismatch, std::string("[") + operation + "] " + argument +
                                              " must be an hd.Buffer or hd.Array, got " +
                                              Py_TYPE(object.ptr())->tp_name);
}

void init_buffer(nb::module_& m) {
    nb::class_<TypedBuffer>(
        m, "Buffer", nb::is_weak_referenceable(),
        "Untyped memory of one device: Buffer(size, device=None, stream=None, kind='device',\n"
        "dtype=None), `size` in bytes, uninitialised.\n\n"
        "A buffer made from a typed array remembers its dtype, and launches check it; one made by\n"
        "size is accepted by every pointer parameter. Used on several streams it is safe: each "
        "use\n"
        "waits for the earlier ones that it must not overtake. Closing it (or `with`) gives the\n"
        "memory back after its uses.\n\n"
        ">>> x = hd.Buffer.from_host(numpy.arange(8, dtype='f4'))\n"
        ">>> x.copy_to_host(numpy.empty(8, 'f4'))\n")
        .def("__init__", make, nb::arg("size"), nb::arg("device") = nb::none(),
             nb::arg("stream") = nb::none(), nb::arg("kind") = "device",
             nb::arg("dtype") = nb::none())
        .def_static("from_host", from_host, nb::arg("data"), nb::arg("device") = nb::none(),
                    nb::arg("stream") = nb::none(),
                    "A copy of a contiguous NumPy array, or of anything with the buffer protocol, "
                    "which may be changed as soon as this returns.")
        .def_static("wrap", wrap, nb::arg("address"), nb::arg("size"), nb::arg("owner"),
                    nb::arg("device") = nb::none(), nb::arg("dtype") = nb::none(),
                    nb::arg("read_only") = false,
                    "Memory of someone else at an address of the device, kept alive by `owner`.")
        .def_prop_ro(
            "size", [](const TypedBuffer& b) { return b.memory.size(); }, "bytes")
        .def_prop_ro(
            "nbytes", [](const TypedBuffer& b) { return b.memory.size(); }, "bytes")
        .def("__len__", [](const TypedBuffer& b) { return b.memory.size(); })
        .def_prop_ro(
            "address",
            [](const TypedBuffer& b) { return reinterpret_cast<std::uintptr_t>(b.memory.data()); },
            "of the device; 0 if the buffer is empty")
        .def("__int__",
             [](const TypedBuffer& b) { return reinterpret_cast<std::uintptr_t>(b.memory.data()); })
        .def_prop_ro("device", [](const TypedBuffer& b) { return b.memory.device(); })
        .def_prop_ro("kind", [](const TypedBuffer& b) { return kind_name(b.memory.kind()); })
        .def_prop_ro("read_only", [](const TypedBuffer& b) { return b.memory.read_only(); })
        .def_prop_ro("closed", [](const TypedBuffer& b) { return b.memory.closed(); })
        .def_prop_ro(
            "dtype",
            [](const TypedBuffer& b) -> nb::object {
                return b.dtype ? dtype_to_python(*b.dtype) : nb::none();
            },
            "dtype of the array that it was made from, or None")
        .def("copy_from", copy_from, nb::arg("source"), nb::arg("stream") = nb::none(),
             "Copies from a Buffer or contiguous Array (enqueued) or from host memory (which may "
             "be changed as soon as this returns). Sizes must agree.")
        .def("copy_to_host", to_host, nb::arg("destination"), nb::arg("stream") = nb::none(),
             "Copies into a contiguous, writable host array of the same size, waits, returns it.")
        .def("fill", fill, nb::arg("pattern"), nb::arg("pattern_bytes") = 1,
             nb::arg("stream") = nb::none(),
             "Enqueued: repeats the low 1, 2, 4 or 8 bytes of `pattern`.")
        .def("__getitem__", slice, nb::arg("range"), "Bytes [start:stop] of the same memory.")
        .def(
            "close", [](TypedBuffer& b) { b.memory.close(); },
            "Gives the memory back, ordered after its uses; later use raises ClosedError.")
        .def(
            "free", [](TypedBuffer& b) { b.memory.close(); }, "close(), as PyCUDA calls it.")
        .def("__enter__", [](nb::object self) { return self; })
        .def("__exit__", [](TypedBuffer& b, nb::args) { b.memory.close(); })
        .def("__repr__", describe);
}

}  // namespace heald::python
