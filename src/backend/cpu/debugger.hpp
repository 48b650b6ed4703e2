#pragma once

#include <string>
#include <string_view>

namespace heald::cpu {

/// Tells debuggers of loaded code that has line information, through the interface that gdb and
/// lldb look for (`__jit_debug_register_code`): breakpoints in kernels work, and backtraces name
/// lines.
class DebuggerEntry {
public:
    /// `elf` is a relocatable object whose section headers hold the addresses in memory.
    explicit DebuggerEntry(std::string elf);
    ~DebuggerEntry();
    DebuggerEntry(const DebuggerEntry&) = delete;
    DebuggerEntry& operator=(const DebuggerEntry&) = delete;

private:
    struct Node;

    const std::string elf_;
    Node* node_ = nullptr;
};

/// Around fork(): no thread is changing the list.
void debugger_before_fork() noexcept;
void debugger_after_fork() noexcept;

}  // namespace heald::cpu
