#include "python/src/buffer.hpp"
#include "python/src/current_stream.hpp"
#include "python/src/deferred.hpp"
#include "python/src/gil.hpp"
#include "python/src/host_memory.hpp"
#include "python/src/module.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

namespace heald::python {

namespace {

// The first `bytes` bytes of an allocation: PyCUDA's copies may be smaller than the allocation.
Buffer first_bytes(const Buffer& memory, std::size_t bytes, const char* operation) {
    if (bytes > memory.size())
        throw Error(ErrorKind::invalid_value,
                    std::string("[") + operation + "] " + std::to_string(bytes) +
                        " bytes do not fit an allocation of " + std::to_string(memory.size()));
    return memory.slice(0, bytes);
}

TypedBuffer mem_alloc(nb::handle size) {
    nb::object buffer = nb::type<TypedBuffer>()(size);
    return nb::cast<TypedBuffer>(buffer);
}

void htod(nb::handle destination, nb::handle source) {
    const Buffer to = memory_of(destination, "memcpy_htod", "destination");
    const HostMemory from = HostMemory::contiguous(source, HostMemory::Access::read, "memcpy_htod");
    const Stream stream = current_stream(to.device());
    const Buffer part = first_bytes(to, from.bytes(), "memcpy_htod");
    const GilRelease unlocked;
    part.copy_from_host(from.data(), from.bytes(), stream);
}

void htod_async(nb::handle destination, nb::handle source, nb::handle stream) {
    const Buffer to = memory_of(destination, "memcpy_htod_async", "destination");
    const HostMemory from =
        HostMemory::contiguous(source, HostMemory::Access::read, "memcpy_htod_async");
    const Stream on = stream_argument(stream, to.device(), "memcpy_htod_async");
    const Buffer part = first_bytes(to, from.bytes(), "memcpy_htod_async");
    const std::shared_ptr<void> kept = from.keep_alive();
    const GilRelease unlocked;
    part.copy_from_host_async(from.data(), from.bytes(), kept, on);
}

void dtoh(nb::handle destination, nb::handle source) {
    const Buffer from = memory_of(source, "memcpy_dtoh", "source");
    const std::size_t bytes =
        HostMemory::contiguous(destination, HostMemory::Access::write, "memcpy_dtoh").bytes();
    copy_to_host(first_bytes(from, bytes, "memcpy_dtoh"), destination,
                 current_stream(from.device()), "memcpy_dtoh");
}

void dtoh_async(nb::handle destination, nb::handle source, nb::handle stream) {
    const Buffer from = memory_of(source, "memcpy_dtoh_async", "source");
    const HostMemory to =
        HostMemory::contiguous(destination, HostMemory::Access::write, "memcpy_dtoh_async");
    const Stream on = stream_argument(stream, from.device(), "memcpy_dtoh_async");
    const Buffer part = first_bytes(from, to.bytes(), "memcpy_dtoh_async");
    const std::shared_ptr<void> kept = to.keep_alive();
    const GilRelease unlocked;
    part.copy_to_host_async(to.data(), to.bytes(), kept, on);
}

void dtod_on(nb::handle destination, nb::handle source, std::optional<std::size_t> size,
             nb::handle stream) {
    const Buffer to = memory_of(destination, "memcpy_dtod", "destination");
    const Buffer from = memory_of(source, "memcpy_dtod", "source");
    const std::size_t bytes = size.value_or(from.size());
    const Buffer to_part = first_bytes(to, bytes, "memcpy_dtod");
    const Buffer from_part = first_bytes(from, bytes, "memcpy_dtod");
    const Stream on = stream_argument(stream, to.device(), "memcpy_dtod");
    const GilRelease unlocked;
    to_part.copy_from(from_part, on);
}

}  // namespace

void init_memory(nb::module_& m) {
    m.def("mem_alloc", mem_alloc, nb::arg("size"),
          "Untyped memory of the current device, `size` in bytes.");
    m.def(
        "memcpy_htod", htod, nb::arg("destination"), nb::arg("source"),
        "Copies host memory to the start of an allocation; the host memory may be changed as soon "
        "as this returns.");
    m.def("memcpy_htod_async", htod_async, nb::arg("destination"), nb::arg("source"),
          nb::arg("stream") = nb::none(),
          "Enqueues such a copy; the host memory must not be changed before it is done.");
    m.def("memcpy_dtoh", dtoh, nb::arg("destination"), nb::arg("source"),
          "Fills host memory from the start of an allocation; returns when the data are there.");
    m.def("memcpy_dtoh_async", dtoh_async, nb::arg("destination"), nb::arg("source"),
          nb::arg("stream") = nb::none(), "Enqueues such a copy.");
    m.def("memcpy_dtod", dtod_on, nb::arg("destination"), nb::arg("source"),
          nb::arg("size") = nb::none(), nb::arg("stream") = nb::none(),
          "Enqueues a copy of `size` bytes (default: all of the source).");
    m.def("memcpy_dtod_async", dtod_on, nb::arg("destination"), nb::arg("source"),
          nb::arg("size") = nb::none(), nb::arg("stream") = nb::none(), "The same.");
}

}  // namespace heald::python
