#pragma once

#include <heald/array.hpp>
#include <heald/stream.hpp>

#include "src/core/device_state.hpp"
#include "src/plan/fft/problem.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace heald::fft {

/// A problem that a library has planned. May be used from any thread, on any stream of its device.
class Executor {
public:
    virtual ~Executor() = default;
    /// Enqueues: `in` and `out` are laid out as the problem says.
    virtual void run(const Array& in, const Array& out, const Stream& stream) = 0;
    /// Memory that a call takes beside its operands, in bytes.
    [[nodiscard]] virtual std::size_t workspace_bytes() const noexcept { return 0; }
    /// For people: "FFTW 3.3.10: 2 passes, …".
    [[nodiscard]] virtual std::string describe() const = 0;
};

/// The executor of a problem on a device, made at the first need and kept.
[[nodiscard]] std::shared_ptr<Executor> executor_for(core::DeviceState& device,
                                                     const Problem& problem);

// One for each library.
[[nodiscard]] std::shared_ptr<Executor> make_fftw_executor(core::DeviceState& device,
                                                           const Problem& problem);
[[nodiscard]] std::shared_ptr<Executor> make_cufft_executor(core::DeviceState& device,
                                                            const Problem& problem);
/// False if cuFFT cannot take the problem as it lies in memory: too many axes, strides that are not
/// nested, or many batch axes.
[[nodiscard]] bool cufft_takes(const Problem& problem);

}  // namespace heald::fft
