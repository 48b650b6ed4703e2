#include "src/backend/cpu/deep_stack.hpp"

#include "src/backend/cpu/fault.hpp"
#include "src/backend/cpu/kernel_thread.hpp"
#include "src/base/check.hpp"
#include "src/base/signals.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <array>
#include <cerrno>
#include <exception>
#include <memory>

namespace heald::cpu {
namespace {

// Wider than any frame, so that none steps over it.
constexpr std::size_t guard_bytes = std::size_t{16} << 20;
constexpr std::array stack_sizes = {std::size_t{1} << 30, std::size_t{64} << 20};

/// Address space for a stack, guard included; null if there is none.
class StackMemory {
public:
    explicit StackMemory(std::size_t bytes) : bytes_(bytes) {
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (memory == MAP_FAILED) return;
        memory_ = static_cast<char*>(memory);
        mprotect(memory_, guard_bytes, PROT_NONE);
        madvise(memory_, bytes_, MADV_NOHUGEPAGE);
    }
    ~StackMemory() {
        if (memory_ != nullptr) munmap(memory_, bytes_);
    }
    StackMemory(const StackMemory&) = delete;
    StackMemory& operator=(const StackMemory&) = delete;

    [[nodiscard]] explicit operator bool() const noexcept { return memory_ != nullptr; }
    [[nodiscard]] char* low() const noexcept { return memory_ + guard_bytes; }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_ - guard_bytes; }

    /// Gives back what an abandoned thread has touched, but for the descriptor at its top.
    void drop_pages() const noexcept {
        constexpr std::size_t top = std::size_t{1} << 20;
        madvise(low(), size() - top, MADV_DONTNEED);
    }

private:
    std::size_t bytes_;
    char* memory_ = nullptr;
};

// Kept alive by both sides: the thread may stay for ever.
struct Call {
    explicit Call(std::size_t bytes) : stack(bytes) { sem_init(&over, 0, 0); }
    ~Call() { sem_destroy(&over); }

    StackMemory stack;
    const std::function<void()>* function = nullptr;
    std::exception_ptr error;
    volatile bool overflowed = false;
    sem_t over;
};

// Runs in the handler of SIGSEGV, on the alternate stack.
[[noreturn]] void park(void* argument) noexcept {
    auto& call = *static_cast<Call*>(argument);
    call.stack.drop_pages();
    call.overflowed = true;
    sem_post(&call.over);
    for (;;) {
        timespec long_time{1 << 20, 0};
        nanosleep(&long_time, nullptr);
    }
}

void* run(void* argument) {
    auto& call = *static_cast<Call*>(argument);
    KernelThread& self = KernelThread::current();
    self.watch_stack(park, &call);
    try {
        (*call.function)();
    } catch (...) {
        call.error = std::current_exception();
    }
    self.watch_stack(nullptr, nullptr);
    sem_post(&call.over);
    return nullptr;
}

/// False if there is no memory, or no thread, of that size.
bool start(Call& call, pthread_t& thread) {
    if (!call.stack) return false;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, call.stack.low(), call.stack.size());
    const SignalsBlocked inherited;
    const int status = pthread_create(&thread, &attributes, run, &call);
    pthread_attr_destroy(&attributes);
    return status == 0;
}

}  // namespace

void run_on_deep_stack(const char* operation, const std::function<void()>& function) {
    ensure_fault_handlers();
    for (const std::size_t bytes : stack_sizes) {
        auto call = std::make_unique<Call>(bytes);
        call->function = &function;
        pthread_t thread;
        if (!start(*call, thread)) continue;
        while (sem_wait(&call->over) != 0 && errno == EINTR) {
        }
        if (call->overflowed) {
            pthread_detach(thread);
            static_cast<void>(call.release());  // the thread's for ever
            fail(ErrorKind::compile, "[", operation,
                 "] the code is nested too deeply for the compiler: split its longest expressions, "
                 "chains of if and else, or blocks");
        }
        pthread_join(thread, nullptr);
        if (call->error) std::rethrow_exception(call->error);
        return;
    }
    function();
}

}  // namespace heald::cpu
