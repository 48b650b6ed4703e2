#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace heald::cuda {

/// Blocks of device memory that were released on one queue and may be used again there at once,
/// since the queue is ordered: saves the driver's call for allocations that come and go. Holds
/// little; the driver's pool holds the rest.
class FreeList {
public:
    static constexpr std::size_t largest_block = std::size_t{64} << 20;
    static constexpr std::size_t most_bytes = std::size_t{256} << 20;

    /// The size that a request is rounded up to, so that near sizes share blocks: multiples of 512
    /// bytes, and of an eighth of the next lower power of two from 8 KiB on.
    [[nodiscard]] static std::size_t rounded(std::size_t bytes) noexcept;

    /// A block of exactly `size` bytes (rounded), or null.
    [[nodiscard]] void* take(std::size_t size) noexcept;

    /// False if the block is not wanted: the caller gives it to the driver.
    [[nodiscard]] bool put(void* block, std::size_t size) noexcept;

    /// Takes everything out.
    [[nodiscard]] std::vector<void*> clear();

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    mutable std::mutex mutex_;
    std::unordered_map<std::size_t, std::vector<void*>> blocks_;
    std::size_t bytes_ = 0;
};

}  // namespace heald::cuda
