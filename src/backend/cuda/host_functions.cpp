#include "src/backend/cuda/host_functions.hpp"

#include "src/backend/cuda/background_thread.hpp"
#include "src/base/check.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace heald::cuda {
namespace {

struct Task {
    std::weak_ptr<Queue> queue;
    std::function<void()> function;
    HostFlags::Word* word = nullptr;  ///< set at the end; null: the driver's thread waits
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

    /// From the driver's thread.
    void hand_over(std::unique_ptr<Task> task) {
        std::unique_lock lock(mutex_);
        const bool wait_here = task->word == nullptr;
        Task* const raw = task.get();
        waiting_.push_back(std::move(task));
        if (idle_ == 0)
            start_thread();
        else
            --idle_, wake_.notify_one();
        if (!wait_here) return;
        finished_.wait(lock, [raw] { return raw->done; });
        delete raw;
    }

private:
    void start_thread() {
        start_background_thread([this] { work(); }).detach();
    }

    void work() {
        Context::in_host_function = true;
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [this] { return !waiting_.empty(); });
            std::unique_ptr<Task> task = std::move(waiting_.front());
            waiting_.pop_front();
            lock.unlock();
            perform(*task);
            lock.lock();
            ++idle_;
            if (task->word != nullptr) {
                HostFlags::set(task->word);
            } else {
                task->done = true;
                (void)task.release();  // the driver's thread deletes it
                finished_.notify_all();
            }
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
    std::deque<std::unique_ptr<Task>> waiting_;
    int idle_ = 0;
};

void from_driver(void* data) {
    Workers::instance().hand_over(std::unique_ptr<Task>(static_cast<Task*>(data)));
}

}  // namespace

void enqueue_host_function(std::shared_ptr<Queue> queue, std::function<void()> function) {
    Context& context = queue->context();
    const Current current(context);
    if (queue->capturing())
        fail(ErrorKind::unavailable,
             "[Stream.host_function] a function of the host cannot be captured into a graph");
    auto task = std::make_unique<Task>();
    task->queue = queue;
    task->function = std::move(function);
    const driver::Stream stream = queue->stream();
    HostFlags::Word* const word =
        context.flags().supported(stream) ? context.flags().take() : nullptr;
    task->word = word;
    context.check(context.api().cuLaunchHostFunc(stream, from_driver, task.get()),
                  "Stream.host_function");
    (void)task.release();  // the driver calls back exactly once
    if (word != nullptr) context.flags().wait_in(stream, word);
}

void enqueue_wait_for_signal(const std::shared_ptr<Queue>& queue,
                             std::shared_ptr<core::Signal> signal) {
    Context& context = queue->context();
    const Current current(context);
    if (!context.flags().supported(queue->stream())) {
        enqueue_host_function(queue, [signal = std::move(signal)] { signal->wait(); });
        return;
    }
    HostFlags::Word* const word = context.flags().take();
    signal->when_set([word] { HostFlags::set(word); });
    context.flags().wait_in(queue->stream(), word);
}

}  // namespace heald::cuda
