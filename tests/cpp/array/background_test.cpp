#include "src/array/lazy/background.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace heald::array {
namespace {

TEST(Background, JobsRunInTheirOrderOnAnotherThread) {
    std::vector<int> order;
    const auto here = std::this_thread::get_id();
    std::atomic<bool> elsewhere{true};
    for (int i = 0; i < 100; ++i)
        run_in_background([&, i] {
            order.push_back(i);
            if (std::this_thread::get_id() == here) elsewhere = false;
        });
    finish_background();
    ASSERT_EQ(order.size(), 100U);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
    EXPECT_TRUE(elsewhere);
}

TEST(Background, AFailedJobDoesNotStopTheNext) {
    std::atomic<int> done{0};
    run_in_background([] { throw std::runtime_error("no"); });
    run_in_background([&] { ++done; });
    finish_background();
    EXPECT_EQ(done, 1);
}

TEST(Background, AForkWaitsForTheJobThatRuns) {
    std::atomic<bool> inside{false};
    std::atomic<int> done{0};
    run_in_background([&] {
        inside = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        inside = false;
    });
    for (int i = 0; i < 3; ++i) run_in_background([&] { ++done; });
    while (!inside) std::this_thread::yield();
    const pid_t child = fork();
    if (child == 0) {
        // The parent's other jobs are not here; new ones run.
        const bool quiet = !inside;
        const int inherited = done;
        run_in_background([&] { done += 10; });
        finish_background();
        _exit(quiet && done == inherited + 10 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    finish_background();
    EXPECT_EQ(done, 3);
}

}  // namespace
}  // namespace heald::array
