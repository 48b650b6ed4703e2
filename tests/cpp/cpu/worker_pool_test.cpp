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
    // A short grid behind a long one: it must not wait for the end of that.
    struct Grids {
        std::atomic<std::int64_t> done[2] = {{0}, {0}};
        std::atomic<std::int64_t> long_when_short_ended{-1};
    } grids;
    static constexpr std::int64_t long_blocks = 2000, short_blocks = 500;
    const auto spend = [](std::int64_t blocks) {
        const auto until = std::chrono::steady_clock::now() + 200us * blocks;
        while (std::chrono::steady_clock::now() < until) {
        }
    };
    static const auto spend_time = spend;
    const auto long_body = [](void* const* argv, BlockContext*, std::byte*, std::uint64_t first,
                              std::uint64_t last) {
        const auto blocks = static_cast<std::int64_t>(last - first);
        spend_time(blocks);
        parameter<Grids>(argv, 0)->done[0].fetch_add(blocks);
    };
    const auto short_body = [](void* const* argv, BlockContext*, std::byte*, std::uint64_t first,
                               std::uint64_t last) {
        const auto blocks = static_cast<std::int64_t>(last - first);
        spend_time(blocks);
        Grids& all = *parameter<Grids>(argv, 0);
        if (all.done[1].fetch_add(blocks) + blocks == short_blocks)
            all.long_when_short_ended = all.done[0].load();
    };
    const auto one = Queue::make(0), other = Queue::make(0);
    launch(*make_kernel(long_body, 1), *one, shape(long_blocks), &grids);
    launch(*make_kernel(short_body, 1), *other, shape(short_blocks), &grids);
    other->synchronize();
    one->synchronize();
    EXPECT_EQ(grids.done[0].load(), long_blocks);
    EXPECT_EQ(grids.done[1].load(), short_blocks);
    EXPECT_GE(grids.long_when_short_ended.load(), 0);
    EXPECT_LT(grids.long_when_short_ended.load(), long_blocks * 9 / 10);
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
