#pragma once

#include "src/backend/cpu/arena.hpp"
#include "src/backend/cpu/fault.hpp"
#include "src/backend/cpu/kernel_abi.hpp"
#include "src/backend/cpu/print_buffer.hpp"

#include <csetjmp>
#include <cstddef>
#include <cstdint>

namespace heald::cpu {

/// What a thread needs to run kernels: a way out of a faulting one, an alternate signal stack,
/// arenas, a buffer for printf. Made at the thread's first kernel, freed at its end.
class KernelThread {
public:
    /// This thread's; prepares it at the first call.
    static KernelThread& current() {
        KernelThread* self = this_thread_;
        return self != nullptr ? *self : prepare();
    }
    /// Null on a thread that never ran a kernel. Safe in a signal handler.
    static KernelThread* current_or_null() noexcept { return this_thread_; }

    KernelThread();
    ~KernelThread();
    KernelThread(const KernelThread&) = delete;
    KernelThread& operator=(const KernelThread&) = delete;

    /// Runs blocks [first, last) with faults caught. `context` and `shared` as kernel_abi.hpp says.
    [[nodiscard]] bool run(BlocksFunction function, void* const* argv, BlockContext& context,
                           std::byte* shared, std::uint64_t first, std::uint64_t last) noexcept;

    /// memmove or a fill of memory that the user named, with faults caught at any address of code:
    /// neither allocates nor locks.
    [[nodiscard]] bool run_pure(void (*function)(void*), void* argument) noexcept;

    /// Leaves the running kernel: `fault` is filled in already.
    [[noreturn]] void leave() noexcept;

    /// Until the next call with null, `overflow(argument)` is called in the signal handler when the
    /// thread's stack is used up, and does not return.
    void watch_stack(void (*overflow)(void*) noexcept, void* argument) noexcept;

    Arena shared;
    Arena frames;
    PrintBuffer printed;
    Fault fault;  ///< of the last run that returned false

    // For the signal handler and the functions that kernels call.
    enum class Guard : std::uint8_t { none, kernel, pure, stack };
    volatile Guard guard = Guard::none;
    BlockContext* context = nullptr;  ///< of the running kernel
    std::uintptr_t stack_low = 0;     ///< lowest usable address of the thread's stack, 0: unknown
    void (*overflow)(void*) noexcept = nullptr;  ///< with Guard::stack
    void* overflow_argument = nullptr;
    volatile bool chaining = false;  ///< inside a handler that was there before heald's

private:
    static KernelThread& prepare();
    void prepare_stack() noexcept;

    // Initial-exec: reading it in a signal handler must not allocate.
    [[gnu::tls_model("initial-exec")]] static thread_local KernelThread* this_thread_;

    sigjmp_buf exit_;
    void* alternate_stack_ = nullptr;
    std::size_t alternate_mapped_ = 0;
};

}  // namespace heald::cpu
