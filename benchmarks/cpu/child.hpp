#pragma once

#include <string>
#include <vector>

namespace bench {

/// What one process measured of one kernel; heald's thread count is fixed per process.
struct ChildRow {
    double loop = 0, split = 0, heald = 0, compile = 0, difference = 0;
    std::string compiler;
};

/// Prints a row for `kernel` ("empty": the launch), as run_child() reads it.
int be_child(const std::string& kernel, int threads);

/// Runs this program again with `threads` threads and the compile cache in `cache`. Throws with the
/// child's message if it failed.
ChildRow run_child(const std::string& kernel, int threads, const std::string& cache);

}  // namespace bench
