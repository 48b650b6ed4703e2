#pragma once

#include "src/base/fork.hpp"
#include "src/core/memory_resource.hpp"

#include <cstddef>
#include <memory_resource>
#include <unordered_map>
#include <vector>

namespace heald::memory {

/// Counts what goes through it.
class StatisticsAdaptor final : public core::MemoryResource {
public:
    explicit StatisticsAdaptor(core::MemoryResource& upstream) : upstream_(upstream) {}

    void* allocate(std::size_t bytes, MemoryKind kind, core::QueueImpl& queue) override;
    void release(void* data, std::size_t bytes, MemoryKind kind,
                 core::QueueImpl& queue) noexcept override;
    [[nodiscard]] std::size_t cached_bytes() const override { return upstream_.cached_bytes(); }
    void trim(std::size_t keep_bytes) override { upstream_.trim(keep_bytes); }

    [[nodiscard]] MemoryPool::Statistics statistics() const;
    void reset_peak();
    /// Sizes of the largest live allocations, largest first.
    [[nodiscard]] std::vector<std::size_t> largest(std::size_t count) const;

private:
    core::MemoryResource& upstream_;
    mutable ForkMutex mutex_;  ///< guards what follows
    MemoryPool::Statistics counts_;
    std::pmr::unsynchronized_pool_resource nodes_;
    std::pmr::unordered_map<const void*, std::size_t> live_{&nodes_};
};

}  // namespace heald::memory
