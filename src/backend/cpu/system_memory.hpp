#pragma once

#include <cstddef>

namespace heald::cpu {

/// Bytes of main memory that this process may have: the machine's, or its cgroup's limit.
struct SystemMemory {
    std::size_t total = 0;
    std::size_t available = 0;  ///< without swapping
};

SystemMemory system_memory();

}  // namespace heald::cpu
