#pragma once

#include "src/backend/cpu/size_class.hpp"
#include "src/backend/cpu/spin_lock.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

namespace heald::cpu {

/// The device's memory: host blocks aligned to 256 bytes, kept for reuse by size class. Large
/// blocks are mappings of their own in huge pages where they pay; their end meets a page that
/// faults, so that a kernel that runs past it fails instead of corrupting its neighbour.
class HostMemory {
public:
    /// The process's, never destroyed.
    static HostMemory& instance();

    /// Throws Error(out_of_memory) after giving back what is kept.
    [[nodiscard]] void* allocate(std::size_t bytes);
    /// `bytes` as it was allocated. Nothing uses the block any more.
    void deallocate(void* data, std::size_t bytes) noexcept;

    [[nodiscard]] std::size_t cached_bytes() const noexcept {
        return cached_.load(std::memory_order_relaxed);
    }
    void trim(std::size_t keep_bytes) noexcept;

    void before_fork() noexcept { lock_.lock(); }
    void after_fork() noexcept { lock_.unlock(); }

private:
    HostMemory();
    [[nodiscard]] void* take_cached(const SizeClass& size) noexcept;

    const std::size_t most_cached_;
    std::atomic<std::size_t> cached_{0};
    SpinLock lock_;
    std::array<std::vector<void*>, 64 * SizeClass::steps> free_;  // by class index
};

}  // namespace heald::cpu
