#pragma once

#include <chrono>

namespace heald::cpu {

/// Milliseconds between laps.
class Stopwatch {
public:
    double lap() {
        const auto now = Clock::now();
        const double spent = std::chrono::duration<double, std::milli>(now - last_).count();
        last_ = now;
        return spent;
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point last_ = Clock::now();
};

}  // namespace heald::cpu
