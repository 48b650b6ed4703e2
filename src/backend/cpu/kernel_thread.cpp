#include "src/backend/cpu/kernel_thread.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <atomic>
#include <csignal>
#include <memory>

namespace heald::cpu {

constinit thread_local KernelThread* KernelThread::this_thread_ = nullptr;

KernelThread& KernelThread::prepare() {
    thread_local std::unique_ptr<KernelThread> owner;
    if (owner == nullptr) owner = std::make_unique<KernelThread>();
    this_thread_ = owner.get();
    return *owner;
}

KernelThread::KernelThread() {
    prepare_stack();
}

KernelThread::~KernelThread() {
    this_thread_ = nullptr;
    if (alternate_stack_ == nullptr) return;
    stack_t now{};
    auto* usable = static_cast<char*>(alternate_stack_) + sysconf(_SC_PAGESIZE);
    if (sigaltstack(nullptr, &now) == 0 && now.ss_sp == usable) {
        stack_t off{};
        off.ss_flags = SS_DISABLE;
        if (sigaltstack(&off, nullptr) != 0) return;  // in use: leak it
    }
    munmap(alternate_stack_, alternate_mapped_);
}

void KernelThread::prepare_stack() noexcept {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void* low = nullptr;
        std::size_t size = 0;
        if (pthread_attr_getstack(&attributes, &low, &size) == 0)
            stack_low = reinterpret_cast<std::uintptr_t>(low);
        pthread_attr_destroy(&attributes);
    }

    // A stack that somebody else gave the thread (faulthandler on the main one) serves as well.
    stack_t now{};
    if (sigaltstack(nullptr, &now) == 0 && !(now.ss_flags & SS_DISABLE)) return;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t usable = std::size_t{64} << 10;
    void* memory =
        mmap(nullptr, usable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    mprotect(memory, page, PROT_NONE);
    stack_t own{};
    own.ss_sp = static_cast<char*>(memory) + page;
    own.ss_size = usable;
    if (sigaltstack(&own, nullptr) != 0) {
        munmap(memory, usable + page);
        return;
    }
    alternate_stack_ = memory;
    alternate_mapped_ = usable + page;
}

// The jump skips no destructor: between sigsetjmp and the fault there is compiled code only, whose
// frames need none, or one of the few C-like functions that it calls.
bool KernelThread::run(BlocksFunction function, void* const* argv, BlockContext& block_context,
                       std::byte* shared_memory, std::uint64_t first, std::uint64_t last) noexcept {
    fault.kind = FaultKind::none;
    context = &block_context;
    if (sigsetjmp(exit_, 0) == 0) {
        guard = Guard::kernel;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        function(argv, &block_context, shared_memory, first, last);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        guard = Guard::none;
        return true;
    }
    guard = Guard::none;
    fault.block = context->current_block;
    return false;
}

bool KernelThread::run_pure(void (*function)(void*), void* argument) noexcept {
    fault.kind = FaultKind::none;
    context = nullptr;
    if (sigsetjmp(exit_, 0) == 0) {
        guard = Guard::pure;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        function(argument);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        guard = Guard::none;
        return true;
    }
    guard = Guard::none;
    return false;
}

void KernelThread::watch_stack(void (*function)(void*) noexcept, void* argument) noexcept {
    guard = Guard::none;
    overflow = function;
    overflow_argument = argument;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (function != nullptr) guard = Guard::stack;
}

void KernelThread::leave() noexcept {
    guard = Guard::none;
    siglongjmp(exit_, 1);
}

}  // namespace heald::cpu
