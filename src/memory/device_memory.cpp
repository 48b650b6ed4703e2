#include "src/core/backend.hpp"
#include "src/core/memory_resource.hpp"
#include "src/memory/backend_resource.hpp"
#include "src/memory/limit_adaptor.hpp"
#include "src/memory/logging_adaptor.hpp"
#include "src/memory/statistics_adaptor.hpp"

namespace heald {
namespace {

/// The stack of resources of a device: log over limit over statistics over its pool.
class Stack final : public core::DeviceMemory {
public:
    explicit Stack(core::Backend& backend)
        : pool_(backend),
          statistics_(pool_),
          limit_(statistics_, [&backend] { return backend.memory_info().free; }),
          log_(limit_, backend.properties().name) {}

    void* allocate(std::size_t bytes, MemoryKind kind, core::QueueImpl& queue) override {
        return log_.allocate(bytes, kind, queue);
    }
    void release(void* data, std::size_t bytes, MemoryKind kind,
                 core::QueueImpl& queue) noexcept override {
        log_.release(data, bytes, kind, queue);
    }
    [[nodiscard]] std::size_t cached_bytes() const override { return pool_.cached_bytes(); }
    void trim(std::size_t keep_bytes) override { pool_.trim(keep_bytes); }
    [[nodiscard]] MemoryPool::Statistics statistics() const override {
        return statistics_.statistics();
    }
    void reset_peak() override { statistics_.reset_peak(); }
    [[nodiscard]] std::optional<std::size_t> limit() const override { return limit_.limit(); }
    void set_limit(std::optional<std::size_t> bytes) override { limit_.set_limit(bytes); }

private:
    memory::BackendResource pool_;
    memory::StatisticsAdaptor statistics_;
    memory::LimitAdaptor limit_;
    memory::LoggingAdaptor log_;
};

}  // namespace

std::unique_ptr<core::DeviceMemory> core::make_device_memory(Backend& backend) {
    return std::make_unique<Stack>(backend);
}

}  // namespace heald
