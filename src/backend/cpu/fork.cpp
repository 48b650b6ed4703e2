// The CPU device goes on in a forked child: whatever the forking thread cannot see the end of is
// held still during the fork and made anew in the child.

#include "src/backend/cpu/fork.hpp"

#include "src/backend/cpu/debugger.hpp"
#include "src/backend/cpu/event.hpp"
#include "src/backend/cpu/host_memory.hpp"
#include "src/backend/cpu/host_threads.hpp"
#include "src/backend/cpu/launch.hpp"
#include "src/backend/cpu/queue.hpp"
#include "src/backend/cpu/worker_pool.hpp"

#include <pthread.h>
#include <cstdlib>

namespace heald::cpu {
namespace {

void before() {
    Queue::before_fork();
    Point::before_fork();
    host_threads_before_fork();
    WorkerPool::before_fork();
    launches_before_fork();
    debugger_before_fork();
    HostMemory::instance().before_fork();
}

void after_in_parent() {
    HostMemory::instance().after_fork();
    debugger_after_fork();
    launches_after_fork();
    WorkerPool::after_fork_in_parent();
    host_threads_after_fork_in_parent();
    Point::after_fork();
    Queue::after_fork_in_parent();
}

void after_in_child() {
    HostMemory::instance().after_fork();
    debugger_after_fork();
    launches_after_fork();
    WorkerPool::after_fork_in_child();
    host_threads_after_fork_in_child();
    Point::after_fork();
    Queue::after_fork_in_child();
}

}  // namespace

void survive_forks() {
    static const bool done = [] {
        pthread_atfork(before, after_in_parent, after_in_child);
        // At exit, what is queued is dropped, and no thread is waited for.
        std::atexit([] { WorkerPool::close_at_exit(); });
        return true;
    }();
    static_cast<void>(done);
}

}  // namespace heald::cpu
