#pragma once

#include <heald/buffer.hpp>
#include <heald/dtype.hpp>

#include <nanobind/nanobind.h>

#include <optional>

namespace heald::python {

namespace nb = nanobind;

/// hd.Buffer: untyped memory that remembers the dtype of what it was made from, so that launches
/// can check it. nullopt: memory of no particular type (mem_alloc).
struct TypedBuffer {
    Buffer memory;
    std::optional<DType> dtype;
};

// Copies that Ctrl-C ends.

/// Returns when the data are at `destination`.
void copy_to_host(Buffer source, nb::handle destination, const Stream& stream,
                  const char* operation);
/// The host memory may be changed as soon as this returns.
void copy_from_host(Buffer destination, nb::handle source, const Stream& stream,
                    const char* operation);

/// The memory of an hd.Buffer or of a contiguous hd.Array.
Buffer memory_of(nb::handle object, const char* operation, const char* argument);

}  // namespace heald::python
