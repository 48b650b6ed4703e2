#pragma once

#include "src/base/fork.hpp"
#include "src/core/timeline.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace heald::core {

class DeviceState;
class StreamState;

/// What kernels found wrong, and the host learns at its next synchronisation: each has a word of
/// pinned memory, into which it writes if there is something to say.
class DeviceChecks {
public:
    static constexpr std::int64_t nothing = INT64_MIN;
    /// Throws an Error about what the kernel wrote.
    using Fail = std::function<void(std::int64_t)>;

    explicit DeviceChecks(DeviceState& device) : device_(device) {}

    /// A word for a kernel, holding `nothing`.
    [[nodiscard]] std::int64_t* take_word();
    /// The kernel with this word was just enqueued: `fail` is called once it is done, if it wrote.
    void watch(std::int64_t* word, StreamState& stream, Fail fail);

    /// Looks at kernels that are done. Throws what the first that found something says; the others
    /// are kept for the next call.
    void look() {
        if (count_.load(std::memory_order_relaxed) != 0) [[unlikely]]
            look_at_each();
    }

private:
    struct Check {
        std::int64_t* word = nullptr;
        std::shared_ptr<Timeline> timeline;
        std::uint64_t position = 0;
        Fail fail;
    };

    void look_at_each();

    DeviceState& device_;
    std::atomic<std::size_t> count_{0};
    ForkMutex mutex_;  ///< guards what follows
    std::vector<std::int64_t*> free_;
    std::vector<Check> checks_;
};

}  // namespace heald::core
