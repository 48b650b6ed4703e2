#pragma once

#include <heald/buffer.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace heald::core {

class Backend;
class QueueImpl;

/// Gives out a device's memory: the backend itself, or an adaptor over another resource.
class MemoryResource {
public:
    virtual ~MemoryResource() = default;
    /// Throws Error(out_of_memory).
    virtual void* allocate(std::size_t bytes, MemoryKind kind, QueueImpl& queue) = 0;
    virtual void release(void* data, std::size_t bytes, MemoryKind kind,
                         QueueImpl& queue) noexcept = 0;
    [[nodiscard]] virtual std::size_t cached_bytes() const = 0;
    virtual void trim(std::size_t keep_bytes) = 0;
};

/// A device's memory with what MemoryPool shows of it.
class DeviceMemory : public MemoryResource {
public:
    [[nodiscard]] virtual MemoryPool::Statistics statistics() const = 0;
    virtual void reset_peak() = 0;
    [[nodiscard]] virtual std::optional<std::size_t> limit() const = 0;
    virtual void set_limit(std::optional<std::size_t> bytes) = 0;
};

/// The stack of resources over a backend's pool (src/memory/).
std::unique_ptr<DeviceMemory> make_device_memory(Backend& backend);

}  // namespace heald::core
