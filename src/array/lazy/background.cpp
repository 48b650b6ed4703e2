#include "src/array/lazy/background.hpp"

#include "src/base/fork.hpp"
#include "src/base/log.hpp"
#include "src/base/signals.hpp"
#include "src/base/text.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace heald::array {
namespace {

struct Background {
    ForkMutex mutex;  ///< guards what follows
    std::deque<std::function<void()>> jobs;
    bool stopped = false;
    bool paused = false;            ///< for a fork: the thread ends after its job
    std::atomic<bool> runs{false};  ///< there is a thread
};

Background& background() {
    static Background& all = *std::make_unique<Background>().release();
    return all;
}

constexpr int niceness = 10;  ///< kernels go first

void run_jobs() {
    Background& own = background();
    setpriority(PRIO_PROCESS, 0, niceness);  // of this thread
    for (;;) {
        std::function<void()> job;
        {
            const std::lock_guard lock(own.mutex);
            if (own.jobs.empty() || own.paused) {
                own.runs = false;
                break;
            }
            job = std::move(own.jobs.front());
            own.jobs.pop_front();
        }
        try {
            job();
        } catch (const std::exception& error) {
            warn(text("a kernel could not be compiled in the background: ", error.what()));
        }
    }
    own.runs.notify_all();
}

void start_thread() {
    const SignalsBlocked inherited;
    std::thread(run_jobs).detach();
}

// A compiler caught in the middle of its work would be of no use to a forked child.
void before_fork() {
    Background& own = background();
    {
        const std::lock_guard lock(own.mutex);
        own.paused = true;
    }
    own.runs.wait(true);
}
void after_fork_in_parent() {
    Background& own = background();
    {
        const std::lock_guard lock(own.mutex);
        own.paused = false;
        if (own.runs || own.jobs.empty()) return;
        own.runs = true;
    }
    start_thread();
}
void after_fork_in_child() {
    Background& own = background();
    const std::lock_guard lock(own.mutex);
    own.paused = false;
    own.jobs.clear();
}

}  // namespace

void run_in_background(std::function<void()> job) {
    Background& own = background();
    static const int registered =
        std::atexit(stop_background) |
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    (void)registered;
    {
        const std::lock_guard lock(own.mutex);
        if (own.stopped) return;
        own.jobs.push_back(std::move(job));
        if (own.runs || own.paused) return;
        own.runs = true;
    }
    start_thread();
}

void finish_background() {
    background().runs.wait(true);
}

void stop_background() {
    Background& own = background();
    {
        const std::lock_guard lock(own.mutex);
        own.stopped = true;
        own.jobs.clear();
    }
    own.runs.wait(true);
}

}  // namespace heald::array
