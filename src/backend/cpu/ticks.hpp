#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace heald::cpu {

/// A cheap clock for rough decisions, in units of about a nanosecond or less.
inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
    return __rdtsc();
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// At the 2 to 5 GHz of time-stamp counters; on other machines ticks are nanoseconds.
inline constexpr std::uint64_t ticks_per_tenth_millisecond = 250'000;

}  // namespace heald::cpu
