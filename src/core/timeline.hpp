#pragma once

#include "src/base/fork.hpp"
#include "src/core/backend.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace heald::core {

class DeviceState;

/// An event, and the position that it stands for. No event: all of it is done.
struct Marker {
    std::uint64_t position = 0;
    std::shared_ptr<EventImpl> event;
};

/// Positions in one queue, and events that stand for them. It outlives the queue, so that memory
/// used on a closed stream can still be ordered.
///
/// A position is the number of operations enqueued so far. Each is counted after it was enqueued:
/// an event recorded after reading `enqueued()` stands for all of them.
class Timeline : public std::enable_shared_from_this<Timeline> {
public:
    Timeline(DeviceState& device, std::shared_ptr<QueueImpl> queue, bool legacy_default,
             bool blocking);

    [[nodiscard]] DeviceState& device() const noexcept { return device_; }
    [[nodiscard]] std::uint64_t id() const noexcept { return id_; }  ///< never used again, not 0
    [[nodiscard]] std::shared_ptr<QueueImpl> queue() const;          ///< null once it was retired

    [[nodiscard]] std::uint64_t enqueued() const noexcept {
        return enqueued_.load(std::memory_order_seq_cst);
    }
    /// Counts the operation just enqueued; its position.
    std::uint64_t count() noexcept { return enqueued_.fetch_add(1, std::memory_order_seq_cst) + 1; }

    /// Everything up to `position` is known to be done.
    void complete(std::uint64_t position) noexcept;
    [[nodiscard]] bool known_complete(std::uint64_t position) const noexcept {
        return completed_.load(std::memory_order_acquire) >= position;
    }
    /// Asks the device, if it is not known.
    [[nodiscard]] bool is_complete(std::uint64_t position);
    /// The calling thread waits until everything up to `position` is done.
    void wait_on_host(std::uint64_t position);

    /// A marker at or after `position`, as early as there is one.
    Marker marker_at(std::uint64_t position);
    /// Another stream waits for this one: from now on its positions are kept apart.
    void expect_waits() noexcept;

    /// To be called before an operation is enqueued on a device with several streams: keeps the
    /// position before it apart, so that nobody who waits for earlier work waits for this
    /// operation too. A stream of which nobody asks for positions soon stops doing so.
    void keep_position_apart() {
        if (budget_.load(std::memory_order_relaxed) > 0) [[unlikely]]
            mark_position();
    }

    /// This queue has waited for `other` up to `position`: it need not again.
    void note_wait(const Timeline& other, std::uint64_t position);
    [[nodiscard]] bool has_waited(const Timeline& other, std::uint64_t position);

    /// Ordered by the device itself: CUDA's legacy default stream and its blocking streams.
    [[nodiscard]] bool implicitly_ordered_with(const Timeline& other) const noexcept;

    /// Lets the queue go; what was enqueued goes on and can be waited for.
    void retire() noexcept;

    /// In a forked child of a device that survives: what the parent had queued is not done here.
    void forget_queued_work() noexcept;

private:
    struct Wait {
        std::uint64_t timeline = 0;  ///< id
        std::uint64_t position = 0;
    };

    Marker mark(QueueImpl& queue);
    void mark_position();

    DeviceState& device_;
    const std::uint64_t id_;
    std::atomic<std::uint64_t> enqueued_{0};
    std::atomic<std::uint64_t> completed_{0};
    std::atomic<std::uint64_t> marked_{0};  ///< position of the newest marker
    std::atomic<int> budget_;               ///< markers to make before somebody asks for one
    bool legacy_default_;
    bool blocking_;

    mutable ForkMutex mutex_;  ///< guards what follows
    std::shared_ptr<QueueImpl> queue_;
    std::array<Marker, 32> markers_;  ///< a ring, oldest at next_
    std::size_t next_ = 0;
    std::array<Wait, 16> waits_;
    std::size_t next_wait_ = 0;
};

}  // namespace heald::core
