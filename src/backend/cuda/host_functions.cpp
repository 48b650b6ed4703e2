#include "src/backend/cuda/host_functions.hpp"

#include "src/base/check.hpp"

#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>

namespace heald::cuda {
namespace {

struct Task {
    std::weak_ptr<Queue> queue;
    std::function<void()> function;
    bool done = false;
};

/// Threads that run host functions: one more whenever all are busy, so that a function that waits
/// for another one never holds that one up.
class Workers {
public:
    static Workers& instance() {
        // Never destroyed: the driver may still call back while the process exits.
        static Workers* const workers = new Workers;
        return *workers;
    }

    /// From the driver's thread: waits until the task has run.
    void run(Task& task) {
        std::unique_lock lock(mutex_);
        waiting_.push_back(&task);
        if (idle_ == 0)
            start_thread();
        else
            --idle_, wake_.notify_one();
        finished_.wait(lock, [&task] { return task.done; });
    }

private:
    void start_thread() {
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        std::thread([this] { work(); }).detach();
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    void work() {
        Context::in_host_function = true;
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [this] { return !waiting_.empty(); });
            Task* task = waiting_.front();
            waiting_.pop_front();
            lock.unlock();
            perform(*task);
            lock.lock();
            task->done = true;
            ++idle_;
            finished_.notify_all();
        }
    }

    static void perform(Task& task) noexcept {
        try {
            task.function();
        } catch (...) {
            if (const auto queue = task.queue.lock()) queue->keep_error(std::current_exception());
        }
        const InternalCall internal;
        task.function = nullptr;  // what it holds may release memory
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable finished_;
    std::deque<Task*> waiting_;
    int idle_ = 0;
};

void from_driver(void* data) {
    const std::unique_ptr<Task> task(static_cast<Task*>(data));
    Workers::instance().run(*task);
}

}  // namespace

void enqueue_host_function(std::shared_ptr<Queue> queue, std::function<void()> function) {
    Context& context = queue->context();
    const Current current(context);
    auto task = std::make_unique<Task>();
    task->queue = queue;
    task->function = std::move(function);
    context.check(context.api().cuLaunchHostFunc(queue->stream(), from_driver, task.get()),
                  "Stream.host_function");
    (void)task.release();  // the driver calls back exactly once
}

}  // namespace heald::cuda
