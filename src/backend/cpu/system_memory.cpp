#include "src/backend/cpu/system_memory.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace heald::cpu {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number in a file that holds one; `unlimited` for "max" and for files that are not there.
std::uint64_t number_in(const char* path) {
    std::ifstream file(path);
    std::string word;
    std::uint64_t value = unlimited;
    if (file >> word) std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
}

struct Limit {
    std::uint64_t most = unlimited;
    std::uint64_t used = 0;
};

Limit cgroup() {
    Limit limit{number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory.current")};
    if (limit.most == unlimited)
        limit = {number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
                 number_in("/sys/fs/cgroup/memory/memory.usage_in_bytes")};
    if (limit.used == unlimited) limit.used = 0;
    return limit;
}

}  // namespace

SystemMemory system_memory() {
    std::uint64_t total = 0, available = 0;
    std::ifstream file("/proc/meminfo");
    std::string key, unit;
    for (std::uint64_t kib = 0; file >> key >> kib; std::getline(file, unit)) {
        if (key == "MemTotal:") total = kib * 1024;
        if (key == "MemAvailable:") available = kib * 1024;
    }
    const Limit limit = cgroup();
    if (limit.most < total) {
        total = limit.most;
        available = std::min(available, limit.most - std::min(limit.used, limit.most));
    }
    return {static_cast<std::size_t>(total), static_cast<std::size_t>(available)};
}

}  // namespace heald::cpu
