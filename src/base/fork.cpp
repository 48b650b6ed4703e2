#include "src/base/fork.hpp"

#include <atomic>
#include <pthread.h>

namespace heald {
namespace {

constinit std::atomic<std::uint64_t> generation{0};

[[maybe_unused]] const int registered = pthread_atfork(
    nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });

}  // namespace

std::uint64_t fork_generation() noexcept { return generation.load(std::memory_order_relaxed); }

}  // namespace heald
