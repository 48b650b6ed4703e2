#pragma once

#include "src/backend/cuda/driver/types.hpp"

#include <atomic>
#include <cstdint>

namespace heald::cuda {

class Context;

/// Tells whether a launch into a queue surely returns at once, cheaply enough to be asked before
/// each one. The driver makes a launch wait when some thousand operations are ahead of the GPU. So
/// there is room as long as a marker was reached that few launches and little time ago was the
/// queue's end: less than what other streams, which may share the GPU's queue, can fill.
///
/// What one thread finds out another may overwrite: it loses time then, and never room.
class LaunchRoom {
public:
    explicit LaunchRoom(Context& context) : context_(context) {}
    ~LaunchRoom();
    LaunchRoom(const LaunchRoom&) = delete;
    LaunchRoom& operator=(const LaunchRoom&) = delete;

    /// `launches` so far. The context must be current whenever `due` says so.
    [[nodiscard]] bool answer() const noexcept { return room_.load(std::memory_order_relaxed); }
    /// True if the answer is too old.
    [[nodiscard]] bool due(std::uint64_t launches) const noexcept {
        return launches - asked_at_.load(std::memory_order_relaxed) >= launches_between ||
               ticks() - asked_time_.load(std::memory_order_relaxed) >= ticks_between;
    }
    /// Looks at the last marker and sets the next. One thread at a time, others keep the answer.
    void look(std::uint64_t launches, driver::Stream stream) noexcept;
    /// All of `launches` are done, as of before this call.
    void is_empty(std::uint64_t launches) noexcept;

private:
    // Of the time-stamp counter: 20 to 100 microseconds at 5 to 1 GHz, and four times that.
    static constexpr std::uint64_t ticks_between = 100'000;
    static constexpr std::uint64_t oldest_ticks = 4 * ticks_between;
    static constexpr std::uint64_t launches_between = 32;
    static constexpr std::uint64_t most_launches = 4 * launches_between;

    [[nodiscard]] static std::uint64_t ticks() noexcept;

    Context& context_;
    std::atomic<bool> room_{false};
    std::atomic<std::uint64_t> asked_at_{0};    ///< launches
    std::atomic<std::uint64_t> asked_time_{0};  ///< ticks

    std::atomic_flag looking_;  ///< guards what follows
    driver::Event event_ = nullptr;
    bool is_recorded_ = false;
    std::uint64_t marked_at_ = 0;  ///< of the event
    std::uint64_t marked_time_ = 0;
    std::uint64_t reached_at_ = 0;  ///< of the newest point known to be reached
    std::uint64_t reached_time_ = 0;
    bool is_reached_ = false;
};

}  // namespace heald::cuda
