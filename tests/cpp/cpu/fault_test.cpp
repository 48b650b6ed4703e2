#include "tests/cpp/cpu/kernels.hpp"

#include "src/backend/cpu/fault.hpp"
#include "src/backend/cpu/runtime_functions.hpp"
#include "src/backend/cpu/transfer.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace heald::cpu {
namespace {

using namespace testing;

// The kernels of this file stand for compiled code: the program's own text counts as such.
[[gnu::noinline]] void touch(volatile int* address) {
    *address = 1;
}

void write_to_null(void* const*, BlockContext* context, std::byte*, std::uint64_t first,
                   std::uint64_t last) {
    for (std::uint64_t block = first; block < last; ++block) {
        context->current_block = block;
        if (block == 5) touch(reinterpret_cast<int*>(0x10));
    }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winfinite-recursion"
[[gnu::noinline, gnu::no_sanitize("address", "undefined", "thread")]] int overflow(int depth) {
    volatile char room[4096];
    room[0] = static_cast<char>(depth);
    return overflow(depth + 1) + room[0];
}
#pragma GCC diagnostic pop

void overflow_stack(void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
    overflow(0);
}

void divide(void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
#if defined(__x86_64__)
    asm volatile("xorl %%ecx, %%ecx; movl $1, %%eax; cltd; idivl %%ecx" ::
                     : "eax", "ecx", "edx", "cc");
#else
    raise(SIGFPE);
#endif
}

void illegal(void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
    __builtin_trap();
}

void call_nowhere(void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
    void (*volatile target)() = reinterpret_cast<void (*)()>(0x40);
    target();
}

void fail_assert(void* const*, BlockContext* context, std::byte*, std::uint64_t first,
                 std::uint64_t) {
    context->current_block = first;
    const auto failed =
        reinterpret_cast<void (*)(const char*, const char*, unsigned, const char*, unsigned,
                                  unsigned, unsigned)>(runtime_function("__heald_assert_fail"));
    failed("i < n", "kernel.cu", 12, "f(int)", 3, 0, 0);
}

void trap(void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
    reinterpret_cast<void (*)(unsigned, unsigned, unsigned)>(runtime_function("__heald_trap"))(1, 2,
                                                                                               3);
}

void copy_to_null(void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
    static char source[1000];
    using Copy = void* (*)(void*, const void*, std::size_t);
    reinterpret_cast<Copy>(runtime_function("memcpy"))(reinterpret_cast<void*>(0x20), source, 1000);
}

void print_from_null(void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
    reinterpret_cast<int (*)(const char*, ...)>(runtime_function("printf"))(
        "%d %s", 1, reinterpret_cast<char*>(0x70));
}

class Fault : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        dl_iterate_phdr(
            [](dl_phdr_info* info, std::size_t, void*) {
                for (int i = 0; i < info->dlpi_phnum; ++i) {
                    const auto& header = info->dlpi_phdr[i];
                    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
                    const auto* begin =
                        reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
                    add_callable_range(begin, begin + header.p_memsz);
                }
                return 1;  // the program itself comes first
            },
            nullptr);
    }

    /// The text of the error that a launch leaves, after checking that the device is usable.
    static std::string failure_of(BlocksFunction blocks, bool on_the_spot, std::uint32_t grid = 8) {
        const auto queue = Queue::make(0);
        launch(*make_kernel(blocks, 0, on_the_spot), *queue, shape(grid));
        std::string text;
        EXPECT_EQ(kind_of_error([&] { queue->synchronize(); }, &text), ErrorKind::kernel_fault);
        std::atomic<std::int64_t> count{0};
        launch(*make_kernel(count_blocks, 1, on_the_spot), *queue, shape(9), &count);
        EXPECT_NO_THROW(queue->synchronize());
        EXPECT_EQ(count.load(), 9);
        return text;
    }
};

void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
        EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST_F(Fault, NullPointerNamesKernelBlockAddressAndLaunchSite) {
    for (const bool on_the_spot : {true, false})
        for (int repeat = 0; repeat < 3; ++repeat)
            expect_parts(failure_of(write_to_null, on_the_spot),
                         {"test_kernel", "wrote to address 0x10", "block (5, 0, 0)", "test.cu:7"});
}

TEST_F(Fault, StackOverflow) {
    for (int repeat = 0; repeat < 2; ++repeat) {
        expect_parts(failure_of(overflow_stack, false), {"stack"});
        expect_parts(failure_of(overflow_stack, true), {"stack"});
    }
}

TEST_F(Fault, ArithmeticAndIllegalInstructions) {
    for (const bool on_the_spot : {true, false}) {
        expect_parts(failure_of(divide, on_the_spot), {"arithmetic"});
        expect_parts(failure_of(illegal, on_the_spot), {"illegal"});
    }
}

TEST_F(Fault, CallOfAnAddressWithoutCode) {
    expect_parts(failure_of(call_nowhere, false), {"called address 0x40"});
}

TEST_F(Fault, FailedAssertAndTrapNameTheThread) {
    for (const bool on_the_spot : {true, false}) {
        expect_parts(failure_of(fail_assert, on_the_spot, 1),
                     {"i < n", "kernel.cu:12", "f(int)", "block (0, 0, 0)", "thread (3, 0, 0)"});
        expect_parts(failure_of(trap, on_the_spot), {"trap", "thread (1, 2, 3)"});
    }
}

TEST_F(Fault, MemoryFunctionsOfKernels) {
    expect_parts(failure_of(copy_to_null, false), {"wrote to address 0x20"});
    expect_parts(failure_of(print_from_null, false), {"read from address 0x70"});
}

TEST_F(Fault, OnThreadsOfTheProgram) {
    std::vector<std::thread> users;
    for (int t = 0; t < 8; ++t)
        users.emplace_back([] {
            for (int i = 0; i < 20; ++i) {
                expect_parts(failure_of(write_to_null, i % 2 == 0), {"0x10"});
                if (i % 5 == 0) expect_parts(failure_of(overflow_stack, true), {"stack"});
            }
        });
    for (auto& user : users) user.join();
}

TEST_F(Fault, StopsTheOtherBlocksOfTheLaunchOnly) {
    const auto queue = Queue::make(0), other = Queue::make(0);
    std::atomic<int> begun{0};
    const auto body = [](void* const* argv, BlockContext* context, std::byte*, std::uint64_t first,
                         std::uint64_t) {
        auto* flag = parameter<std::atomic<int>>(argv, 0);
        if (first == 0) {
            while (flag->load() == 0) sched_yield();  // until another block runs for ever
            touch(reinterpret_cast<int*>(0x30));
        }
        flag->store(1);
        while (!cancelled(*context)) sched_yield();
    };
    launch(*make_kernel(body, 1), *queue, shape(2), &begun);
    std::atomic<std::int64_t> count{0};
    launch(*make_kernel(count_blocks, 1), *other, shape(100), &count);
    EXPECT_EQ(kind_of_error([&] { queue->synchronize(); }), ErrorKind::kernel_fault);
    other->synchronize();
    EXPECT_EQ(count.load(), 100);
}

TEST_F(Fault, CopyOfMemoryThatIsNotThere) {
    const auto queue = Queue::make(0);
    std::vector<char> data(1 << 20);
    for (const std::size_t bytes : {std::size_t{100}, data.size()}) {
        std::string text;
        enqueue_copy(data.data(), reinterpret_cast<void*>(0x1000), bytes, *queue, nullptr);
        EXPECT_EQ(kind_of_error([&] { queue->synchronize(); }, &text), ErrorKind::kernel_fault);
        expect_parts(text, {"Buffer.copy", "not mapped"});
#if !defined(__SANITIZE_ADDRESS__)  // whose memmove looks at other addresses first
        // Workers share the large copy: any of them may be first.
        expect_parts(text, {bytes == 100 ? "address 0x1" : "address 0x"});
#endif
    }
}

// Handlers that others install keep what is not a kernel's.

volatile sig_atomic_t seen_by_other = 0;
void other_handler(int, siginfo_t* info, void*) {
    seen_by_other = 1;
    // As a garbage collector's write barrier does.
    mprotect(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(info->si_addr) &
                                     ~std::uintptr_t{4095}),
             4096, PROT_READ | PROT_WRITE);
}

TEST_F(Fault, AHandlerInstalledLaterStillGetsItsOwnFaults) {
    failure_of(write_to_null, true);
    struct sigaction action{}, before{};
    action.sa_sigaction = other_handler;
    action.sa_flags = SA_SIGINFO;
    ASSERT_EQ(sigaction(SIGSEGV, &action, &before), 0);
    failure_of(write_to_null, true);  // in front again
    failure_of(write_to_null, false);
    EXPECT_EQ(seen_by_other, 0);
    auto* page =
        static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (int i = 0; i < 1000; ++i) {  // mended faults are no reason to give up
        mprotect(page, 4096, PROT_NONE);
        *static_cast<volatile char*>(page) = 3;
    }
    EXPECT_EQ(seen_by_other, 1);
    EXPECT_EQ(*page, 3);
    munmap(page, 4096);
    sigaction(SIGSEGV, &before, nullptr);
    failure_of(write_to_null, true);
}

/// How a child that runs `body` ends.
template <class Body>
int status_of_child(Body&& body) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const int null = open("/dev/null", O_WRONLY);
        dup2(null, 2);
        signal(SIGSEGV, SIG_DFL);
        body();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

struct sigaction faulthandler_previous;
// As Python's: reports, puts the earlier handler back, raises again.
void faulthandler_like(int signal) {
    static const char text[] = "Fatal error\n";
    [[maybe_unused]] const auto written = write(2, text, sizeof text - 1);
    sigaction(signal, &faulthandler_previous, nullptr);
    raise(signal);
}

void enable_faulthandler() {
    struct sigaction action{};
    action.sa_handler = faulthandler_like;
    action.sa_flags = SA_NODEFER | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &faulthandler_previous);
}

TEST_F(Fault, AFaultOutsideKernelsEndsTheProcessByItsSignal) {
    const auto crash = [] { touch(reinterpret_cast<int*>(0x50)); };
    const auto expect_segv = [](int status, const char* what) {
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) << what << ": " << status;
    };
    expect_segv(status_of_child([&] {
                    failure_of(write_to_null, true);
                    crash();
                }),
                "alone");
    expect_segv(status_of_child([&] {
                    enable_faulthandler();
                    failure_of(write_to_null, true);
                    crash();
                }),
                "faulthandler before");
    expect_segv(status_of_child([&] {
                    failure_of(write_to_null, true);
                    enable_faulthandler();
                    crash();
                }),
                "faulthandler after");
    expect_segv(status_of_child([&] {
                    failure_of(write_to_null, true);
                    enable_faulthandler();
                    failure_of(write_to_null, true);
                    crash();
                }),
                "faulthandler between");
    expect_segv(status_of_child([&] {
                    failure_of(write_to_null, true);
                    struct sigaction action{};
                    action.sa_handler = [](int) {};  // returns: the fault happens again and again
                    sigaction(SIGSEGV, &action, nullptr);
                    failure_of(write_to_null, true);
                    crash();
                }),
                "a handler that only returns");
    expect_segv(status_of_child([&] {
                    failure_of(write_to_null, true);
                    raise(SIGSEGV);
                }),
                "raise");
    const int aborted = status_of_child([&] {
        failure_of(write_to_null, true);
        std::abort();
    });
    EXPECT_TRUE(WIFSIGNALED(aborted) && WTERMSIG(aborted) == SIGABRT) << aborted;
}

#endif

}  // namespace
}  // namespace heald::cpu
