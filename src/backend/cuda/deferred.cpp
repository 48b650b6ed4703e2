#include "src/backend/cuda/deferred.hpp"

#include "src/backend/cuda/background_thread.hpp"
#include "src/backend/cuda/context.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>

namespace heald::cuda {

using driver::Result;

namespace {

// Driver calls of background threads must end before the driver and tools that watch it shut down,
// which happens in exit handlers of their own.
std::mutex running_mutex;
std::vector<Deferred*>& running() {
    static auto* const list = new std::vector<Deferred*>;
    return *list;
}
std::atomic<bool> process_ends{false};

void stop_at_exit() noexcept {
    process_ends.store(true);
    const std::lock_guard lock(running_mutex);
    for (Deferred* deferred : running()) deferred->stop_for_good();
}

}  // namespace

void Deferred::stop_for_good() noexcept {
    using namespace std::chrono_literals;
    // Kept locked. A thread that waits for something else, such as Python's lock, is left alone.
    (void)working_.try_lock_for(500ms);
}

Deferred::~Deferred() {
    {
        const std::lock_guard lock(running_mutex);
        std::erase(running(), this);
    }
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    if (!thread_.joinable()) return;
    // Once the process ends the thread stands still (stop_for_good).
    if (process_ends.load())
        thread_.detach();
    else
        thread_.join();
}

void Deferred::after(const std::vector<driver::Stream>& streams, std::function<void()> action) {
    Entry entry;
    entry.action = std::move(action);
    try {
        for (driver::Stream stream : streams)
            entry.events.push_back(context_.events().record(stream));
    } catch (const Error&) {
        // A faulted context has no work left to wait for; under capture the event belongs to the
        // graph: either way what was recorded so far is the best there is.
    }
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
    if (!thread_.joinable()) {
        thread_ = start_background_thread([this] { run(); });
        // After the driver's own handlers, so that it runs before them.
        static const int registered = std::atexit(stop_at_exit);
        (void)registered;
        const std::lock_guard running_lock(running_mutex);
        running().push_back(this);
    } else if (entries_.size() == 1) {
        changed_.notify_all();
    }
}

bool Deferred::due(Entry& entry) noexcept {
    while (!entry.events.empty()) {
        if (context_.api().cuEventQuery(entry.events.back()) == Result::not_ready) return false;
        context_.events().give_back(entry.events.back());
        entry.events.pop_back();
    }
    return true;
}

void Deferred::poll() noexcept {
    const DuringCapture relaxed(context_);
    std::vector<std::function<void()>> ready;
    {
        const std::lock_guard lock(mutex_);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (due(entries_[i]))
                ready.push_back(std::move(entries_[i].action));
            else if (kept++ != i)
                entries_[kept - 1] = std::move(entries_[i]);
        }
        entries_.resize(kept);
        running_ += ready.size();
    }
    for (auto& action : ready) {
        without_throwing("release after GPU work", action);
        action = nullptr;  // its captures may do work of their own
    }
    const std::lock_guard lock(mutex_);
    running_ -= ready.size();
    if (entries_.empty() && running_ == 0) changed_.notify_all();
}

void Deferred::drain() noexcept {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return entries_.empty() && running_ == 0; });
}

void Deferred::run() noexcept {
    using namespace std::chrono_literals;
    {
        const std::lock_guard working(working_);
        if (process_ends.load()) return;
        context_.api().cuCtxPushCurrent_v2(context_.handle());
    }
    auto pause = 200us;
    std::unique_lock lock(mutex_);
    while (!stop_) {
        if (entries_.empty()) {
            changed_.wait(lock, [this] { return stop_ || !entries_.empty(); });
            pause = 200us;
            continue;
        }
        const std::size_t before = entries_.size();
        lock.unlock();
        {
            const std::lock_guard working(working_);
            if (process_ends.load()) return;
            poll();
        }
        lock.lock();
        pause = entries_.size() < before ? 200us : std::min(pause * 2, 5000us);
        if (!stop_ && !entries_.empty()) changed_.wait_for(lock, pause);
    }
}

}  // namespace heald::cuda
