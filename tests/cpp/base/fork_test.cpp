#include "src/base/fork.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace heald {
namespace {

TEST(ForkMutex, ExcludesThreads) {
    ForkMutex mutex;
    long counter = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 20'000; ++i) {
                const std::lock_guard lock(mutex);
                ++counter;
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(counter, 160'000);
    EXPECT_TRUE(mutex.try_lock());
    EXPECT_FALSE(mutex.try_lock());
    mutex.unlock();
}

TEST(ForkMutex, IsFreeInAForkedChild) {
    ForkMutex mutex;
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&] {
            while (!stop) {
                const std::lock_guard lock(mutex);
            }
        });
    const std::uint64_t generation = fork_generation();
    for (int round = 0; round < 50; ++round) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            alarm(10);
            mutex.lock();  // its holders are not here
            _exit(fork_generation() == generation + 1 ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    stop = true;
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(fork_generation(), generation);
}

TEST(ForkOnce, RunsOnceAndAgainAfterAFailure) {
    ForkOnce once;
    int runs = 0;
    EXPECT_THROW(once([&] {
                     ++runs;
                     throw std::runtime_error("no");
                 }),
                 std::runtime_error);
    EXPECT_FALSE(once.is_done());
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) threads.emplace_back([&] { once([&] { ++runs; }); });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(runs, 2);
}

TEST(ForkOnce, ChildRunsWhatTheParentHadBegun) {
    ForkOnce once;
    std::atomic<bool> begun{false};
    std::atomic<bool> go{false};
    std::thread runner([&] {
        once([&] {
            begun = true;
            begun.notify_all();
            go.wait(false);
        });
    });
    begun.wait(false);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        alarm(10);
        bool ran = false;
        once([&] { ran = true; });
        _exit(ran ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    go = true;
    go.notify_all();
    runner.join();
    EXPECT_TRUE(once.is_done());
}

}  // namespace
}  // namespace heald
