#include "tests/cpp/cpu/kernels.hpp"

#include "src/backend/cpu/host_operation.hpp"
#include "src/backend/cpu/host_threads.hpp"
#include "src/backend/cpu/runtime_functions.hpp"
#include "src/backend/cpu/transfer.hpp"

#include <unistd.h>
#include <chrono>
#include <fstream>
#include <thread>
#include <vector>

namespace heald::cpu {
namespace {

using namespace testing;
using namespace std::chrono_literals;

std::size_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t total = 0, resident = 0;
    file >> total >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Checks that launch i sees the value that launch i - 1 left.
struct Sequence {
    std::int64_t value = 0;  // not atomic: order alone protects it
    bool right = true;
};

struct Step {
    Sequence* sequence;
    std::int64_t expected;
};

void step(void* const* argv, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
    const Step* self = parameter<Step>(argv, 0);
    self->sequence->right = self->sequence->right && self->sequence->value == self->expected;
    self->sequence->value = self->expected + 1;
}

TEST(Queue, RunsLaunchesCopiesAndHostFunctionsInOrder) {
    const auto queue = Queue::make(0);
    const auto quick = make_kernel(step, 1, true), slow = make_kernel(step, 1, false);
    Sequence sequence;
    std::vector<Step> steps(3000);
    for (std::int64_t i = 0; i < 3000; ++i) {
        steps[i] = {&sequence, i};
        if (i % 97 == 5) {
            enqueue_host_function(*queue, [&sequence, i] {
                sequence.right = sequence.right && sequence.value == i;
                sequence.value = i + 1;
            });
        } else if (i % 31 == 7) {
            steps[i].expected = i + 1;
            enqueue_copy(&sequence.value, &steps[i].expected, sizeof(std::int64_t), *queue,
                         nullptr);
        } else {
            launch(i % 3 ? *quick : *slow, *queue, shape(1), &steps[i]);
        }
    }
    queue->synchronize();
    EXPECT_TRUE(sequence.right);
    EXPECT_EQ(sequence.value, 3000);
}

TEST(Queue, KeepsTheOrderOfEachThreadThatUsesIt) {
    const auto queue = Queue::make(0);
    constexpr int threads = 8, launches = 2000;
    struct Mine {
        std::int64_t seen = -1;
        bool right = true;
    };
    std::vector<Mine> mine(threads);
    static std::atomic<int> inside{0};
    static std::atomic<bool> overlapped{false};
    const auto body = [](void* const* argv, BlockContext*, std::byte*, std::uint64_t,
                         std::uint64_t) {
        if (inside.fetch_add(1) != 0) overlapped = true;
        Mine* m = parameter<Mine>(argv, 0);
        const auto number = reinterpret_cast<std::intptr_t>(parameter<void>(argv, 1));
        m->right = m->right && number == m->seen + 1;
        m->seen = number;
        inside.fetch_sub(1);
    };
    const auto quick = make_kernel(body, 2, true), slow = make_kernel(body, 2, false);
    std::vector<std::thread> users;
    for (int t = 0; t < threads; ++t)
        users.emplace_back([&, t] {
            for (std::intptr_t i = 0; i < launches; ++i) {
                launch((i + t) % 4 ? *quick : *slow, *queue, shape(1), &mine[t],
                       reinterpret_cast<char*>(i));
                if (i % 500 == 499) queue->synchronize();
            }
            queue->synchronize();
        });
    for (auto& user : users) user.join();
    EXPECT_FALSE(overlapped);
    for (const Mine& m : mine) {
        EXPECT_TRUE(m.right);
        EXPECT_EQ(m.seen, launches - 1);
    }
}

TEST(Queue, RunsEveryBlockOnce) {
    const auto queue = Queue::make(0);
    std::vector<std::atomic<std::int64_t>> counts(4);
    const auto kernel = make_kernel(count_blocks, 1);
    const std::uint32_t grids[] = {1, 7, 1000, 100003};
    for (int i = 0; i < 4; ++i) launch(*kernel, *queue, shape(grids[i]), &counts[i]);
    queue->synchronize();
    for (int i = 0; i < 4; ++i) EXPECT_EQ(counts[i].load(), grids[i]);
}

TEST(Queue, LaunchReturnsBeforeALongKernelEnds) {
    const auto queue = Queue::make(0);
    std::atomic<int> begun{0};
    const auto kernel = make_kernel(run_for_ever, 1);
    launch(*kernel, *queue, shape(1), &begun);
    EXPECT_FALSE(queue->done());
    EXPECT_FALSE(queue->synchronize(20ms));
    queue->cancel();
    EXPECT_EQ(kind_of_error([&] { queue->synchronize(); }), ErrorKind::cancelled);
    EXPECT_TRUE(queue->done());
    EXPECT_NO_THROW(queue->synchronize());
}

TEST(Queue, CancelDropsWhatWaitsAndLaterWorkRuns) {
    const auto queue = Queue::make(0);
    std::atomic<int> begun{0};
    std::atomic<std::int64_t> dropped{0}, later{0};
    bool host_ran = false;
    launch(*make_kernel(run_for_ever, 1), *queue, shape(4), &begun);
    const auto counting = make_kernel(count_blocks, 1);
    for (int i = 0; i < 100; ++i) launch(*counting, *queue, shape(10), &dropped);
    enqueue_host_function(*queue, [&] { host_ran = true; });
    while (begun.load() == 0) std::this_thread::sleep_for(1ms);
    queue->cancel();
    launch(*counting, *queue, shape(10), &later);
    EXPECT_EQ(kind_of_error([&] { queue->synchronize(); }), ErrorKind::cancelled);
    EXPECT_EQ(dropped.load(), 0);
    EXPECT_FALSE(host_ran);
    EXPECT_EQ(later.load(), 10);
}

TEST(Queue, WhatFollowsACancelOrAFailureIsNotAskedToStop) {
    const auto body = [](void* const* argv, BlockContext* context, std::byte*, std::uint64_t,
                         std::uint64_t) { *parameter<int>(argv, 0) = cancelled(*context) ? 2 : 1; };
    const auto fault_at_once = make_kernel(
        [](void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
            reinterpret_cast<void (*)(unsigned, unsigned, unsigned)>(
                runtime_function("__heald_trap"))(0, 0, 0);
        },
        0);
    const auto queue = Queue::make(0);
    for (const bool fails : {true, false})
        for (const bool on_the_spot : {true, false}) {
            std::atomic<int> begun{0};
            if (fails) {
                launch(*fault_at_once, *queue, shape(4));
            } else {
                launch(*make_kernel(run_for_ever, 1), *queue, shape(4), &begun);
                while (begun.load() == 0) std::this_thread::sleep_for(1ms);
                queue->cancel();
            }
            EXPECT_EQ(kind_of_error([&] { queue->synchronize(); }),
                      fails ? ErrorKind::kernel_fault : ErrorKind::cancelled);
            while (!queue->done()) std::this_thread::yield();
            std::this_thread::sleep_for(1ms);
            int result = 0;
            launch(*make_kernel(body, 1, on_the_spot), *queue, shape(1), &result);
            queue->synchronize();
            EXPECT_EQ(result, 1);
        }
}

TEST(Queue, CancelOfAnIdleQueueIsNoError) {
    const auto queue = Queue::make(0);
    queue->cancel();
    std::atomic<std::int64_t> count{0};
    launch(*make_kernel(count_blocks, 1), *queue, shape(3), &count);
    EXPECT_NO_THROW(queue->synchronize());
    EXPECT_EQ(count.load(), 3);
}

TEST(Queue, ErrorOfAHostFunctionIsRaisedOnceAndLaterWorkRuns) {
    const auto queue = Queue::make(0);
    bool ran = false;
    enqueue_host_function(*queue, [] { throw std::runtime_error("no such luck"); });
    enqueue_host_function(*queue, [&] { ran = true; });
    std::string text;
    EXPECT_EQ(kind_of_error([&] { queue->synchronize(); }, &text), ErrorKind::device);
    EXPECT_NE(text.find("no such luck"), std::string::npos);
    EXPECT_TRUE(ran);
    EXPECT_NO_THROW(queue->synchronize());
}

TEST(Queue, HostFunctionsRunOnAMarkedThread) {
    const auto queue = Queue::make(0);
    bool marked = false;
    std::thread::id id;
    enqueue_host_function(*queue, [&] {
        marked = in_host_function();
        id = std::this_thread::get_id();
    });
    queue->synchronize();
    EXPECT_TRUE(marked);
    EXPECT_FALSE(in_host_function());
    EXPECT_NE(id, std::this_thread::get_id());
}

TEST(Queue, FullBehindAHostFunctionDoesNotBlockTheLauncher) {
    const auto queue = Queue::make(0);
    std::atomic<bool> released{false};
    enqueue_host_function(*queue, [&] {
        while (!released) std::this_thread::sleep_for(1ms);
    });
    std::atomic<std::int64_t> count{0};
    const auto kernel = make_kernel(count_blocks, 1);
    for (int i = 0; i < 60000; ++i) launch(*kernel, *queue, shape(1), &count);
    released = true;  // only now: a launch that waited for room would have waited for ever
    queue->synchronize();
    EXPECT_EQ(count.load(), 60000);
}

TEST(Queue, HostFunctionsOfTwoQueuesMayWaitForEachOther) {
    const auto a = Queue::make(0), b = Queue::make(0);
    std::atomic<int> met{0};
    const auto meet = [&] {
        met.fetch_add(1);
        while (met.load() < 2) std::this_thread::yield();
    };
    enqueue_host_function(*a, meet);
    enqueue_host_function(*b, meet);
    a->synchronize();
    b->synchronize();
    EXPECT_EQ(met.load(), 2);
}

TEST(Queue, ThousandsAreCheap) {
    std::vector<std::shared_ptr<Queue>> queues;
    const std::size_t before = resident_bytes();
    for (int i = 0; i < 10000; ++i) queues.push_back(Queue::make(0));
    std::atomic<std::int64_t> count{0};
    const auto kernel = make_kernel(count_blocks, 1);
    for (int round = 0; round < 3; ++round)
        for (const auto& queue : queues) launch(*kernel, *queue, shape(2), &count);
    for (const auto& queue : queues) queue->synchronize();
    EXPECT_EQ(count.load(), 60000);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(resident_bytes(), before + (std::size_t{64} << 20));
#else
    static_cast<void>(before);
#endif
}

TEST(Queue, GoesOnAfterItsHandleIsGone) {
    std::atomic<std::int64_t> count{0};
    const auto kernel = make_kernel(count_blocks, 1);
    const auto last = Queue::make(0);
    for (int i = 0; i < 200; ++i) {
        const auto queue = Queue::make(0);
        for (int j = 0; j < 10; ++j) launch(*kernel, *queue, shape(3), &count);
    }
    for (int i = 0; i < 2000 && count.load() < 6000; ++i) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(count.load(), 6000);
}

TEST(Queue, AMillionLaunchesLeaveMemoryFlat) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    constexpr int launches = 50000;
#else
    constexpr int launches = 1000000;
#endif
    const auto queue = Queue::make(0);
    std::atomic<std::int64_t> count{0};
    const auto kernel = make_kernel(count_blocks, 1), quick = make_kernel(count_blocks, 1, true);
    const auto run = [&](int n) {
        for (int i = 0; i < n; ++i) launch(i % 2 ? *kernel : *quick, *queue, shape(1), &count);
        queue->synchronize();
    };
    run(20000);
    const std::size_t before = resident_bytes();
    run(launches);
    EXPECT_EQ(count.load(), launches + 20000);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(resident_bytes(), before + (std::size_t{40} << 20));  // a full queue has 18
#else
    static_cast<void>(before);
#endif
}

TEST(Queue, HandleFindsTheQueueAgain) {
    auto queue = Queue::make(0);
    const std::uintptr_t handle = queue->handle();
    EXPECT_EQ(Queue::find(handle), queue);
    queue.reset();
    EXPECT_EQ(Queue::find(handle), nullptr);
}

}  // namespace
}  // namespace heald::cpu
