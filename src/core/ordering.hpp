#pragma once

#include <heald/kernel.hpp>

#include "src/core/block.hpp"
#include "src/core/deferred.hpp"
#include "src/core/device_state.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heald::core {

/// Holds the lock of a block's uses.
class OrderingLock {
public:
    explicit OrderingLock(const Block& block);
    ~OrderingLock();
    OrderingLock(const OrderingLock&) = delete;
    OrderingLock& operator=(const OrderingLock&) = delete;

private:
    ForkMutex& mutex_;
};

/// Uses of memory by an operation that is being enqueued on a device with several streams: waits
/// for what they must not overtake, then makes them known. If the operation throws, they are
/// forgotten.
class OrderedOperation {
public:
    OrderedOperation(StreamState& stream, std::span<const MemoryUse> uses);
    ~OrderedOperation();
    OrderedOperation(const OrderedOperation&) = delete;
    OrderedOperation& operator=(const OrderedOperation&) = delete;

    /// The operation was enqueued and counted.
    void finish(std::uint64_t position);

private:
    bool try_begin(std::vector<Position>& waits);
    void end(std::uint64_t position);

    StreamState& stream_;
    std::span<const MemoryUse> uses_;
    bool finished_ = false;
};

/// Makes known the uses of an operation that was enqueued just as tracking began.
void add_uses(StreamState& stream, std::span<const MemoryUse> uses, std::uint64_t position);

/// True if some memory belongs to another device than the stream.
inline bool uses_other_device(const DeviceState& device, std::span<const MemoryUse> uses) noexcept {
    for (const MemoryUse& use : uses)
        if (&use.block->device() != &device) [[unlikely]]
            return true;
    return false;
}

/// The calling thread waits for the writes of a range that are under way.
void wait_on_host_for_writes(const MemoryUse& range);

/// Tracks streams on every device that the memory belongs to.
void track_all(StreamState& stream, std::span<const MemoryUse> uses);

/// Enqueues an operation that uses memory: `operation(queue)`, ordered as promised. While the
/// device has one stream this costs two counters and no lock.
template <class Operation>
void enqueue(StreamState& stream, std::span<const MemoryUse> uses, Operation&& operation) {
    DeviceState& device = stream.device;
    if (uses_other_device(device, uses)) [[unlikely]]
        track_all(stream, uses);
    if (!device.several_streams()) [[likely]] {
        std::forward<Operation>(operation)(*stream.queue);
        const std::uint64_t position = stream.timeline->count();
        if (device.several_streams()) [[unlikely]]
            add_uses(stream, uses, position);
        return;
    }
    OrderedOperation ordered(stream, uses);
    std::forward<Operation>(operation)(*stream.queue);
    ordered.finish(stream.timeline->count());
}

}  // namespace heald::core
