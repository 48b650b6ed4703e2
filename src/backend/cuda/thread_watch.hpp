#pragma once

#include <atomic>
#include <cstdint>

namespace heald::cuda {

/// Notices whether the launches of a device come from one thread or from several. Threads that
/// launch at once write what they share only now and then.
class ThreadWatch {
public:
    /// Counts a launch of this thread; true if the last few dozen were all its own.
    [[nodiscard]] bool alone() noexcept {
        State& mine = state();
        if (last_.load(std::memory_order_relaxed) == mine.id) [[likely]]
            return mine.quiet >= enough || ++mine.quiet >= enough;
        mine.quiet = 0;
        if (mine.others++ % write_every == 0) last_.store(mine.id, std::memory_order_relaxed);
        return false;
    }

private:
    static constexpr std::uint32_t enough = 64;
    static constexpr std::uint32_t write_every = 32;

    struct State {
        std::uint32_t id = 0;
        std::uint32_t quiet = 0;   ///< launches since another thread's was seen
        std::uint32_t others = 0;  ///< launches that followed another thread's
    };
    static State& state() noexcept {
        static std::atomic<std::uint32_t> next{1};
        thread_local State mine{next.fetch_add(1, std::memory_order_relaxed)};
        return mine;
    }

    alignas(64) std::atomic<std::uint32_t> last_{0};
};

}  // namespace heald::cuda
