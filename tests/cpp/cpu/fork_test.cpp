#include "tests/cpp/cpu/kernels.hpp"

#include "src/backend/cpu/event.hpp"
#include "src/backend/cpu/host_memory.hpp"
#include "src/backend/cpu/host_operation.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <thread>

namespace heald::cpu {
namespace {

using namespace testing;
using namespace std::chrono_literals;

/// Runs `body` in a child and gives its value, or -1 if the child did not exit by itself.
template <class Body>
int in_child(Body&& body) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);  // a child that hangs is a failure, not a hung test
        _exit(body());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int count_on(Queue& queue) {
    std::atomic<std::int64_t> count{0};
    const auto kernel = make_kernel(count_blocks, 1);
    for (int i = 0; i < 5; ++i) launch(*kernel, queue, shape(200), &count);
    enqueue_host_function(queue, [&] { count.fetch_add(1); });
    Event event(false);
    event.record(queue);
    event.synchronize();
    queue.synchronize();
    return count.load() == 1001 ? 0 : 1;
}

TEST(Fork, TheChildGoesOn) {
    const auto queue = Queue::make(0);
    ASSERT_EQ(count_on(*queue), 0);
    EXPECT_EQ(in_child([&] { return count_on(*queue); }), 0);
    EXPECT_EQ(in_child([&] { return in_child([&] { return count_on(*queue); }); }), 0);
    EXPECT_EQ(count_on(*queue), 0);
}

TEST(Fork, WhileKernelsAndHostFunctionsRunOnOtherThreads) {
    const auto queue = Queue::make(0), busy = Queue::make(0), endless = Queue::make(0);
    std::atomic<int> begun{0};
    launch(*make_kernel(run_for_ever, 1), *endless, shape(3), &begun);
    std::atomic<bool> stop{false};
    std::atomic<std::int64_t> count{0};
    std::vector<std::thread> users;
    for (int t = 0; t < 3; ++t)
        users.emplace_back([&] {
            const auto kernel = make_kernel(count_blocks, 1);
            const auto own = Queue::make(0);
            while (!stop) {
                launch(*kernel, *own, shape(50), &count);
                launch(*kernel, *busy, shape(50), &count);
                void* memory = HostMemory::instance().allocate(5000);
                HostMemory::instance().deallocate(memory, 5000);
                enqueue_host_function(*own, [&] { count.fetch_add(1); });
                Event event(false);
                event.record(*own);
                event.make_wait(*busy);
                own->synchronize();
            }
        });
    while (begun.load() == 0) std::this_thread::sleep_for(1ms);
    for (int round = 0; round < 30; ++round)
        ASSERT_EQ(in_child([&] {
                      for (Queue* used : {busy.get(), endless.get()}) {
                          try {
                              used->synchronize();
                          } catch (const Error& error) {
                              if (error.kind() != ErrorKind::cancelled) return 2;
                          }
                          if (count_on(*used) != 0) return 3;
                      }
                      return count_on(*queue);
                  }),
                  0)
            << "round " << round;
    stop = true;
    for (auto& user : users) user.join();
    busy->synchronize();
    endless->cancel();
    EXPECT_EQ(kind_of_error([&] { endless->synchronize(); }), ErrorKind::cancelled);
}

TEST(Fork, WorkInProgressIsSaidToBeTheParents) {
    const auto queue = Queue::make(0);
    std::atomic<int> flag{0};
    launch(*make_kernel(wait_for_flag, 1), *queue, shape(1), &flag);
    Event event(false);
    event.record(*queue);
    EXPECT_EQ(in_child([&] {
                  std::string text;
                  try {
                      queue->synchronize();
                      return 1;
                  } catch (const Error& error) {
                      text = error.what();
                  }
                  if (text.find("fork") == std::string::npos) return 2;
                  return event.done() ? 0 : 3;
              }),
              0);
    flag = 1;
    EXPECT_NO_THROW(queue->synchronize());
}

}  // namespace
}  // namespace heald::cpu
