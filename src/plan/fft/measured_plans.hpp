#pragma once

#include <cstdint>
#include <string>

namespace heald::fft::fftw {

/// HEALD_FFT_PLANNING: what plans on the CPU are made from.
enum class Effort : std::uint8_t {
    automatic,  ///< estimates; plans that are used often are measured on a thread beside
    estimate,   ///< estimates always: the same bits in every run
    measure,    ///< measured before the first use
};
[[nodiscard]] Effort planning();

constexpr int uses_to_measure = 16;  ///< calls after which a plan counts as used often

/// What the library learnt in earlier processes on such a machine, read at the first call; and what
/// it knows now, written to the cache on disk.
void load_wisdom(bool float64, const std::string& machine);
void save_wisdom(bool float64, const std::string& machine);

}  // namespace heald::fft::fftw
