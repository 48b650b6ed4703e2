#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace heald::cpu {

/// How a kernel failed.
enum class FaultKind : std::uint8_t {
    none,
    unmapped,    ///< access to memory that is not there or may not be accessed so
    stack,       ///< the thread's stack is used up
    arithmetic,  ///< SIGFPE
    illegal,     ///< SIGILL
    bus,         ///< SIGBUS: beyond the end of a mapped file, or misaligned
    call,        ///< a call to an address that holds no code
    assertion,   ///< a failed assert
    trap,        ///< __trap
};

/// One failure, as the thread that ran the kernel left it.
struct Fault {
    FaultKind kind = FaultKind::none;
    bool is_write = false;
    bool access_known = false;  ///< `is_write` means something
    bool thread_known = false;
    std::uint32_t thread[3] = {};
    std::uint64_t address = 0;
    std::uint64_t block = 0;  ///< linear index
    char message[400] = {};   ///< of a failed assert

    [[nodiscard]] explicit operator bool() const noexcept { return kind != FaultKind::none; }
};

/// "wrote to unmapped address 0x10 in block (3, 0, 0)". `grid` makes the block index readable.
std::string describe(const Fault& fault, const std::uint32_t grid[3]);

/// Installs heald's handlers for SIGSEGV, SIGBUS, SIGFPE and SIGILL in front of those that are
/// there, and puts them back in front if something else has been installed since. Cheap: one system
/// call for SIGSEGV, at most every 0.4 µs, and for the others at most every 0.1 ms.
void ensure_fault_handlers() noexcept;

}  // namespace heald::cpu
