// Every queue of the process: for synchronisation of the device, handles, and fork.

#include "src/backend/cpu/queue.hpp"

#include <mutex>

namespace heald::cpu {
namespace {

struct Registry {
    SpinLock lock;
    Queue* first = nullptr;
    std::shared_ptr<Failure> orphaned;  // of a queue that ended before anyone asked
};

Registry& registry() {
    static Registry& result = *new Registry;
    return result;
}

}  // namespace

std::shared_ptr<Queue> Queue::make(int priority) {
    auto queue = std::make_shared<Queue>(priority);
    Registry& all_queues = registry();
    const std::lock_guard hold(all_queues.lock);
    queue->next_queue_ = all_queues.first;
    if (all_queues.first != nullptr) all_queues.first->previous_queue_ = queue.get();
    all_queues.first = queue.get();
    return queue;
}

Queue::~Queue() {
    Registry& all_queues = registry();
    std::shared_ptr<Failure> unwanted;
    const std::lock_guard hold(all_queues.lock);
    if (next_queue_ != nullptr) next_queue_->previous_queue_ = previous_queue_;
    (previous_queue_ != nullptr ? previous_queue_->next_queue_ : all_queues.first) = next_queue_;
    if (failure_ != nullptr && !failure_->raised.load(std::memory_order_relaxed) &&
        all_queues.orphaned == nullptr)
        all_queues.orphaned = std::move(failure_);
}

std::vector<std::shared_ptr<Queue>> Queue::all() {
    std::vector<std::shared_ptr<Queue>> result;
    Registry& all_queues = registry();
    const std::lock_guard hold(all_queues.lock);
    for (Queue* queue = all_queues.first; queue != nullptr; queue = queue->next_queue_)
        if (auto shared = queue->weak_from_this().lock()) result.push_back(std::move(shared));
    return result;
}

std::shared_ptr<Queue> Queue::find(std::uintptr_t handle) {
    Registry& all_queues = registry();
    const std::lock_guard hold(all_queues.lock);
    for (Queue* queue = all_queues.first; queue != nullptr; queue = queue->next_queue_)
        if (queue->handle() == handle) return queue->weak_from_this().lock();
    return nullptr;
}

std::shared_ptr<Failure> Queue::take_orphaned_failure() {
    Registry& all_queues = registry();
    const std::lock_guard hold(all_queues.lock);
    return std::move(all_queues.orphaned);
}

void Queue::before_fork() noexcept {
    registry().lock.lock();
    for (Queue* queue = registry().first; queue != nullptr; queue = queue->next_queue_) {
        queue->releases.before_fork();
        queue->lock_.lock();
    }
}

void Queue::after_fork_in_parent() noexcept {
    for (Queue* queue = registry().first; queue != nullptr; queue = queue->next_queue_) {
        queue->lock_.unlock();
        queue->releases.after_fork();
    }
    registry().lock.unlock();
}

void Queue::after_fork_in_child() noexcept {
    for (Queue* queue = registry().first; queue != nullptr; queue = queue->next_queue_) {
        queue->lock_.unlock();
        queue->releases.after_fork();
    }
    registry().lock.unlock();
    for (const auto& queue : all()) queue->abandon_in_child();
}

void Queue::abandon_in_child() noexcept {
    waiters_.forget_waiters();
    const std::uint64_t state = tail_.load(std::memory_order_relaxed) & state_mask;
    if (state == idle) return;
    fail(ErrorKind::cancelled,
         "[Stream.synchronize] work of this stream was in progress at fork(): it goes on in the "
         "parent "
         "process and is dropped in this one");
    if (state == on_the_spot) {
        stop.store(0, std::memory_order_relaxed);
        completed_.fetch_add(1, std::memory_order_seq_cst);
        tail_.fetch_and(~state_mask, std::memory_order_seq_cst);
        return;
    }
    for (Operation* operation = first_; operation != nullptr; operation = operation->next)
        operation->dropped = true;
    // Whatever was running had been accepted and not completed: the list holds the rest.
    std::uint64_t listed = 0;
    for (Operation* operation = first_; operation != nullptr; operation = operation->next) ++listed;
    completed_.store(tail_.load(std::memory_order_relaxed) / one - listed,
                     std::memory_order_seq_cst);
    // What ran is left as it is: threads that are not here were in the middle of it.
    current_ = nullptr;
    drive(DriveOn::fork_child);
}

}  // namespace heald::cpu
