#include "src/core/device_checks.hpp"

#include "src/core/device_state.hpp"

#include <mutex>
#include <utility>

namespace heald::core {
namespace {

constexpr std::size_t words_of_page = 512;

}  // namespace

std::int64_t* DeviceChecks::take_word() {
    const auto take = [this]() -> std::int64_t* {
        const std::lock_guard lock(mutex_);
        if (free_.empty()) return nullptr;
        std::int64_t* word = free_.back();
        free_.pop_back();
        return word;
    };
    std::int64_t* word = take();
    if (word == nullptr) {
        // Pages stay with the device, which lives as long as the process.
        auto* page = static_cast<std::int64_t*>(
            device_.backend().allocate(words_of_page * sizeof(std::int64_t), MemoryKind::pinned,
                                       *device_.default_stream()->queue));
        word = page;
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 1; i < words_of_page; ++i) free_.push_back(page + i);
    }
    std::atomic_ref(*word).store(nothing, std::memory_order_release);
    return word;
}

void DeviceChecks::watch(std::int64_t* word, StreamState& stream, Fail fail) {
    const std::lock_guard lock(mutex_);
    checks_.push_back({word, stream.timeline, stream.timeline->enqueued(), std::move(fail)});
    count_.store(checks_.size(), std::memory_order_relaxed);
}

void DeviceChecks::look_at_each() {
    std::vector<Check> open;
    {
        const std::lock_guard lock(mutex_);
        open.swap(checks_);
    }
    std::vector<std::int64_t*> done;
    Fail fail;
    std::int64_t found = nothing;
    std::erase_if(open, [&](Check& check) {
        if (fail || !check.timeline->is_complete(check.position)) return false;
        found = std::atomic_ref(*check.word).load(std::memory_order_acquire);
        if (found != nothing) fail = std::move(check.fail);
        done.push_back(check.word);
        return true;
    });
    {
        const std::lock_guard lock(mutex_);
        free_.insert(free_.end(), done.begin(), done.end());
        checks_.insert(checks_.begin(), std::make_move_iterator(open.begin()),
                       std::make_move_iterator(open.end()));
        count_.store(checks_.size(), std::memory_order_relaxed);
    }
    if (fail) fail(found);
}

}  // namespace heald::core
