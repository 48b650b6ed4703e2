#pragma once

#include "src/base/log.hpp"
#include "src/core/memory_resource.hpp"

#include <string>
#include <utility>

namespace heald::memory {

/// Logs each call under HEALD_LOG=debug; otherwise one comparison.
class LoggingAdaptor final : public core::MemoryResource {
public:
    LoggingAdaptor(core::MemoryResource& upstream, std::string device)
        : upstream_(upstream), device_(std::move(device)) {}

    void* allocate(std::size_t bytes, MemoryKind kind, core::QueueImpl& queue) override {
        void* data = upstream_.allocate(bytes, kind, queue);
        log(LogLevel::debug, device_, ": allocated ", bytes, " bytes at ",
            static_cast<const void*>(data));
        return data;
    }
    void release(void* data, std::size_t bytes, MemoryKind kind,
                 core::QueueImpl& queue) noexcept override {
        if (log_level() >= LogLevel::debug) [[unlikely]]
            write_log(LogLevel::debug, text(device_, ": released ", bytes, " bytes at ",
                                            static_cast<const void*>(data)));
        upstream_.release(data, bytes, kind, queue);
    }
    [[nodiscard]] std::size_t cached_bytes() const override { return upstream_.cached_bytes(); }
    void trim(std::size_t keep_bytes) override { upstream_.trim(keep_bytes); }

private:
    core::MemoryResource& upstream_;
    std::string device_;
};

}  // namespace heald::memory
