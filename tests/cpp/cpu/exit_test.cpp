#include "tests/cpp/cpu/kernels.hpp"

#include "src/backend/cpu/host_operation.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace heald::cpu {
namespace {

using namespace testing;
using namespace std::chrono_literals;

/// Exit code of a child that ends by std::exit in `body`, and how long that took.
template <class Body>
int exit_code(Body&& body, std::chrono::milliseconds& taken) {
    std::fflush(nullptr);
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        body();
        _exit(99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    taken = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                  begin);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Exit, WithWorkQueuedOrAKernelEndless) {
    std::chrono::milliseconds taken{};
    for (int round = 0; round < 10; ++round) {
        EXPECT_EQ(exit_code(
                      [] {
                          static std::atomic<int> begun{0};
                          const auto queue = Queue::make(0);
                          launch(*make_kernel(run_for_ever, 1), *queue, shape(5), &begun);
                          while (begun.load() == 0) std::this_thread::sleep_for(1ms);
                          std::exit(3);
                      },
                      taken),
                  3);
        EXPECT_LT(taken, 10s);
        EXPECT_EQ(exit_code(
                      [] {
                          static std::atomic<std::int64_t> count{0};
                          const auto queue = Queue::make(0);
                          const auto kernel = make_kernel(count_blocks, 1);
                          for (int i = 0; i < 10000; ++i)
                              launch(*kernel, *queue, shape(1000), &count);
                          std::exit(4);
                      },
                      taken),
                  4);
        EXPECT_EQ(exit_code(
                      [] {
                          const auto queue = Queue::make(0);
                          enqueue_host_function(*queue, [] { std::this_thread::sleep_for(1h); });
                          std::exit(5);
                      },
                      taken),
                  5);
        EXPECT_LT(taken, 10s);
    }
}

TEST(Exit, FromAnotherThreadWhileKernelsRun) {
    std::chrono::milliseconds taken{};
    for (int round = 0; round < 10; ++round)
        EXPECT_EQ(exit_code(
                      [] {
                          static std::atomic<std::int64_t> count{0};
                          std::thread([] {
                              std::this_thread::sleep_for(5ms);
                              std::exit(6);
                          }).detach();
                          const auto queue = Queue::make(0);
                          const auto kernel = make_kernel(count_blocks, 1);
                          const auto quick = make_kernel(count_blocks, 1, true);
                          for (;;) {
                              launch(*kernel, *queue, shape(100), &count);
                              launch(*quick, *queue, shape(1), &count);
                              queue->synchronize();
                          }
                      },
                      taken),
                  6);
}

}  // namespace
}  // namespace heald::cpu
