#include "src/core/device_state.hpp"

#include "src/base/check.hpp"
#include "src/core/deferred.hpp"
#include "src/core/signal.hpp"

#include <pthread.h>
#include <algorithm>
#include <thread>

namespace heald::core {
namespace {

/// Every device ever made: they live as long as the process.
struct Devices {
    ForkMutex mutex;
    std::vector<std::shared_ptr<DeviceState>> all;
};

Devices& devices() {
    static Devices& instance = *std::make_unique<Devices>().release();
    return instance;
}

void forget_work_of_the_parent() {
    for (const auto& device : devices().all)
        if (device->usable())
            for (const auto& timeline : device->timelines()) timeline->forget_queued_work();
}

void keep_for_ever(std::shared_ptr<DeviceState> device) {
    [[maybe_unused]] static const int registered =
        pthread_atfork(nullptr, nullptr, &forget_work_of_the_parent);
    exit_before_what_is_loaded();
    const std::lock_guard lock(devices().mutex);
    devices().all.push_back(std::move(device));
}

template <class T>
void drop_expired(std::vector<std::weak_ptr<T>>& list) {
    std::erase_if(list, [](const auto& entry) { return entry.expired(); });
}

}  // namespace

DeviceState::DeviceState(std::shared_ptr<Backend> backend, DeviceKind kind, int ordinal)
    : backend_(std::move(backend)),
      kind_(kind),
      ordinal_(ordinal),
      survives_fork_(kind == DeviceKind::cpu),
      generation_(fork_generation()),
      name_(kind == DeviceKind::cpu ? std::string("cpu") : text("cuda:", ordinal)),
      memory_(make_device_memory(*backend_)),
      checks_(*this) {}

std::shared_ptr<DeviceState> DeviceState::make(std::shared_ptr<Backend> backend, DeviceKind kind,
                                               int ordinal) {
    std::shared_ptr<DeviceState> device(new DeviceState(std::move(backend), kind, ordinal));
    keep_for_ever(device);
    return device;
}

void DeviceState::fail_after_fork() const {
    fail(ErrorKind::unavailable, "[", name_,
         "] the GPU cannot be used in a forked child of a "
         "process that has used it: start processes with the 'spawn' method in place of 'fork' "
         "(multiprocessing.set_start_method(\"spawn\")), or use the GPU only after the fork");
}

const std::shared_ptr<StreamState>& DeviceState::default_stream() {
    default_once_([this] {
        default_stream_ = adopt(backend().default_queue(), true, true, kind_ == DeviceKind::cpu);
    });
    return default_stream_;
}

std::shared_ptr<StreamState> DeviceState::adopt(std::shared_ptr<QueueImpl> queue, bool is_default,
                                                bool owned, bool blocking) {
    auto stream =
        std::make_shared<StreamState>(*this, std::move(queue), is_default, owned, blocking);
    const std::lock_guard lock(mutex_);
    if (timelines_.size() == timelines_.capacity()) drop_expired(timelines_);
    if (streams_.size() == streams_.capacity()) drop_expired(streams_);
    timelines_.push_back(stream->timeline);
    streams_.push_back(stream);
    return stream;
}

std::shared_ptr<StreamState> DeviceState::make_stream(const StreamOptions& options) {
    track_streams();
    return adopt(backend().make_queue(options), false, true, options.blocking);
}

std::shared_ptr<StreamState> DeviceState::find_stream(std::uintptr_t handle) {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : streams_)
        if (auto stream = entry.lock())
            if (!stream->closed && stream->queue->has_handle(handle)) return stream;
    return nullptr;
}

std::shared_ptr<StreamState> DeviceState::wrap_stream(std::uintptr_t handle) {
    const auto& standard = default_stream();
    if (standard->queue->has_handle(handle)) return standard;
    if (auto known = find_stream(handle)) return known;
    auto queue = backend().wrap_queue(handle);
    // A handle may have several names (0 and 1 are CUDA's legacy stream).
    if (queue == standard->queue) return standard;
    track_streams();
    return adopt(std::move(queue), false, false, false);
}

void DeviceState::track_streams() {
    if (several_streams()) return;
    StreamState& standard = *default_stream();
    if (several_.exchange(true, std::memory_order_seq_cst)) return;
    // An operation that another thread enqueued meanwhile either is counted here or sees the flag
    // after it was counted, and registers its uses itself.
    untracked_position_.store(standard.timeline->enqueued(), std::memory_order_release);
    without_throwing("Stream", [&] { standard.timeline->keep_position_apart(); });
}

std::uint64_t DeviceState::untracked_position() const noexcept {
    std::uint64_t position = untracked_position_.load(std::memory_order_acquire);
    while (position == unset) {  // between two lines of track_streams on another thread
        std::this_thread::yield();
        position = untracked_position_.load(std::memory_order_acquire);
    }
    return position;
}

std::vector<std::shared_ptr<Timeline>> DeviceState::timelines() {
    std::vector<std::shared_ptr<Timeline>> result;
    const std::lock_guard lock(mutex_);
    for (const auto& entry : timelines_)
        if (auto timeline = entry.lock()) result.push_back(std::move(timeline));
    return result;
}

std::shared_ptr<StreamState> DeviceState::take_helper_stream() {
    std::shared_ptr<StreamState> taken;
    {
        const std::lock_guard lock(mutex_);
        if (!helpers_.empty()) {
            taken = std::move(helpers_.front());
            helpers_.erase(helpers_.begin());
        }
    }
    if (taken != nullptr && backend().done(*taken->queue)) return taken;
    if (taken != nullptr) give_helper_stream(std::move(taken));
    return make_stream({});
}

void DeviceState::give_helper_stream(std::shared_ptr<StreamState> stream) {
    const std::lock_guard lock(mutex_);
    if (helpers_.size() < 16) helpers_.push_back(std::move(stream));
}

void wait_for_event(DeviceState& waiting, QueueImpl& queue, DeviceState& device, EventImpl& event) {
    if (waiting.kind() == device.kind()) {
        waiting.backend().wait(queue, event);
        return;
    }
    // Another kind of device: a function on a queue of the other one sets a signal.
    auto signal = std::make_shared<Signal>();
    auto helper = device.take_helper_stream();
    device.backend().wait(*helper->queue, event);
    device.backend().host_function(*helper->queue, [signal] { signal->set(); });
    device.give_helper_stream(std::move(helper));
    waiting.backend().wait_signal(queue, std::move(signal));
}

void wait_for(Timeline& waiter, QueueImpl& queue, Timeline& other, std::uint64_t position) {
    if (&waiter == &other || other.known_complete(position) ||
        waiter.implicitly_ordered_with(other) || waiter.has_waited(other, position))
        return;
    other.expect_waits();
    const Marker marker = other.marker_at(position);
    if (marker.event == nullptr) return;
    wait_for_event(waiter.device(), queue, other.device(), *marker.event);
    waiter.count();
    waiter.note_wait(other, marker.position);
}

StreamState::StreamState(DeviceState& device_, std::shared_ptr<QueueImpl> queue_, bool is_default_,
                         bool owned_, bool blocking)
    : device(device_),
      queue(std::move(queue_)),
      timeline(std::make_shared<Timeline>(
          device_, queue, is_default_ && device_.kind() == DeviceKind::cuda, blocking)),
      is_default(is_default_),
      owned(owned_) {}

void StreamState::finish() {
    const std::uint64_t position = timeline->enqueued();
    device.backend().synchronize(*queue);
    timeline->complete(position);
    drop_finished();
    device.checks().look();
}

StreamState::~StreamState() {
    timeline->retire();
    if (!device.usable()) {
        // The queue's library may be gone: leak its handle rather than call it.
        (void)std::make_unique<std::shared_ptr<QueueImpl>>(queue).release();
    }
}

}  // namespace heald::core
