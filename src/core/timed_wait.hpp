#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace heald::core {

/// Asks `done` until it says yes or `timeout` has passed: at first without rest, then with naps
/// that grow to half a millisecond.
template <class Done>
bool poll_until(Done&& done, std::chrono::nanoseconds timeout) {
    using Clock = std::chrono::steady_clock;
    using namespace std::chrono_literals;
    const auto start = Clock::now();
    const auto end = start + timeout;
    std::chrono::nanoseconds nap = 20us;
    while (!done()) {
        const auto now = Clock::now();
        if (now >= end) return false;
        if (now - start < 20us) continue;
        std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(nap, end - now));
        nap = std::min<std::chrono::nanoseconds>(nap * 2, 500us);
    }
    return true;
}

}  // namespace heald::core
