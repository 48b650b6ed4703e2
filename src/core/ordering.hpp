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

inline bool is_tracked(const MemoryUse& use) noexcept {
    return use.block->tracked() && use.begin < use.end;
}

/// Uses of memory by an operation that is being enqueued on a device with several streams, if every
/// one of them is the stream's usual one: no lock is taken and nothing waited for.
class UsualOperation {
public:
    UsualOperation(StreamState& stream, std::span<const MemoryUse> uses) noexcept : uses_(uses) {
        if (uses.size() > most) return;
        const std::uint64_t id = stream.timeline->id();
        for (std::size_t i = 0; i < uses.size(); ++i) {
            if (!is_tracked(uses[i])) continue;
            if (!uses[i].block->usual().try_begin(id, uses[i])) {
                end(Use::pending);
                return;
            }
            begun_ |= std::uint64_t{1} << i;
        }
        is_usual_ = true;
    }
    ~UsualOperation() {
        if (is_usual_) end(Use::pending);
    }
    UsualOperation(const UsualOperation&) = delete;
    UsualOperation& operator=(const UsualOperation&) = delete;

    [[nodiscard]] explicit operator bool() const noexcept { return is_usual_; }
    /// The operation was enqueued and counted.
    void finish(std::uint64_t position) noexcept {
        is_usual_ = false;
        end(position);
    }

private:
    static constexpr std::size_t most = 32;

    void end(std::uint64_t position) noexcept {
        for (std::size_t i = 0; begun_ >> i != 0; ++i)
            if ((begun_ >> i & 1) != 0) uses_[i].block->usual().end(uses_[i], position);
    }

    std::span<const MemoryUse> uses_;
    std::uint64_t begun_ = 0;  ///< a bit for each use
    bool is_usual_ = false;
};

/// Uses of memory by any operation that is being enqueued on a device with several streams: waits
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

/// Evaluates what is pending and must come before these uses.
void evaluate_pending(std::span<const MemoryUse> uses);

/// True unless something pending writes the memory, or reads what is to be written.
inline bool nothing_pending(std::span<const MemoryUse> uses) noexcept {
    for (const MemoryUse& use : uses)
        if (!use.block->is_plain()) [[unlikely]]
            return false;
    return true;
}

/// Enqueues an operation that uses memory: `operation(queue)`, ordered as promised. While the
/// device has one stream this costs two counters and no lock.
template <class Operation>
void enqueue(StreamState& stream, std::span<const MemoryUse> uses, Operation&& operation) {
    DeviceState& device = stream.device;
    if (!nothing_pending(uses)) [[unlikely]]
        evaluate_pending(uses);
    if (uses_other_device(device, uses)) [[unlikely]]
        track_all(stream, uses);
    if (!device.several_streams()) [[likely]] {
        std::forward<Operation>(operation)(*stream.queue);
        const std::uint64_t position = stream.timeline->count();
        if (device.several_streams()) [[unlikely]]
            add_uses(stream, uses, position);
        return;
    }
    stream.timeline->keep_position_apart();
    if (UsualOperation usual(stream, uses); usual) [[likely]] {
        std::forward<Operation>(operation)(*stream.queue);
        usual.finish(stream.timeline->count());
        return;
    }
    OrderedOperation ordered(stream, uses);
    std::forward<Operation>(operation)(*stream.queue);
    ordered.finish(stream.timeline->count());
}

}  // namespace heald::core
