#include "src/backend/cpu/host_memory.hpp"

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/backend/cpu/system_memory.hpp"
#include "src/base/check.hpp"

#include <sys/mman.h>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>

namespace heald::cpu {
namespace {

constexpr std::size_t guard_bytes = SizeClass::page;
constexpr std::size_t huge_from = std::size_t{4} << 20;

// Asking the system how much there is costs tens of microseconds: only for what may exhaust it.
constexpr std::size_t ask_from = std::size_t{64} << 20;

bool is_small(std::size_t bytes) noexcept {
    return bytes <= largest_small_block;
}

/// The block that holds `bytes` bytes: small ones begin with it, large ones end with it.
std::byte* data_of(void* block, std::size_t bytes, const SizeClass& size) noexcept {
    auto* begin = static_cast<std::byte*>(block);
    if (is_small(bytes)) return begin;
    const std::size_t used = (bytes + arena_alignment - 1) / arena_alignment * arena_alignment;
    return begin + (size.bytes - used);
}

std::byte* block_of(void* data, std::size_t bytes, const SizeClass& size) noexcept {
    auto* address = static_cast<std::byte*>(data);
    return is_small(bytes)
               ? address
               : address - (data_of(nullptr, bytes, size) - static_cast<std::byte*>(nullptr));
}

void* obtain(const SizeClass& size, bool small) noexcept {
    if (small) return std::aligned_alloc(arena_alignment, size.bytes);
    void* mapping = mmap(nullptr, size.bytes + 2 * guard_bytes, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) return nullptr;
    auto* block = static_cast<std::byte*>(mapping) + guard_bytes;
    if (mprotect(block, size.bytes, PROT_READ | PROT_WRITE) != 0) {
        munmap(mapping, size.bytes + 2 * guard_bytes);
        return nullptr;
    }
    if (size.bytes >= huge_from) madvise(block, size.bytes, MADV_HUGEPAGE);
    return block;
}

void give_back(void* block, std::size_t class_bytes, bool small) noexcept {
    if (small)
        std::free(block);
    else
        munmap(static_cast<std::byte*>(block) - guard_bytes, class_bytes + 2 * guard_bytes);
}

std::size_t index_of(const SizeClass& size) noexcept {
    return size.index;
}

/// The size of the blocks of a class.
std::size_t bytes_of(std::size_t index) noexcept {
    if (index == 0) return SizeClass::smallest;
    const std::size_t power = index / SizeClass::steps;
    const std::size_t base = std::size_t{1} << power;
    return base + base / SizeClass::steps * (index % SizeClass::steps);
}

}  // namespace

HostMemory& HostMemory::instance() {
    static HostMemory& memory = *new HostMemory;
    return memory;
}

HostMemory::HostMemory()
    : most_cached_(std::max(std::size_t{256} << 20, system_memory().total / 8)) {}

void* HostMemory::take_cached(const SizeClass& size) noexcept {
    const std::lock_guard hold(lock_);
    auto& list = free_[index_of(size)];
    if (list.empty()) return nullptr;
    void* block = list.back();
    list.pop_back();
    cached_.fetch_sub(size.bytes, std::memory_order_relaxed);
    return block;
}

void* HostMemory::allocate(std::size_t bytes) {
    if (bytes == 0) return nullptr;
    HEALD_EXPECTS(bytes <= std::size_t{1} << 47, out_of_memory, "[Buffer] ", bytes,
                  " bytes are more than a process can address");
    const SizeClass size = SizeClass::of(bytes);
    void* block = take_cached(size);
    if (block == nullptr && size.bytes >= ask_from && size.bytes > system_memory().available) {
        trim(0);
        const std::size_t available = system_memory().available;
        HEALD_EXPECTS(size.bytes <= available, out_of_memory, "[Buffer] ", bytes,
                      " bytes asked for, ", available, " bytes of memory are free");
    }
    if (block == nullptr) block = obtain(size, is_small(bytes));
    if (block == nullptr) {
        trim(0);
        block = obtain(size, is_small(bytes));
    }
    HEALD_EXPECTS(block != nullptr, out_of_memory, "[Buffer] the system has no ", bytes,
                  " bytes of memory");
    return data_of(block, bytes, size);
}

void HostMemory::deallocate(void* data, std::size_t bytes) noexcept {
    if (data == nullptr) return;
    const SizeClass size = SizeClass::of(bytes);
    void* block = block_of(data, bytes, size);
    if (cached_.load(std::memory_order_relaxed) + size.bytes <= most_cached_) {
        try {
            const std::lock_guard hold(lock_);
            free_[index_of(size)].push_back(block);
            cached_.fetch_add(size.bytes, std::memory_order_relaxed);
            return;
        } catch (const std::bad_alloc&) {
            // Not kept, then.
        }
    }
    give_back(block, size.bytes, is_small(bytes));
}

void HostMemory::trim(std::size_t keep_bytes) noexcept {
    // The largest first: they are few, and mapping them anew costs least per byte.
    for (std::size_t index = free_.size(); index-- > 0;) {
        for (;;) {
            void* block = nullptr;
            {
                const std::lock_guard hold(lock_);
                if (cached_.load(std::memory_order_relaxed) <= keep_bytes) return;
                if (free_[index].empty()) break;
                block = free_[index].back();
                free_[index].pop_back();
                cached_.fetch_sub(bytes_of(index), std::memory_order_relaxed);
            }
            give_back(block, bytes_of(index), bytes_of(index) <= largest_small_block);
        }
    }
}

}  // namespace heald::cpu
