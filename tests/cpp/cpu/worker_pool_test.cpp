#include "tests/cpp/cpu/kernels.hpp"

#include "src/backend/cpu/processor.hpp"
#include "src/backend/cpu/runtime_functions.hpp"
#include "src/backend/cpu/worker_pool.hpp"

#include <sched.h>
#include <chrono>
#include <csignal>
#include <set>
#include <thread>

namespace heald::cpu {
namespace {

using namespace testing;
using namespace std::chrono_literals;

TEST(WorkerPool, EndlessKernelsDoNotStopOtherQueues) {
    const auto endless = make_kernel(run_for_ever, 1), counting = make_kernel(count_blocks, 1);
    for (int round = 0; round < 30; ++round) {
        std::vector<std::shared_ptr<Queue>> stuck;
        std::atomic<int> begun{0};
        for (int i = 0; i < 3; ++i) {
            stuck.push_back(Queue::make(0));
            launch(*endless, *stuck.back(), shape(1000), &begun);
        }
        // At once, or when some of them run: workers may be on their way in either case.
        while (round % 2 == 0 && begun.load() == 0) std::this_thread::yield();
        const auto queue = Queue::make(0);
        std::atomic<std::int64_t> count{0};
        launch(*counting, *queue, shape(1000), &count);
        ASSERT_TRUE(queue->synchronize(30s)) << "round " << round;
        EXPECT_EQ(count.load(), 1000);
        for (const auto& one : stuck) {
            one->cancel();
            EXPECT_EQ(kind_of_error([&] { one->synchronize(); }), ErrorKind::cancelled);
        }
    }
}

TEST(WorkerPool, KernelsOfDifferentQueuesMayWaitForEachOther) {
    std::atomic<int> a{0}, b{0};
    const auto body = [](void* const* argv, BlockContext* context, std::byte*, std::uint64_t first,
                         std::uint64_t) {
        if (first != 0) return;
        parameter<std::atomic<int>>(argv, 0)->store(1);
        while (parameter<std::atomic<int>>(argv, 1)->load() == 0 && !cancelled(*context))
            sched_yield();
    };
    const auto kernel = make_kernel(body, 2);
    const auto one = Queue::make(0), other = Queue::make(0);
    launch(*kernel, *one, shape(4), &a, &b);
    launch(*kernel, *other, shape(4), &b, &a);
    EXPECT_TRUE(one->synchronize(30s));
    EXPECT_TRUE(other->synchronize(30s));
}

TEST(WorkerPool, BlocksMayWaitForBlocksThatBeginLater) {
    // 40 blocks that all wait for the last one: more than there are workers.
    static std::atomic<int> arrived{0};
    arrived = 0;
    const auto body = [](void* const*, BlockContext* context, std::byte*, std::uint64_t first,
                         std::uint64_t last) {
        const auto relax = reinterpret_cast<void (*)()>(runtime_function("__heald_relax"));
        for (std::uint64_t block = first; block < last; ++block) {
            arrived.fetch_add(1);
            while (arrived.load() < 40 && !cancelled(*context)) relax();
        }
    };
    const auto queue = Queue::make(0);
    launch(*make_kernel(body, 0), *queue, shape(40));
    EXPECT_TRUE(queue->synchronize(60s));
    EXPECT_EQ(arrived.load(), 40);
}

TEST(WorkerPool, QueuesShareTheWorkers) {
    // Two long grids at once: neither may take more than a few times as long as the other.
    std::atomic<std::int64_t> counts[2] = {{0}, {0}};
    const auto body = [](void* const* argv, BlockContext*, std::byte*, std::uint64_t first,
                         std::uint64_t last) {
        const auto until = std::chrono::steady_clock::now() + 200us * (last - first);
        while (std::chrono::steady_clock::now() < until) {
        }
        parameter<std::atomic<std::int64_t>>(argv, 0)->fetch_add(
            static_cast<std::int64_t>(last - first));
        static_cast<void>(first);
    };
    const auto kernel = make_kernel(body, 1);
    const auto one = Queue::make(0), other = Queue::make(0);
    launch(*kernel, *one, shape(2000), &counts[0]);
    launch(*kernel, *other, shape(500), &counts[1]);
    other->synchronize();
    EXPECT_LT(counts[0].load(), 1900);
    one->synchronize();
    EXPECT_EQ(counts[0].load(), 2000);
    EXPECT_EQ(counts[1].load(), 500);
}

TEST(WorkerPool, LeavesAffinityAndSignalsOfTheCallerAlone) {
    cpu_set_t before, after, worker;
    sched_getaffinity(0, sizeof before, &before);
    static cpu_set_t* seen = nullptr;
    static sigset_t* mask = nullptr;
    sigset_t blocked;
    seen = &worker;
    mask = &blocked;
    const auto body = [](void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
        sched_getaffinity(0, sizeof *seen, seen);
        pthread_sigmask(SIG_BLOCK, nullptr, mask);
    };
    const auto queue = Queue::make(0);
    launch(*make_kernel(body, 0), *queue, shape(1));
    queue->synchronize();
    sched_getaffinity(0, sizeof after, &after);
    EXPECT_TRUE(CPU_EQUAL(&before, &after));
    cpu_set_t common;
    CPU_AND(&common, &before, &worker);
    EXPECT_TRUE(CPU_EQUAL(&common, &worker));
    EXPECT_TRUE(sigismember(&blocked, SIGINT));
    EXPECT_TRUE(sigismember(&blocked, SIGTERM));
    EXPECT_FALSE(sigismember(&blocked, SIGSEGV));
    EXPECT_FALSE(sigismember(&blocked, SIGFPE));
}

TEST(WorkerPool, UsesSeveralWorkers) {
    if (allowance().workers < 2) GTEST_SKIP() << "one processor";
    static std::atomic<int> inside{0}, most{0};
    inside = most = 0;
    const auto body = [](void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
        const int now = inside.fetch_add(1) + 1;
        int seen = most.load();
        while (now > seen && !most.compare_exchange_weak(seen, now)) {
        }
        std::this_thread::sleep_for(5ms);
        inside.fetch_sub(1);
    };
    const auto queue = Queue::make(0);
    launch(*make_kernel(body, 0), *queue, shape(64));
    queue->synchronize();
    EXPECT_GE(most.load(), 2);
}

}  // namespace
}  // namespace heald::cpu
