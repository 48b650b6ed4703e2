#pragma once

#include "src/core/device_state.hpp"

#include <atomic>
#include <memory>
#include <optional>

namespace heald::core {

/// An event and what it was last recorded at.
class EventState {
public:
    struct Recorded {
        std::shared_ptr<Timeline> timeline;
        std::uint64_t position = 0;
    };

    EventState(DeviceState& device_, bool timing_)
        : device(device_), timing(timing_), impl(device_.backend().make_event(timing_)) {}
    ~EventState();

    /// nullopt before the first record.
    [[nodiscard]] std::optional<Recorded> recorded() const {
        const std::lock_guard lock(mutex_);
        return recorded_;
    }
    void set_recorded(Recorded recorded) {
        const std::lock_guard lock(mutex_);
        recorded_ = std::move(recorded);
    }

    DeviceState& device;
    const bool timing;
    std::shared_ptr<EventImpl> impl;
    std::atomic<bool> closed{false};

private:
    mutable ForkMutex mutex_;
    std::optional<Recorded> recorded_;
};

}  // namespace heald::core
