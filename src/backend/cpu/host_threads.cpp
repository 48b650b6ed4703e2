#include "src/backend/cpu/host_threads.hpp"

#include "src/backend/cpu/futex.hpp"
#include "src/backend/cpu/processor.hpp"
#include "src/backend/cpu/spin_lock.hpp"
#include "src/backend/cpu/thread_start.hpp"
#include "src/base/check.hpp"

#include <chrono>
#include <deque>
#include <mutex>

namespace heald::cpu {
namespace {

// Host functions of different streams may wait for each other; beyond this many they take turns.
constexpr unsigned most_threads = 64;
constexpr auto idle_time = std::chrono::seconds(2);

struct HostThreads {
    SpinLock lock;
    std::deque<std::function<void()>> jobs;
    unsigned threads = 0;
    unsigned idle = 0;
    WaitList offered;
    std::atomic<std::uint32_t> waiting_jobs{0};
};

HostThreads* the_threads = nullptr;
constinit SpinLock making;

HostThreads& instance() {
    const std::lock_guard hold(making);
    if (the_threads == nullptr) the_threads = new HostThreads;
    return *the_threads;
}

constinit thread_local bool inside = false;

void serve(HostThreads& pool) {
    for (;;) {
        std::function<void()> job;
        {
            const std::lock_guard hold(pool.lock);
            if (!pool.jobs.empty()) {
                job = std::move(pool.jobs.front());
                pool.jobs.pop_front();
                pool.waiting_jobs.fetch_sub(1, std::memory_order_seq_cst);
            } else {
                ++pool.idle;
            }
        }
        if (job) {
            job();
            continue;
        }
        const bool more = pool.offered.wait(
            [&] { return pool.waiting_jobs.load(std::memory_order_seq_cst) != 0; }, idle_time);
        const std::lock_guard hold(pool.lock);
        --pool.idle;
        if (more || !pool.jobs.empty()) continue;
        --pool.threads;
        return;
    }
}

}  // namespace

void run_on_host_thread(std::function<void()> job) {
    HostThreads& pool = instance();
    bool start = false;
    {
        const std::lock_guard hold(pool.lock);
        pool.jobs.push_back(std::move(job));
        start = pool.waiting_jobs.fetch_add(1, std::memory_order_seq_cst) >= pool.idle &&
                pool.threads < most_threads;
        if (start) ++pool.threads;
    }
    if (!start) return pool.offered.notify_all();
    try {
        start_thread("heald-host", allowance().cpus, [&pool] { serve(pool); });
    } catch (...) {
        const std::lock_guard hold(pool.lock);
        --pool.threads;
        if (pool.threads != 0 || pool.jobs.empty()) return;  // the others will come to it
        pool.jobs.pop_back();
        pool.waiting_jobs.fetch_sub(1, std::memory_order_seq_cst);
        throw;
    }
}

bool in_host_function() noexcept {
    return inside;
}

void refuse_in_host_function() {
    HEALD_EXPECTS(
        !inside, device,
        "[host function] a function that runs on a stream may not use cpu: "
        "it would wait for itself. Hand the work to another thread, or enqueue it after the "
        "stream is synchronised");
}

HostFunctionScope::HostFunctionScope() noexcept {
    inside = true;
}
HostFunctionScope::~HostFunctionScope() {
    inside = false;
}

void host_threads_before_fork() noexcept {
    making.lock();
    if (the_threads != nullptr) the_threads->lock.lock();
}

void host_threads_after_fork_in_parent() noexcept {
    if (the_threads != nullptr) the_threads->lock.unlock();
    making.unlock();
}

void host_threads_after_fork_in_child() noexcept {
    the_threads = nullptr;  // its threads and jobs are the parent's
    making.unlock();
}

}  // namespace heald::cpu
