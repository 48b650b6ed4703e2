#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace heald::core {

/// Asks `done` until it says yes or `timeout` has passed: at first without rest, then with naps of
/// an eighth of the time waited so far, half a millisecond at most.
template <class Done>
bool poll_until(Done&& done, std::chrono::nanoseconds timeout) {
    using Clock = std::chrono::steady_clock;
    using namespace std::chrono_literals;
    const auto start = Clock::now();
    const auto end = start + timeout;
    while (!done()) {
        const auto now = Clock::now();
        if (now >= end) return false;
        if (now - start < 20us) continue;
        const auto nap = std::clamp<std::chrono::nanoseconds>((now - start) / 8, 5us, 500us);
        std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(nap, end - now));
    }
    return true;
}

}  // namespace heald::core
