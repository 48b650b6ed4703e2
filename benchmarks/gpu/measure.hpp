#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gpu_benchmark {

/// One way to do something many times. `work(count)` enqueues `count` operations, `finish()` waits
/// for them.
struct Row {
    std::string name;
    std::function<void(int)> work;
    std::function<void()> finish;
    std::string goal;
};

/// Measures the rows in turn, over and over, so that clocks that change meet all of them alike, and
/// prints medians: microseconds per operation until the call returned, and until the work was
/// done, and both relative to the first row's.
void measure_rows(const std::vector<Row>& rows, int count, int repeats = 31);

void print_title(const std::string& title);

}  // namespace gpu_benchmark
