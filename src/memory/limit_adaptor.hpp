#pragma once

#include "src/core/memory_resource.hpp"
#include "src/memory/statistics_adaptor.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>

namespace heald::memory {

/// Refuses what would take live allocations past a limit, and says in an out-of-memory error what
/// was asked for and what there is.
class LimitAdaptor final : public core::MemoryResource {
public:
    /// Free bytes of the device, for error texts.
    using FreeBytes = std::function<std::size_t()>;

    LimitAdaptor(StatisticsAdaptor& upstream, FreeBytes free_bytes)
        : upstream_(upstream), free_bytes_(std::move(free_bytes)) {}

    void* allocate(std::size_t bytes, MemoryKind kind, core::QueueImpl& queue) override;
    void release(void* data, std::size_t bytes, MemoryKind kind,
                 core::QueueImpl& queue) noexcept override;
    [[nodiscard]] std::size_t cached_bytes() const override { return upstream_.cached_bytes(); }
    void trim(std::size_t keep_bytes) override { upstream_.trim(keep_bytes); }

    [[nodiscard]] std::optional<std::size_t> limit() const;
    void set_limit(std::optional<std::size_t> bytes);

private:
    static constexpr std::size_t none = ~std::size_t{0};

    bool reserve(std::size_t bytes) noexcept;
    [[noreturn]] void fail_allocation(std::size_t bytes, const char* reason) const;

    StatisticsAdaptor& upstream_;
    FreeBytes free_bytes_;
    std::atomic<std::size_t> limit_{none};
    std::atomic<std::size_t> reserved_{0};  ///< live bytes, and those being allocated
};

}  // namespace heald::memory
