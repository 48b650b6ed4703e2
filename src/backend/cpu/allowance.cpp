// How many threads may run kernels, and where.

#include "src/backend/cpu/processor.hpp"

#include "src/base/log.hpp"
#include "src/base/settings.hpp"

#include <sched.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>

namespace heald::cpu {
namespace {

/// CPUs in the affinity mask of the process's main thread.
std::vector<int> affinity() {
    std::vector<int> result;
    for (int capacity = 1024; capacity <= 1 << 16; capacity *= 4) {
        cpu_set_t* set = CPU_ALLOC(capacity);
        const std::size_t size = CPU_ALLOC_SIZE(capacity);
        const bool read = sched_getaffinity(getpid(), size, set) == 0;
        if (read)
            for (int cpu = 0; cpu < capacity; ++cpu)
                if (CPU_ISSET_S(cpu, size, set)) result.push_back(cpu);
        CPU_FREE(set);
        if (read) break;
    }
    if (result.empty()) result.push_back(0);
    return result;
}

/// CPUs' worth of time that the cgroup grants; 0: no limit. Reads version 2, then version 1.
double quota() {
    std::string limit;
    double period = 0;
    if (std::ifstream file("/sys/fs/cgroup/cpu.max"); file >> limit >> period)
        return limit == "max" || period <= 0 ? 0 : std::strtod(limit.c_str(), nullptr) / period;
    double quota = 0;
    std::ifstream quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    std::ifstream period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    if (quota_file >> quota && period_file >> period && quota > 0 && period > 0)
        return quota / period;
    return 0;
}

int asked_for(int most) {
    const auto text = setting(Setting::num_threads);
    if (!text) return most;
    int value = 0;
    const auto [end, status] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (status != std::errc{} || end != text->data() + text->size() || value < 1) {
        warn(name_of(Setting::num_threads) +
             ("=" + *text + " is not a number of threads: ignored"));
        return most;
    }
    return std::min(value, 1024);
}

Allowance find_out() {
    Allowance result;
    result.cpus = affinity();
    int most = static_cast<int>(result.cpus.size());
    if (const double limit = quota(); limit > 0)
        most = std::clamp(static_cast<int>(std::ceil(limit)), 1, most);
    result.workers = asked_for(most);
    result.pinned = result.workers == static_cast<int>(result.cpus.size());
    return result;
}

}  // namespace

const Allowance& allowance() {
    static const Allowance& result = *new Allowance(find_out());
    return result;
}

}  // namespace heald::cpu
