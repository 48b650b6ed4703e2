#include "src/backend/cpu/event.hpp"

#include "src/backend/cpu/queue.hpp"
#include "src/base/check.hpp"

#include <array>
#include <mutex>

namespace heald::cpu {
namespace {

// Few locks for many points, so that fork can hold them all.
constinit std::array<SpinLock, 32> point_locks{};

SpinLock& lock_of(const Point* point) noexcept {
    return point_locks[(reinterpret_cast<std::uintptr_t>(point) >> 6) % point_locks.size()];
}

class RecordOperation final : public Operation {
public:
    explicit RecordOperation(std::shared_ptr<Point> point) : point_(std::move(point)) {}
    Step start(Queue& queue) override {
        point_->reach(queue.failure());
        return Step::done;
    }
    [[nodiscard]] bool droppable() const noexcept override { return false; }

private:
    std::shared_ptr<Point> point_;
};

class WaitOperation final : public Operation {
public:
    explicit WaitOperation(std::shared_ptr<Point> point)
        : point_(std::move(point)), waiter_(std::make_shared<PointWaiter>()) {}

    Step start(Queue& queue) override {
        waiter_->queue = &queue;
        const auto point = point_;  // from here on an interruption may end this object
        const auto waiter = waiter_;
        if (!waiter->change(State::before, State::waits)) return Step::done;
        if (point->add(waiter)) return Step::pending;
        return waiter->change(State::waits, State::over) ? Step::done : Step::pending;
    }

    void interrupt(Queue& queue) noexcept override {
        if (waiter_->change(State::before, State::over)) return;
        if (waiter_->change(State::waits, State::over)) queue.complete_on_worker();
    }

    void retire() noexcept override {
        if (point_->reached() && point_->failure() != nullptr && waiter_->queue != nullptr &&
            !point_->failure()->raised.load(std::memory_order_relaxed))
            waiter_->queue->fail(point_->failure());
        delete this;
    }

private:
    using State = PointWaiter::State;

    std::shared_ptr<Point> point_;
    std::shared_ptr<PointWaiter> waiter_;
};

}  // namespace

void Point::reach(std::shared_ptr<Failure> failure) noexcept {
    std::vector<std::shared_ptr<PointWaiter>> waiters;
    failure_ = std::move(failure);
    nanoseconds_ = std::chrono::steady_clock::now().time_since_epoch().count();
    {
        const std::lock_guard hold(lock_of(this));
        reached_.store(true, std::memory_order_seq_cst);
        waiters.swap(waiters_);
    }
    waiting_threads_.notify_all();
    for (const auto& waiter : waiters)
        if (waiter->change(PointWaiter::State::waits, PointWaiter::State::over))
            waiter->queue->complete_on_worker();
}

bool Point::add(std::shared_ptr<PointWaiter> waiter) {
    const std::lock_guard hold(lock_of(this));
    if (reached()) return false;
    // What cancelled queues left behind.
    std::erase_if(waiters_, [](const auto& other) {
        return other->state.load(std::memory_order_relaxed) == PointWaiter::State::over;
    });
    waiters_.push_back(std::move(waiter));
    return true;
}

bool Point::wait(std::chrono::nanoseconds timeout) noexcept {
    for (unsigned turn = 0; turn < 200; ++turn) {
        if (reached()) return true;
        if (turn % 16 == 15)
            sched_yield();
        else
            pause_briefly();
    }
    return waiting_threads_.wait([this] { return reached(); }, timeout);
}

void Point::before_fork() noexcept {
    for (SpinLock& lock : point_locks) lock.lock();
}

void Point::after_fork() noexcept {
    for (SpinLock& lock : point_locks) lock.unlock();
}

void make_wait_for(Queue& queue, std::shared_ptr<Point> point) {
    queue.push(new WaitOperation(std::move(point)));
}

std::shared_ptr<Point> Event::point() const {
    const std::lock_guard hold(lock_);
    return point_;
}

void Event::record(Queue& queue) {
    auto fresh = std::make_shared<Point>();
    {
        const std::lock_guard hold(lock_);
        point_ = fresh;
    }
    if (queue.try_begin()) {
        fresh->reach(queue.failure());
        queue.end();
    } else {
        queue.push(new RecordOperation(std::move(fresh)));
    }
}

void Event::make_wait(Queue& queue) const {
    auto target = point();
    if (target == nullptr) return;  // never recorded: nothing to wait for, as in CUDA
    if (target->reached() && target->failure() == nullptr) return;
    make_wait_for(queue, std::move(target));
}

bool Event::synchronize(std::chrono::nanoseconds timeout) const {
    const auto target = point();
    if (target == nullptr) return true;
    if (!target->wait(timeout)) return false;
    raise_once(target->failure());
    return true;
}

bool Event::done() const {
    const auto target = point();
    return target == nullptr || target->reached();
}

float Event::elapsed_since(const Event& start) const {
    const auto first = start.point(), last = point();
    HEALD_EXPECTS(first != nullptr && last != nullptr, invalid_value, "[Event.elapsed_since] the ",
                  first == nullptr ? "start" : "stop",
                  " event was never recorded: call record(stream) first");
    HEALD_EXPECTS(start.timing_ && timing_, invalid_value, "[Event.elapsed_since] the ",
                  start.timing_ ? "stop" : "start",
                  " event was made without timing: make it with "
                  "timing=True");
    HEALD_EXPECTS(first->reached() && last->reached(), invalid_value, "[Event.elapsed_since] the ",
                  first->reached() ? "stop" : "start",
                  " event is recorded but not done: synchronize() it first");
    return static_cast<float>(static_cast<double>(last->nanoseconds() - first->nanoseconds()) *
                              1e-6);
}

}  // namespace heald::cpu
