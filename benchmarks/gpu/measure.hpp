#pragma once

#include <functional>
#include <string>

namespace gpu_benchmark {

/// Microseconds per operation, medians over repeats: until the call returned, and until the work
/// was done.
struct Cost {
    double host = 0;
    double end_to_end = 0;
};

/// `work(count)` enqueues `count` operations, `finish()` waits for them.
[[nodiscard]] Cost measure(const std::function<void(int)>& work,
                           const std::function<void()>& finish, int count = 500, int repeats = 31);

/// Prints one row: name, host and end-to-end cost, and both relative to `floor` if that is given.
void print_row(const std::string& name, const Cost& cost, const Cost* floor = nullptr,
               const char* goal = "");

void print_title(const std::string& title);

}  // namespace gpu_benchmark
