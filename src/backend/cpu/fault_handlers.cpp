// Turns faults of compiled kernels into failures of their launch. Handlers that were there before
// get every fault that is not a kernel's.

#include "src/backend/cpu/compiled_code.hpp"
#include "src/backend/cpu/fault.hpp"
#include "src/backend/cpu/kernel_thread.hpp"
#include "src/backend/cpu/signal_frame.hpp"
#include "src/backend/cpu/spin_lock.hpp"
#include "src/backend/cpu/ticks.hpp"

#include <atomic>
#include <csignal>
#include <ctime>
#include <mutex>

namespace heald::cpu {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr int signal_count = 4;

// Actions that were there before heald's. A handler may read one while it is replaced: the slots
// alternate, and `current` says which is whole.
struct Previous {
    struct sigaction actions[2];
    std::atomic<int> current{0};
};
Previous previous[signal_count];
SpinLock installing;
std::atomic<std::uint64_t> segv_checked{0};  // ticks()
std::atomic<std::uint64_t> others_checked{0};

int index_of(int signal) noexcept {
    for (int i = 0; i < signal_count; ++i)
        if (signals[i] == signal) return i;
    return 0;
}

void give_up(int signal) noexcept {
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
}

/// A fault that the earlier handler lets happen again and again is nobody's to mend: then the
/// standard action ends the process. One that is mended (a write barrier, a lazily mapped page)
/// does not come back at once so often.
bool spins(const SignalFrame& frame, const void* address) noexcept {
    constexpr std::int64_t at_once = 50'000, long_ago = 100'000'000;  // nanoseconds
    constexpr unsigned often = 10'000;
    static thread_local std::uintptr_t last_pc = 0;
    static thread_local const void* last_address = nullptr;
    static thread_local unsigned repeats = 0;
    static thread_local std::int64_t last = 0;
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const std::int64_t nanoseconds = now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
    const std::int64_t gap = nanoseconds - last;
    if (frame.pc != last_pc || address != last_address || gap > long_ago)
        repeats = 0;
    else if (gap < at_once)
        ++repeats;  // else the thread may have lost the processor
    last_pc = frame.pc;
    last_address = address;
    last = nanoseconds;
    return repeats > often;
}

void chain(int signal, siginfo_t* info, void* context) noexcept {
    KernelThread* self = KernelThread::current_or_null();
    const SignalFrame frame = read_signal_frame(context);
    const Previous& slot = previous[index_of(signal)];
    const struct sigaction& action = slot.actions[slot.current.load(std::memory_order_acquire)];
    const bool synchronous = info->si_code > 0;
    const bool again = self != nullptr && self->chaining;
    if (again || (synchronous && spins(frame, info->si_addr))) {
        give_up(signal);
        if (!synchronous) raise(signal);
        return;  // a synchronous one happens again, and ends the process
    }
    if (self != nullptr) self->chaining = true;
    if (action.sa_flags & SA_SIGINFO) {
        action.sa_sigaction(signal, info, context);
    } else if (action.sa_handler == SIG_DFL || (synchronous && action.sa_handler == SIG_IGN)) {
        give_up(signal);
        if (!synchronous) raise(signal);
    } else if (action.sa_handler != SIG_IGN) {
        action.sa_handler(signal);
    }
    if (self != nullptr) self->chaining = false;
}

FaultKind kind_of(int signal, const KernelThread& thread, const SignalFrame& frame,
                  std::uintptr_t address) noexcept {
    if (signal == SIGFPE) return FaultKind::arithmetic;
    if (signal == SIGILL) return FaultKind::illegal;
    if (signal == SIGBUS) return FaultKind::bus;
    // A push below the stack: the address is near the stack pointer and near the stack's end.
    constexpr std::uintptr_t reach = std::uintptr_t{1} << 20;
    const bool near_pointer = address + reach > frame.sp && address < frame.sp + reach;
    const bool near_end = thread.stack_low != 0 && frame.sp < thread.stack_low + 2 * reach;
    if (near_pointer && (near_end || address < frame.sp)) return FaultKind::stack;
    if (address == frame.pc) return FaultKind::call;
    return FaultKind::unmapped;
}

/// The fault is a kernel's: compiled code runs on this thread, or it has just called nowhere.
bool ours(const KernelThread& thread, const SignalFrame& frame, std::uintptr_t address) noexcept {
    if (thread.guard == KernelThread::Guard::pure) return true;
    if (thread.guard != KernelThread::Guard::kernel) return false;
    if (in_compiled_code(reinterpret_cast<const void*>(frame.pc))) return true;
    if (frame.pc != address) return false;
#if defined(__x86_64__)
    return in_compiled_code(*reinterpret_cast<void* const*>(frame.sp));
#else
    return in_compiled_code(reinterpret_cast<const void*>(frame.return_address));
#endif
}

void handle(int signal, siginfo_t* info, void* context) {
    KernelThread* self = KernelThread::current_or_null();
    if (self != nullptr && self->guard != KernelThread::Guard::none && info->si_code > 0) {
        const SignalFrame frame = read_signal_frame(context);
        const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
        if (self->guard == KernelThread::Guard::stack) {
            if (kind_of(signal, *self, frame, address) == FaultKind::stack)
                self->overflow(self->overflow_argument);
        } else if (ours(*self, frame, address)) {
            Fault& fault = self->fault;
            fault.kind = kind_of(signal, *self, frame, address);
            fault.address = address;
            fault.access_known = frame.access_known;
            fault.is_write = frame.is_write;
            fault.thread_known = false;
            self->leave();
        }
    }
    chain(signal, info, context);
}

void put_in_front(int i) noexcept {
    struct sigaction now{};
    if (sigaction(signals[i], nullptr, &now) != 0) return;
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle) return;
    const std::lock_guard hold(installing);
    struct sigaction mine{};
    mine.sa_sigaction = handle;
    // No mask to restore after a jump: nothing is blocked while the handler runs.
    mine.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&mine.sa_mask);
    if (sigaction(signals[i], nullptr, &now) != 0 ||
        ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle))
        return;
    const int next = 1 - previous[i].current.load(std::memory_order_relaxed);
    previous[i].actions[next] = now;
    previous[i].current.store(next, std::memory_order_release);
    sigaction(signals[i], &mine, nullptr);
}

}  // namespace

void ensure_fault_handlers() noexcept {
    // Less than it takes to come back from one launch, install a handler and launch again: a burst
    // of launches shares one look.
    constexpr std::uint64_t burst = ticks_per_tenth_millisecond / 250;
    const std::uint64_t now = ticks();
    if (now - segv_checked.load(std::memory_order_relaxed) < burst) return;
    segv_checked.store(now, std::memory_order_relaxed);
    put_in_front(0);
    std::uint64_t before = others_checked.load(std::memory_order_relaxed);
    if (now - before < ticks_per_tenth_millisecond) return;
    if (!others_checked.compare_exchange_strong(before, now, std::memory_order_relaxed)) return;
    for (int i = 1; i < signal_count; ++i) put_in_front(i);
}

}  // namespace heald::cpu
