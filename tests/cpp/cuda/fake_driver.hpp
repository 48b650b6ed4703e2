#pragma once

// The control side of fake_driver/, a stand-in for libcuda.so.1 that works over host memory:
// streams run inline, launches are recorded. It holds up no claim about a GPU, only about what
// heald asks the driver for and how it takes the answers.

#include "src/backend/cuda/driver/types.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace heald::cuda::fake {

struct Launch {
    std::string kernel;
    unsigned grid[3] = {};
    unsigned block[3] = {};
    unsigned shared = 0;
    bool by_graph = false;
    bool cooperative = false;
    unsigned cluster[3] = {};
    int priority = 0;
    std::vector<std::string> arguments;  ///< bytes
    driver::Stream stream = nullptr;
};

struct Control {
    std::recursive_mutex mutex;

    // What the tests set.
    int device_count = 2;
    driver::Result init_result = driver::Result::success;
    std::size_t memory_limit = std::size_t{1} << 30;
    std::map<std::string, driver::Result> fail_next;  ///< by entry point, once
    driver::Result sticky = driver::Result::success;  ///< what every call says from now on
    bool hold = false;       ///< work is not done: events and streams recorded now stay pending
    bool capturing = false;  ///< of every stream
    std::map<std::string, std::vector<std::size_t>> parameter_sizes;  ///< by kernel
    std::map<std::string, std::size_t> globals;                       ///< name and size
    std::map<std::string, std::function<void(void**)>> bodies;        ///< by kernel
    double microseconds_per_event = 1;  ///< distance of two recorded events

    // What they look at.
    std::map<std::string, int> calls;  ///< by entry point
    std::vector<Launch> launches;
    std::size_t bytes_in_use = 0;
    std::size_t bytes_cached = 0;
    std::size_t largest_cached = 0;
    // Counted by threads of heald's while a test looks.
    std::atomic<int> graphs_alive = 0;
    std::atomic<int> modules_alive = 0;
    std::atomic<int> streams_alive = 0;
    std::atomic<int> events_alive = 0;
    int contexts_pushed = 0;  ///< minus popped

    [[nodiscard]] int count(const std::string& entry) {
        const std::lock_guard lock(mutex);
        return calls[entry];
    }
    void set_hold(bool value) {
        const std::lock_guard lock(mutex);
        hold = value;
    }
};

}  // namespace heald::cuda::fake

/// Exported by the fake.
extern "C" heald::cuda::fake::Control* heald_fake_control();
