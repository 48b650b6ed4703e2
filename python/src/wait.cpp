#include "python/src/wait.hpp"
#include "python/src/gil.hpp"

#include <heald/error.hpp>

#include <nanobind/nanobind.h>

#include <chrono>

namespace nb = nanobind;

namespace heald::python {

namespace {

using namespace std::chrono_literals;

constexpr auto signal_interval = 10ms;
constexpr auto cancel_patience = 250ms;

// The interrupt is what the user sees: the cancellation that it causes is taken back here, so that
// the next call works.
void cancel_after_interrupt(const Stream& stream) noexcept {
    if (stream.device().kind() != DeviceKind::cpu) return;
    try {
        const GilRelease unlocked;
        stream.cancel();
        (void)stream.synchronize_for(cancel_patience);
    } catch (...) {
    }
}

template <class Waitable, class Interrupted>
void wait_in_slices(const Waitable& waitable, Interrupted interrupted) {
    for (;;) {
        {
            const GilRelease unlocked;
            if (waitable.synchronize_for(signal_interval)) return;
        }
        if (PyErr_CheckSignals() < 0) {
            nb::python_error error;
            interrupted();
            throw error;
        }
    }
}

}  // namespace

void wait_for(const Stream& stream) {
    wait_in_slices(stream, [&] { cancel_after_interrupt(stream); });
}

void wait_for(const Event& event) {
    wait_in_slices(event, [] {});
}

void wait_for(const Device& device) {
    wait_in_slices(device, [&] { cancel_after_interrupt(device.default_stream()); });
}

}  // namespace heald::python
