#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heald::cpu {

/// What the processor is. Sizes in bytes.
struct Processor {
    std::string model;     ///< "Intel(R) Xeon(R) Processor"
    std::string level;     ///< "x86-64-v4", "aarch64"
    std::string features;  ///< everything that code may depend on, for cache keys
    std::size_t l2_cache = 0;
    int clock_rate_khz = 0;
};

/// Found out once.
const Processor& processor();

/// The processors that this process may use.
struct Allowance {
    std::vector<int> cpus;  ///< ids in the affinity mask that the process was given
    int workers = 1;        ///< threads that run kernels: mask, cgroup quota and HEALD_NUM_THREADS
    bool pinned = false;    ///< one worker per CPU of the mask
};

/// Found out once, from the main thread's affinity.
const Allowance& allowance();

}  // namespace heald::cpu
