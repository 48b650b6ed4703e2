#include "src/core/timeline.hpp"

#include "src/base/check.hpp"
#include "src/core/device_state.hpp"

namespace heald::core {
namespace {

constexpr int first_budget = 64;
constexpr int asked_budget = 1024;

std::uint64_t next_id() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

Timeline::Timeline(DeviceState& device, std::shared_ptr<QueueImpl> queue, bool legacy_default,
                   bool blocking)
    : device_(device),
      id_(next_id()),
      budget_(first_budget),
      legacy_default_(legacy_default),
      blocking_(blocking),
      queue_(std::move(queue)) {}

std::shared_ptr<QueueImpl> Timeline::queue() const {
    const std::lock_guard lock(mutex_);
    return queue_;
}

void Timeline::complete(std::uint64_t position) noexcept {
    std::uint64_t known = completed_.load(std::memory_order_relaxed);
    while (known < position &&
           !completed_.compare_exchange_weak(known, position, std::memory_order_acq_rel)) {
    }
}

bool Timeline::is_complete(std::uint64_t position) {
    if (known_complete(position)) return true;
    const Marker marker = marker_at(position);
    if (marker.event != nullptr && !device_.backend().done(*marker.event)) return false;
    complete(position);
    return true;
}

void Timeline::wait_on_host(std::uint64_t position) {
    const Marker marker = marker_at(position);
    if (marker.event != nullptr) device_.backend().synchronize(*marker.event);
    complete(position);
}

Marker Timeline::mark(QueueImpl& queue) {
    const std::uint64_t position = enqueued();
    std::shared_ptr<EventImpl> event;
    {
        // The oldest marker's event serves again if nobody else holds it.
        const std::lock_guard lock(mutex_);
        Marker& oldest = markers_[next_];
        if (oldest.event.use_count() == 1) event = std::exchange(oldest.event, nullptr);
        oldest = {};
    }
    Backend& backend = device_.backend();
    if (event == nullptr) event = backend.make_event(false);
    backend.record(*event, queue);
    const std::lock_guard lock(mutex_);
    // Another thread may have marked meanwhile; an older position would be found too late in the
    // ring, which costs precision only.
    markers_[next_] = {position, event};
    next_ = (next_ + 1) % markers_.size();
    marked_.store(position, std::memory_order_relaxed);
    return {position, std::move(event)};
}

Marker Timeline::marker_at(std::uint64_t position) {
    if (position == 0 || known_complete(position)) return {position, nullptr};
    std::shared_ptr<QueueImpl> queue;
    {
        const std::lock_guard lock(mutex_);
        const Marker* best = nullptr;
        for (const Marker& marker : markers_)
            if (marker.event != nullptr && marker.position >= position &&
                (best == nullptr || marker.position < best->position))
                best = &marker;
        if (best != nullptr) return *best;
        queue = queue_;
    }
    // Retired with that position unmarked: retire() has marked the last one, or could not and
    // waited for the device.
    if (queue == nullptr) return {position, nullptr};
    return mark(*queue);
}

void Timeline::expect_waits() noexcept {
    budget_.store(asked_budget, std::memory_order_relaxed);
}

void Timeline::mark_position() {
    const std::uint64_t position = enqueued_.load(std::memory_order_relaxed);
    if (position <= marked_.load(std::memory_order_relaxed) || known_complete(position)) return;
    budget_.fetch_sub(1, std::memory_order_relaxed);
    if (const auto queue = this->queue()) mark(*queue);
}

void Timeline::note_wait(const Timeline& other, std::uint64_t position) {
    const std::lock_guard lock(mutex_);
    for (Wait& wait : waits_) {
        if (wait.timeline != other.id_) continue;
        wait.position = std::max(wait.position, position);
        return;
    }
    waits_[next_wait_] = {other.id_, position};
    next_wait_ = (next_wait_ + 1) % waits_.size();
}

bool Timeline::has_waited(const Timeline& other, std::uint64_t position) {
    const std::lock_guard lock(mutex_);
    for (const Wait& wait : waits_)
        if (wait.timeline == other.id_) return wait.position >= position;
    return false;
}

bool Timeline::implicitly_ordered_with(const Timeline& other) const noexcept {
    return &device_ == &other.device_ &&
           ((legacy_default_ && other.blocking_) || (blocking_ && other.legacy_default_));
}

void Timeline::forget_queued_work() noexcept {
    complete(enqueued());
    const std::lock_guard lock(mutex_);
    for (Marker& marker : markers_) marker = {};
}

void Timeline::retire() noexcept {
    std::shared_ptr<QueueImpl> queue = this->queue();
    if (queue == nullptr) return;
    const std::uint64_t position = enqueued();
    if (device_.usable() && !known_complete(position) &&
        position > marked_.load(std::memory_order_relaxed))
        without_throwing("Stream.close", [&] { mark(*queue); });
    const std::lock_guard lock(mutex_);
    queue_ = nullptr;
}

}  // namespace heald::core
