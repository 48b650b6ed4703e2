#pragma once

#include <heald/device.hpp>
#include <heald/stream.hpp>

#include <memory>

namespace heald::python {

// Waits that Ctrl-C ends. The GIL is free while they wait; about every 10 ms signals are looked at.
// When a signal handler raises, work queued on a CPU stream is cancelled and the handler's
// exception goes on.

void wait_for(const Stream& stream);
void wait_for(const Event& event);
void wait_for(const Device& device);

}  // namespace heald::python
