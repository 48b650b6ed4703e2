#pragma once

#include <ctime>

namespace heald::cpu {

/// Milliseconds of processor time of this thread between laps: what a step costs on a machine that
/// does other things too.
class Stopwatch {
public:
    double lap() {
        const double now = read();
        const double spent = now - last_;
        last_ = now;
        return spent;
    }

private:
    static double read() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
    }
    double last_ = read();
};

}  // namespace heald::cpu
