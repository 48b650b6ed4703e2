#include "src/base/fork.hpp"

#include <pthread.h>
#include <cstdlib>

namespace heald {

/// Every ForkMutex that lives. Constant-initialised: usable before and after other statics.
struct ForkList {
    static inline std::mutex guard;
    static inline ForkMutex* first = nullptr;

    static void lock_all() {
        guard.lock();
        for (ForkMutex* mutex = first; mutex != nullptr; mutex = mutex->next_) mutex->lock();
    }
    static void unlock_all() {
        for (ForkMutex* mutex = first; mutex != nullptr; mutex = mutex->next_) mutex->unlock();
        guard.unlock();
    }
    static void add(ForkMutex& mutex) {
        const std::lock_guard lock(guard);
        mutex.next_ = first;
        mutex.link_ = &first;
        if (first != nullptr) first->link_ = &mutex.next_;
        first = &mutex;
    }
    static void remove(ForkMutex& mutex) {
        const std::lock_guard lock(guard);
        *mutex.link_ = mutex.next_;
        if (mutex.next_ != nullptr) mutex.next_->link_ = mutex.link_;
    }
};

namespace {

constinit std::atomic<std::uint64_t> generation{0};
constinit std::atomic<bool> exits{false};

[[maybe_unused]] const int registered = [] {
    exit_before_what_is_loaded();
    return pthread_atfork(&ForkList::lock_all, &ForkList::unlock_all, [] {
        generation.fetch_add(1, std::memory_order_relaxed);
        ForkList::unlock_all();
    });
}();

std::uint32_t runner() noexcept {
    return 2 + static_cast<std::uint32_t>(fork_generation());
}

}  // namespace

std::uint64_t fork_generation() noexcept {
    return generation.load(std::memory_order_relaxed);
}
void exit_before_what_is_loaded() {
    std::atexit([] { exits.store(true, std::memory_order_relaxed); });
}
bool process_exits() noexcept {
    return exits.load(std::memory_order_relaxed);
}

ForkMutex::ForkMutex() {
    ForkList::add(*this);
}
ForkMutex::~ForkMutex() {
    ForkList::remove(*this);
}

void ForkMutex::lock_slowly() noexcept {
    while (state_.exchange(contended, std::memory_order_acquire) != is_free)
        state_.wait(contended, std::memory_order_relaxed);
}

bool ForkOnce::begin() {
    std::uint32_t state = state_.load(std::memory_order_acquire);
    while (true) {
        if (state == done) return false;
        if (state == runner()) {
            state_.wait(state, std::memory_order_acquire);
            state = state_.load(std::memory_order_acquire);
        } else if (state_.compare_exchange_weak(state, runner(), std::memory_order_acq_rel)) {
            return true;  // idle, or left behind by a parent process
        }
    }
}

void ForkOnce::end(std::uint32_t state) {
    state_.store(state, std::memory_order_release);
    state_.notify_all();
}

}  // namespace heald
