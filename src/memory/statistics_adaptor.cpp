#include "src/memory/statistics_adaptor.hpp"

#include <algorithm>
#include <functional>

namespace heald::memory {

void* StatisticsAdaptor::allocate(std::size_t bytes, MemoryKind kind, core::QueueImpl& queue) {
    void* data = upstream_.allocate(bytes, kind, queue);
    const std::lock_guard lock(mutex_);
    live_.insert_or_assign(data, bytes);
    counts_.current_bytes += bytes;
    counts_.peak_bytes = std::max(counts_.peak_bytes, counts_.current_bytes);
    ++counts_.live_count;
    ++counts_.total_count;
    return data;
}

void StatisticsAdaptor::release(void* data, std::size_t bytes, MemoryKind kind,
                                core::QueueImpl& queue) noexcept {
    {
        // Before the memory is given back: another thread may get the same address at once.
        const std::lock_guard lock(mutex_);
        live_.erase(data);
        counts_.current_bytes -= bytes;
        --counts_.live_count;
    }
    upstream_.release(data, bytes, kind, queue);
}

MemoryPool::Statistics StatisticsAdaptor::statistics() const {
    MemoryPool::Statistics result;
    {
        const std::lock_guard lock(mutex_);
        result = counts_;
    }
    result.cached_bytes = upstream_.cached_bytes();
    return result;
}

void StatisticsAdaptor::reset_peak() {
    const std::lock_guard lock(mutex_);
    counts_.peak_bytes = counts_.current_bytes;
}

std::vector<std::size_t> StatisticsAdaptor::largest(std::size_t count) const {
    std::vector<std::size_t> sizes;
    {
        const std::lock_guard lock(mutex_);
        sizes.reserve(live_.size());
        for (const auto& [data, bytes] : live_) sizes.push_back(bytes);
    }
    const auto wanted = std::min(count, sizes.size());
    std::partial_sort(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(wanted),
                      sizes.end(), std::greater<>());
    sizes.resize(wanted);
    return sizes;
}

}  // namespace heald::memory
