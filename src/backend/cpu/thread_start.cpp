#include "src/backend/cpu/thread_start.hpp"

#include "src/base/check.hpp"
#include "src/base/signals.hpp"

#include <pthread.h>
#include <sched.h>
#include <cstring>
#include <memory>

namespace heald::cpu {
namespace {

// Kernels with deep recursion need room; only touched pages cost memory.
constexpr std::size_t stack_bytes = std::size_t{16} << 20;

struct Start {
    std::string name;
    std::vector<int> cpus;
    std::function<void()> function;
};

thread_local bool own_thread = false;

void keep_to(const std::vector<int>& cpus) noexcept {
    if (cpus.empty()) return;
    int highest = 0;
    for (const int cpu : cpus) highest = cpu > highest ? cpu : highest;
    cpu_set_t* set = CPU_ALLOC(highest + 1);
    if (set == nullptr) return;
    const std::size_t size = CPU_ALLOC_SIZE(highest + 1);
    CPU_ZERO_S(size, set);
    for (const int cpu : cpus) CPU_SET_S(cpu, size, set);
    sched_setaffinity(0, size, set);  // a CPU that has gone: run wherever the kernel lets us
    CPU_FREE(set);
}

void* run(void* argument) {
    const std::unique_ptr<Start> start(static_cast<Start*>(argument));
    own_thread = true;
    pthread_setname_np(pthread_self(), start->name.c_str());
    keep_to(start->cpus);
    start->function();
    return nullptr;
}

}  // namespace

void start_thread(const std::string& name, const std::vector<int>& cpus,
                  std::function<void()> function) {
    auto start = std::make_unique<Start>(Start{name.substr(0, 15), cpus, std::move(function)});
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_t thread;
    int status = 0;
    {
        const SignalsBlocked inherited;
        status = pthread_create(&thread, &attributes, run, start.get());
    }
    pthread_attr_destroy(&attributes);
    if (status != 0)
        fail(ErrorKind::device, "[Device] cannot start the thread '", name,
             "' of the CPU device: ", std::strerror(status));
    static_cast<void>(start.release());  // the thread's now
}

bool on_own_thread() noexcept {
    return own_thread;
}

}  // namespace heald::cpu
