#pragma once

#include <heald/device.hpp>
#include <heald/stream.hpp>

#include <nanobind/nanobind.h>

namespace heald::python {

namespace nb = nanobind;

/// The current stream of this thread if it is one of `device`, else that device's default stream.
Stream current_stream(const Device& device);

/// A `stream=` argument: None (the current stream of `device`), an hd.Stream, or a stream of
/// another library (`__cuda_stream__`, as CuPy, PyTorch and cuda.core have).
Stream stream_argument(nb::handle stream, const Device& device, const char* operation);

/// A `device=` argument: None (the current device), an hd.Device, or a name.
Device device_argument(nb::handle device, const char* operation);

// `with stream:` and `with device:`, per thread, innermost last.
void enter_stream(const Stream& stream);
void enter_device(const Device& device);
void leave_scope();

}  // namespace heald::python
