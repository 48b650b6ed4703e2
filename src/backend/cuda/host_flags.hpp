#pragma once

#include "src/backend/cuda/driver/types.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace heald::cuda {

class Context;

/// Words of pinned memory that streams wait for: a stream stands still without holding a thread of
/// the driver's, so that any number of streams can wait for the host, or for each other through it.
class HostFlags {
public:
    using Word = std::uint32_t;

    explicit HostFlags(Context& context) : context_(context) {}

    /// True if streams of this device can wait for memory. The context must be current.
    [[nodiscard]] bool supported(driver::Stream stream);

    /// A word that is not set yet.
    [[nodiscard]] Word* take();
    /// Later work in `stream` waits until the word is set; then the word goes back.
    void wait_in(driver::Stream stream, Word* word);
    /// From any thread, without a driver call.
    static void set(Word* word) noexcept {
        std::atomic_ref<Word>(*word).store(1, std::memory_order_seq_cst);
    }

private:
    [[nodiscard]] driver::Result enqueue_wait(driver::Stream stream, Word* word);

    Context& context_;
    std::mutex mutex_;
    std::vector<Word*> free_;
    std::optional<bool> supported_;
};

}  // namespace heald::cuda
