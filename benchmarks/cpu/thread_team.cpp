#include "benchmarks/cpu/thread_team.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>

namespace bench {
namespace {

constexpr int spins = 20000;

void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

/// The n-th processor that this process may use.
void pin(pthread_t thread, int n) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed) || n-- != 0) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        pthread_setaffinity_np(thread, sizeof one, &one);
        return;
    }
}

}  // namespace

ThreadTeam::ThreadTeam(int threads) {
    for (int worker = 1; worker < threads; ++worker) {
        threads_.emplace_back([this, worker] { work(worker); });
        pin(threads_.back().native_handle(), worker);
    }
}

ThreadTeam::~ThreadTeam() {
    stop_ = true;
    ++round_;
    round_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void ThreadTeam::run(int items, int grain, const std::function<void(int, int, int)>& body) {
    body_ = &body;
    items_ = items;
    grain_ = grain;
    next_ = 0;
    busy_ = static_cast<int>(threads_.size());
    ++round_;
    round_.notify_all();
    take_parts(0);
    while (busy_.load(std::memory_order_acquire) != 0) relax();
}

void ThreadTeam::work(int worker) {
    std::uint32_t seen = 0;
    while (true) {
        for (int i = 0; i < spins && round_.load(std::memory_order_acquire) == seen; ++i) relax();
        round_.wait(seen);
        seen = round_;
        if (stop_) return;
        take_parts(worker);
        busy_.fetch_sub(1, std::memory_order_release);
    }
}

void ThreadTeam::take_parts(int worker) {
    if (grain_ == 0) {
        const auto part = [&](int w) {
            return static_cast<int>(static_cast<std::int64_t>(items_) * w / size());
        };
        (*body_)(part(worker), part(worker + 1), worker);
        return;
    }
    for (int begin; (begin = next_.fetch_add(grain_)) < items_;)
        (*body_)(begin, std::min(begin + grain_, items_), worker);
}

}  // namespace bench
