#pragma once

#include <pthread.h>
#include <csignal>
#include <functional>
#include <thread>
#include <utility>

namespace heald::cuda {

/// A thread that leaves signals to the program's own threads, but for those that report a fault of
/// the thread itself: tools such as compute-sanitizer work through them.
inline std::thread start_background_thread(std::function<void()> body) {
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
        sigdelset(&blocked, signal);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    std::thread thread(std::move(body));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

}  // namespace heald::cuda
