#pragma once

#include "src/backend/cuda/driver/types.hpp"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace heald::cuda {

class Context;

/// Actions to run once earlier work of a stream is done: dropping the owner of copied memory,
/// freeing host memory, unloading code. Events and a thread that polls them, because a driver
/// callback would cost the stream a stop and may not call the driver.
class Deferred {
public:
    explicit Deferred(Context& context) : context_(context) {}
    ~Deferred();
    Deferred(const Deferred&) = delete;
    Deferred& operator=(const Deferred&) = delete;

    /// Runs `action` on a thread of heald's after the work now in `streams`. The context must be
    /// current. If nothing can be recorded (a fault, a capture), it runs after a synchronisation.
    void after(const std::vector<driver::Stream>& streams, std::function<void()> action);

    /// Runs the actions that are due, on this thread. The context must be current.
    void poll() noexcept;

    /// Waits until every action has run.
    void drain() noexcept;

    /// Ends the thread's driver calls, because the process ends.
    void stop_for_good() noexcept;

private:
    struct Entry {
        std::vector<driver::Event> events;
        std::function<void()> action;
    };

    [[nodiscard]] bool due(Entry& entry) noexcept;
    void run() noexcept;

    Context& context_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Entry> entries_;
    std::size_t running_ = 0;
    bool stop_ = false;
    std::timed_mutex working_;  ///< held by the thread while it may call the driver
    std::thread thread_;
};

}  // namespace heald::cuda
