#pragma once

#include <heald/device.hpp>
#include <heald/stream.hpp>

#include "src/base/fork.hpp"
#include "src/core/backend.hpp"
#include "src/core/device_checks.hpp"
#include "src/core/memory_resource.hpp"
#include "src/core/timeline.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace heald::core {

/// A device in use: its backend, memory and streams. Never destroyed, so that whatever outlives
/// the end of main may still refer to it.
class DeviceState : public std::enable_shared_from_this<DeviceState> {
public:
    static std::shared_ptr<DeviceState> make(std::shared_ptr<Backend> backend, DeviceKind kind,
                                             int ordinal);

    [[nodiscard]] DeviceKind kind() const noexcept { return kind_; }
    [[nodiscard]] int ordinal() const noexcept { return ordinal_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    /// Throws in a forked child if the device does not survive forks.
    [[nodiscard]] Backend& backend() {
        if (!survives_fork_ && generation_ != fork_generation()) [[unlikely]]
            fail_after_fork();
        return *backend_;
    }
    /// False where nothing may be asked of the backend: after a fork, or at exit.
    [[nodiscard]] bool usable() const noexcept {
        return !process_exits() && (survives_fork_ || generation_ == fork_generation());
    }
    [[nodiscard]] DeviceMemory& memory() { return *memory_; }
    [[nodiscard]] DeviceChecks& checks() noexcept { return checks_; }

    [[nodiscard]] const std::shared_ptr<StreamState>& default_stream();
    [[nodiscard]] std::shared_ptr<StreamState> make_stream(const StreamOptions& options);
    [[nodiscard]] std::shared_ptr<StreamState> wrap_stream(std::uintptr_t handle);

    /// While there is only the default stream, nothing is tracked: one stream pays nothing.
    [[nodiscard]] bool several_streams() const noexcept {
        return several_.load(std::memory_order_seq_cst);
    }
    /// From now on uses of memory are tracked.
    void track_streams();
    /// What the default stream had enqueued when tracking began.
    [[nodiscard]] std::uint64_t untracked_position() const noexcept;

    /// Every timeline of the device that may have work.
    [[nodiscard]] std::vector<std::shared_ptr<Timeline>> timelines();

    /// A queue for internal work beside the users' streams, such as waits between kinds of devices.
    [[nodiscard]] std::shared_ptr<StreamState> take_helper_stream();
    void give_helper_stream(std::shared_ptr<StreamState> stream);

private:
    DeviceState(std::shared_ptr<Backend> backend, DeviceKind kind, int ordinal);
    [[noreturn]] void fail_after_fork() const;
    std::shared_ptr<StreamState> adopt(std::shared_ptr<QueueImpl> queue, bool is_default,
                                       bool owned, bool blocking);
    [[nodiscard]] std::shared_ptr<StreamState> find_stream(std::uintptr_t handle);

    std::shared_ptr<Backend> backend_;
    DeviceKind kind_;
    int ordinal_;
    bool survives_fork_;
    std::uint64_t generation_;
    std::string name_;
    std::unique_ptr<DeviceMemory> memory_;
    DeviceChecks checks_;

    static constexpr std::uint64_t unset = ~std::uint64_t{0};
    std::atomic<bool> several_{false};
    std::atomic<std::uint64_t> untracked_position_{unset};
    ForkOnce default_once_;
    std::shared_ptr<StreamState> default_stream_;

    ForkMutex mutex_;  ///< guards what follows
    std::vector<std::weak_ptr<Timeline>> timelines_;
    std::vector<std::weak_ptr<StreamState>> streams_;
    std::vector<std::shared_ptr<StreamState>> helpers_;
};

/// A stream: a queue and its timeline.
class StreamState : public std::enable_shared_from_this<StreamState> {
public:
    StreamState(DeviceState& device_, std::shared_ptr<QueueImpl> queue_, bool is_default_,
                bool owned_, bool blocking);
    ~StreamState();

    /// Waits for what is in the stream, and raises what failed in it.
    void finish();

    DeviceState& device;
    const std::shared_ptr<QueueImpl> queue;
    const std::shared_ptr<Timeline> timeline;
    const bool is_default;
    const bool owned;  ///< made by heald, not wrapped
    std::atomic<bool> closed{false};
};

/// Enqueues a wait: the queue of `waiter` goes on after `position` of `other`, on whichever devices
/// they are.
void wait_for(Timeline& waiter, QueueImpl& queue, Timeline& other, std::uint64_t position);
inline void wait_for(StreamState& waiter, Timeline& other, std::uint64_t position) {
    wait_for(*waiter.timeline, *waiter.queue, other, position);
}

/// A queue of `waiting` goes on after `event`, which a queue of `device` recorded.
void wait_for_event(DeviceState& waiting, QueueImpl& queue, DeviceState& device, EventImpl& event);

}  // namespace heald::core
