#pragma once

#include <heald/kernel.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace heald::cuda {

/// The last launches of one queue, for the message after a fault. Cheap to write: no lock, no
/// allocation. Readers may see a record that a writer is just replacing.
class LaunchLog {
public:
    static constexpr std::uint64_t capacity = 64;

    /// `kernel` must live as long as the process (intern_name).
    void add(const char* kernel, const LaunchSite& site) noexcept {
        Record& record = ring_[next_.fetch_add(1, std::memory_order_relaxed) % capacity];
        record.kernel.store(kernel, std::memory_order_relaxed);
        record.file.store(site.file, std::memory_order_relaxed);
        record.line.store(site.line, std::memory_order_relaxed);
    }

    /// Number of launches so far: a mark for done_until.
    [[nodiscard]] std::uint64_t mark() const noexcept {
        return next_.load(std::memory_order_relaxed);
    }
    void done_until(std::uint64_t mark) noexcept { done_.store(mark, std::memory_order_relaxed); }

    /// "'scale' (demo.py:12)", newest first; `more` counts those that do not fit.
    [[nodiscard]] std::vector<std::string> unfinished(std::uint64_t& more) const;

private:
    struct Record {
        std::atomic<const char*> kernel{nullptr};
        std::atomic<const char*> file{nullptr};
        std::atomic<int> line{0};
    };

    std::array<Record, capacity> ring_{};
    std::atomic<std::uint64_t> next_{0};
    std::atomic<std::uint64_t> done_{0};
};

/// "'scale' (demo.py:12)".
[[nodiscard]] std::string describe_launch(const char* kernel, const LaunchSite& site);

/// One copy of `name` that lives as long as the process.
[[nodiscard]] const char* intern_name(const std::string& name);

}  // namespace heald::cuda
