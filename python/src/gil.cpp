#include "python/src/gil.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace heald::python {

namespace {

std::atomic<bool> alive{true};
std::atomic<int> threads_asking{0};  // for the GIL
pthread_t last_thread{};             // the one that ends the interpreter

bool may_ask() noexcept {
    return alive.load() || pthread_equal(pthread_self(), last_thread) != 0;
}

}  // namespace

GilRelease::~GilRelease() {
    threads_asking.fetch_add(1);
    if (!may_ask()) {
        threads_asking.fetch_sub(1);
        for (;;) pause();
    }
    PyEval_RestoreThread(state_);
    threads_asking.fetch_sub(1);
}

ForeignGil::ForeignGil() noexcept {
    threads_asking.fetch_add(1);
    if (may_ask()) {
        state_ = PyGILState_Ensure();
        held_ = true;
    }
    threads_asking.fetch_sub(1);
}

ForeignGil::~ForeignGil() {
    if (held_) PyGILState_Release(state_);
}

bool python_alive() noexcept {
    return alive.load(std::memory_order_acquire);
}

void end_python() noexcept {
    last_thread = pthread_self();
    alive.store(false);
    // Threads that asked before get the GIL now: in their wait they would die.
    PyThreadState* state = PyEval_SaveThread();
    for (int i = 0; i < 1000 && threads_asking.load() > 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    PyEval_RestoreThread(state);
}

void init_gil() {
    pthread_atfork(nullptr, nullptr, [] { threads_asking.store(0); });
}

}  // namespace heald::python
