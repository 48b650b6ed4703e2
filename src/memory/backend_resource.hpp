#pragma once

#include "src/core/backend.hpp"
#include "src/core/memory_resource.hpp"

namespace heald::memory {

/// The backend's pool itself.
class BackendResource final : public core::MemoryResource {
public:
    explicit BackendResource(core::Backend& backend) : backend_(backend) {}

    void* allocate(std::size_t bytes, MemoryKind kind, core::QueueImpl& queue) override {
        return backend_.allocate(bytes, kind, queue);
    }
    void release(void* data, std::size_t bytes, MemoryKind kind,
                 core::QueueImpl& queue) noexcept override {
        backend_.release(data, bytes, kind, queue);
    }
    [[nodiscard]] std::size_t cached_bytes() const override { return backend_.cached_bytes(); }
    void trim(std::size_t keep_bytes) override { backend_.trim(keep_bytes); }

private:
    core::Backend& backend_;
};

}  // namespace heald::memory
