#pragma once

#include "src/backend/cuda/driver/types.hpp"

#include <mutex>
#include <vector>

namespace heald::cuda {

class Context;

/// Events without timing for heald's own bookkeeping, reused.
class EventPool {
public:
    explicit EventPool(Context& context) : context_(context) {}

    /// An event recorded on `stream`. The context must be current.
    [[nodiscard]] driver::Event record(driver::Stream stream);
    void give_back(driver::Event event) noexcept;

private:
    Context& context_;
    std::mutex mutex_;
    std::vector<driver::Event> free_;
};

}  // namespace heald::cuda
