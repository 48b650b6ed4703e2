#pragma once

#include <functional>
#include <string>
#include <vector>

namespace heald::cpu {

/// Starts a detached thread that takes no signal but those of faults, so that SIGINT and the like
/// reach the threads of the program. `cpus`: its affinity. Throws Error(device).
void start_thread(const std::string& name, const std::vector<int>& cpus,
                  std::function<void()> function);

/// True on the threads that start_thread made.
[[nodiscard]] bool on_own_thread() noexcept;

}  // namespace heald::cpu
