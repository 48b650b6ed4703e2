#pragma once

#include <heald/export.hpp>

#include <functional>

namespace heald::array {

/// Runs jobs one after another on a thread of its own, which ends when there are none. A fork waits
/// for the job that runs; those that wait stay with the parent. A job that throws is warned about.
void run_in_background(std::function<void()> job);

/// Waits until no job is left: for tests and benchmarks.
HEALD_API void finish_background();

/// Drops the jobs that have not begun, waits for the one that runs, and refuses others: before the
/// process exits.
HEALD_API void stop_background();

}  // namespace heald::array
