#include "src/backend/cuda/deferred.hpp"

#include "src/backend/cuda/background_thread.hpp"
#include "src/backend/cuda/context.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <chrono>

namespace heald::cuda {

using driver::Result;

Deferred::~Deferred() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
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
    context_.api().cuCtxPushCurrent_v2(context_.handle());
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
        poll();
        lock.lock();
        pause = entries_.size() < before ? 200us : std::min(pause * 2, 5000us);
        if (!stop_ && !entries_.empty()) changed_.wait_for(lock, pause);
    }
}

}  // namespace heald::cuda
