#pragma once

#include <heald/device.hpp>
#include <heald/export.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace heald {

class Event;

namespace core {
class StreamState;
class EventState;
}  // namespace core

struct StreamOptions {
    int priority = 0;  ///< lower runs first; clamped to what the device has
    /// Ordered with the legacy default stream, as cudaStreamDefault; false: cudaStreamNonBlocking.
    bool blocking = false;
};

/// An ordered queue of work on one device. A cheap handle; the last one waits for nothing: queued
/// work goes on, and its memory stays alive until it is done.
class HEALD_API Stream {
public:
    /// A new stream of `device`.
    explicit Stream(const Device& device = Device(), const StreamOptions& options = {});

    /// The current stream of this thread: the innermost StreamScope, else the current device's
    /// default stream.
    static Stream current();

    /// Wraps a stream of another library (a CUstream, or `__cuda_stream__`); never destroys it.
    static Stream from_handle(const Device& device, std::uintptr_t handle);

    [[nodiscard]] Device device() const;
    [[nodiscard]] bool is_default() const noexcept;
    [[nodiscard]] std::uintptr_t handle() const;  ///< CUstream; on a CPU an opaque number
    [[nodiscard]] int priority() const;

    /// Waits until everything enqueued so far is done; raises what failed in it.
    void synchronize() const;
    /// As synchronize(), but gives up after `timeout`: false.
    [[nodiscard]] bool synchronize_for(std::chrono::nanoseconds timeout) const;
    [[nodiscard]] bool done() const;

    /// Work enqueued later starts after `event`, or after all work now in `other`. Either may
    /// belong to another device.
    void wait(const Event& event) const;
    void wait(const Stream& other) const;

    /// Records a new event here.
    [[nodiscard]] Event record(bool timing = false) const;

    /// Runs `function` on a thread of heald's once earlier work is done; later work waits for it.
    /// It must not call the device: doing so raises there.
    void host_function(std::function<void()> function) const;

    /// Drops queued work that has not started and asks running CPU kernels to stop; the next
    /// synchronisation raises Error(cancelled). A CUDA stream cannot be cancelled:
    /// Error(unavailable).
    void cancel() const;

    /// Later use raises Error(closed). Work already queued goes on.
    void close();
    [[nodiscard]] bool closed() const noexcept;

    friend bool operator==(const Stream& a, const Stream& b) noexcept {
        return a.state_ == b.state_;
    }

    explicit Stream(std::shared_ptr<core::StreamState> state) : state_(std::move(state)) {}
    [[nodiscard]] core::StreamState& state() const;  ///< throws Error(closed)
    [[nodiscard]] const std::shared_ptr<core::StreamState>& shared_state() const noexcept {
        return state_;
    }

private:
    std::shared_ptr<core::StreamState> state_;
};

/// Makes a stream (and its device) this thread's current one while it lives.
class HEALD_API StreamScope {
public:
    explicit StreamScope(Stream stream);
    ~StreamScope();
    StreamScope(const StreamScope&) = delete;
    StreamScope& operator=(const StreamScope&) = delete;
};

/// A point in a stream.
class HEALD_API Event {
public:
    explicit Event(const Device& device = Device(), bool timing = false);

    void record(const Stream& stream);
    void synchronize() const;
    /// As synchronize(), but gives up after `timeout`: false.
    [[nodiscard]] bool synchronize_for(std::chrono::nanoseconds timeout) const;
    [[nodiscard]] bool done() const;
    [[nodiscard]] bool recorded() const;
    [[nodiscard]] bool timing() const;
    [[nodiscard]] Device device() const;
    [[nodiscard]] std::uintptr_t handle() const;

    /// Milliseconds from `start` to this event. Both must be recorded with timing, on one device,
    /// and done; otherwise Error(invalid_value) says which of these does not hold.
    [[nodiscard]] float elapsed_since(const Event& start) const;

    void close();
    [[nodiscard]] bool closed() const noexcept;

    explicit Event(std::shared_ptr<core::EventState> state) : state_(std::move(state)) {}
    [[nodiscard]] core::EventState& state() const;  ///< throws Error(closed)

private:
    std::shared_ptr<core::EventState> state_;
};

}  // namespace heald
