#pragma once

#include "src/backend/cuda/context.hpp"
#include "src/backend/cuda/queue.hpp"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace heald::cuda {

/// Device memory of one device: a driver pool of heald's own that keeps what it has, behind the
/// free lists of the queues.
class DeviceMemory {
public:
    explicit DeviceMemory(std::shared_ptr<Context> context);
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    [[nodiscard]] void* allocate(std::size_t bytes, Queue& queue);
    void release(void* data, std::size_t bytes, Queue& queue) noexcept;

    /// Held by the driver's pool and not in use. Free lists are not counted.
    [[nodiscard]] std::size_t pool_cached_bytes() const;
    /// Gives back what the pool holds beyond `keep_bytes`. Earlier frees must be done.
    void trim_pool(std::size_t keep_bytes);

    /// Lets `peer` read and write this device's memory.
    void allow_access(const Context& peer);

private:
    [[nodiscard]] driver::Result ask_driver(void** data, std::size_t size, Queue& queue);

    std::shared_ptr<Context> context_;
    driver::Pool pool_ = nullptr;  ///< null: the device has no pools
    std::mutex captured_mutex_;
    std::unordered_set<void*> captured_;  ///< allocated under capture: they belong to a graph
    std::atomic<std::size_t> captured_count_{0};
};

/// Pinned host memory, and managed memory: slow to make, so blocks are kept by size. A block is
/// reused only after the work that was queued at its release, since the host may write at once.
class HostMemory {
public:
    explicit HostMemory(std::shared_ptr<Context> context) : context_(std::move(context)) {}

    [[nodiscard]] void* allocate(std::size_t bytes, MemoryKind kind);
    void release(void* data, std::size_t bytes, MemoryKind kind, Queue& queue) noexcept;
    [[nodiscard]] std::size_t cached_bytes() const noexcept { return cached_.load(); }
    void trim(std::size_t keep_bytes) noexcept;

private:
    struct Lists {
        std::unordered_map<std::size_t, std::vector<void*>> blocks;
    };

    void free_block(void* data, MemoryKind kind) noexcept;

    std::shared_ptr<Context> context_;
    std::mutex mutex_;
    Lists pinned_;
    Lists managed_;
    std::atomic<std::size_t> cached_{0};
};

}  // namespace heald::cuda
