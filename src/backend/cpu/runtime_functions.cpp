#include "src/backend/cpu/runtime_functions.hpp"

#include "src/backend/cpu/kernel_thread.hpp"
#include "src/backend/cpu/math_libraries.hpp"
#include "src/backend/cpu/memory_functions.hpp"
#include "src/backend/cpu/worker_pool.hpp"

#include <sched.h>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace heald::cpu {
namespace {

std::atomic<unsigned long> relaxed{0};

/// While one of these functions runs, a fault is the process's own: a jump out of malloc or stdio
/// would leave their locks behind.
class OutsideKernel {
public:
    OutsideKernel() : thread_(KernelThread::current_or_null()) {
        if (thread_ == nullptr) return;
        before_ = thread_->guard;
        thread_->guard = KernelThread::Guard::none;
    }
    ~OutsideKernel() {
        if (thread_ != nullptr) thread_->guard = before_;
    }
    [[nodiscard]] KernelThread* thread() const noexcept { return thread_; }

private:
    KernelThread* thread_;
    KernelThread::Guard before_ = KernelThread::Guard::none;
};

extern "C" int heald_kernel_printf(const char* format, ...) {
    const OutsideKernel outside;
    KernelThread* thread = outside.thread();
    if (thread == nullptr) return -1;
    char text[512];
    std::va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    // Formatting into memory takes no lock: a bad pointer given to %s is the kernel's own fault.
    thread->guard = KernelThread::Guard::pure;
    int length = std::vsnprintf(text, sizeof text, format, arguments);
    thread->guard = KernelThread::Guard::none;
    try {
        const auto bytes = static_cast<std::size_t>(length < 0 ? 0 : length);
        if (bytes < sizeof text)
            thread->printed.append(text, bytes);
        else
            thread->printed.append_formatted(bytes, format, again);
    } catch (const std::bad_alloc&) {
        length = -1;  // what does not fit is not printed, as on a GPU
    }
    va_end(again);
    va_end(arguments);
    return length;
}

void note_thread(Fault& fault, unsigned x, unsigned y, unsigned z) noexcept {
    fault.thread_known = true;
    fault.thread[0] = x;
    fault.thread[1] = y;
    fault.thread[2] = z;
}

extern "C" [[noreturn]] void heald_kernel_assert_fail(const char* expression, const char* file,
                                                      unsigned line, const char* function,
                                                      unsigned x, unsigned y, unsigned z) {
    KernelThread& thread = KernelThread::current();
    thread.guard = KernelThread::Guard::none;
    Fault& fault = thread.fault;
    fault.kind = FaultKind::assertion;
    std::snprintf(fault.message, sizeof fault.message, "failed assert(%s) at %s:%u, %s,",
                  expression, file, line, function);
    note_thread(fault, x, y, z);
    thread.leave();
}

extern "C" [[noreturn]] void heald_kernel_trap(unsigned x, unsigned y, unsigned z) {
    KernelThread& thread = KernelThread::current();
    thread.fault.kind = FaultKind::trap;
    note_thread(thread.fault, x, y, z);
    thread.leave();
}

extern "C" void heald_kernel_relax() {
    const unsigned long count = relaxed.fetch_add(1, std::memory_order_relaxed);
    if (count % 256 == 255) {
        const OutsideKernel outside;
        WorkerPool::instance().note_waiting_kernel();
    }
    sched_yield();
}

extern "C" void* heald_kernel_malloc(std::size_t bytes) {
    const OutsideKernel outside;
    return std::malloc(bytes);
}

// What optimisers make of malloc and memset.
extern "C" void* heald_kernel_calloc(std::size_t count, std::size_t bytes) {
    const OutsideKernel outside;
    return std::calloc(count, bytes);
}

extern "C" void heald_kernel_free(void* memory) {
    const OutsideKernel outside;
    std::free(memory);
}

struct Row {
    std::string_view name;
    void* address;
};

template <class Function>
void* address_of(Function* function) noexcept {
    return reinterpret_cast<void*>(function);
}

}  // namespace

void* runtime_function(std::string_view name) {
    static const Row rows[] = {
        {"printf", address_of(heald_kernel_printf)},
        {"__heald_assert_fail", address_of(heald_kernel_assert_fail)},
        {"__heald_trap", address_of(heald_kernel_trap)},
        {"__heald_relax", address_of(heald_kernel_relax)},
        {"malloc", address_of(heald_kernel_malloc)},
        {"calloc", address_of(heald_kernel_calloc)},
        {"free", address_of(heald_kernel_free)},
        {"memcpy", address_of(heald_kernel_memmove)},
        {"memmove", address_of(heald_kernel_memmove)},
        {"memset", address_of(heald_kernel_memset)},
        {"memcmp", address_of(heald_kernel_memcmp)},
        {"strlen", address_of(heald_kernel_strlen)},
    };
    for (const Row& row : rows)
        if (row.name == name) {
            make_memory_functions_catchable();
            return row.address;
        }
    return math_function(name);
}

unsigned long relax_count() noexcept {
    return relaxed.load(std::memory_order_relaxed);
}

}  // namespace heald::cpu
