#pragma once

// What the processor knew when a signal arrived, per architecture.

#include <ucontext.h>
#include <csignal>
#include <cstdint>

namespace heald::cpu {

struct SignalFrame {
    std::uintptr_t pc = 0;
    std::uintptr_t sp = 0;
    std::uintptr_t return_address = 0;  ///< of a call that has just been made
    bool access_known = false;
    bool is_write = false;
};

inline SignalFrame read_signal_frame(const void* raw) noexcept {
    const auto& context = *static_cast<const ucontext_t*>(raw);
    SignalFrame frame;
#if defined(__x86_64__)
    frame.pc = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
    frame.sp = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
    constexpr long page_fault = 14;
    if (context.uc_mcontext.gregs[REG_TRAPNO] == page_fault) {
        frame.access_known = true;
        frame.is_write = (context.uc_mcontext.gregs[REG_ERR] & 2) != 0;
    }
#elif defined(__aarch64__)
    frame.pc = context.uc_mcontext.pc;
    frame.sp = context.uc_mcontext.sp;
    frame.return_address = context.uc_mcontext.regs[30];
#endif
    return frame;
}

}  // namespace heald::cpu
