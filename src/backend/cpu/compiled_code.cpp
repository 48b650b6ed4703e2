#include "src/backend/cpu/compiled_code.hpp"

#include "src/backend/cpu/loader.hpp"
#include "src/backend/cpu/spin_lock.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace heald::cpu {
namespace {

struct Range {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};
};

constinit std::array<Range, 32> ranges{};
constinit std::atomic<std::size_t> used{0};
constinit SpinLock adding;

}  // namespace

void add_callable_range(const void* begin, const void* end) noexcept {
    const std::lock_guard hold(adding);
    const std::size_t index = used.load(std::memory_order_relaxed);
    if (index == ranges.size()) return;
    ranges[index].begin.store(reinterpret_cast<std::uintptr_t>(begin), std::memory_order_relaxed);
    ranges[index].end.store(reinterpret_cast<std::uintptr_t>(end), std::memory_order_relaxed);
    used.store(index + 1, std::memory_order_release);
}

bool in_compiled_code(const void* address) noexcept {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    const std::size_t count = used.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < count; ++i)
        if (value >= ranges[i].begin.load(std::memory_order_relaxed) &&
            value < ranges[i].end.load(std::memory_order_relaxed))
            return true;
    return in_loaded_code(address);
}

}  // namespace heald::cpu
