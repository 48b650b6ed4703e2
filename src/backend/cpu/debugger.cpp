#include "src/backend/cpu/debugger.hpp"

#include "src/backend/cpu/spin_lock.hpp"

#include <cstdint>
#include <mutex>
#include <utility>

// The interface, by the names and layouts that debuggers know ("JIT Compilation Interface" in gdb's
// manual). The debugger sets a breakpoint on the function and reads the list when it is hit.
extern "C" {

struct heald_jit_code_entry {
    heald_jit_code_entry* next;
    heald_jit_code_entry* previous;
    const char* file;
    std::uint64_t bytes;
};

struct heald_jit_descriptor {
    std::uint32_t version;
    std::uint32_t action;
    heald_jit_code_entry* relevant;
    heald_jit_code_entry* first;
};

__attribute__((visibility("default"))) heald_jit_descriptor __jit_debug_descriptor = {1, 0, nullptr,
                                                                                      nullptr};

__attribute__((visibility("default"), noinline)) void __jit_debug_register_code() {
    asm volatile("" ::: "memory");
}
}

namespace heald::cpu {
namespace {

enum Action : std::uint32_t { no_action = 0, added = 1, removed = 2 };

constinit SpinLock list_lock;

void tell(Action action, heald_jit_code_entry* entry) noexcept {
    __jit_debug_descriptor.action = action;
    __jit_debug_descriptor.relevant = entry;
    __jit_debug_register_code();
    __jit_debug_descriptor.action = no_action;
    __jit_debug_descriptor.relevant = nullptr;
}

}  // namespace

struct DebuggerEntry::Node : heald_jit_code_entry {};

DebuggerEntry::DebuggerEntry(std::string elf) : elf_(std::move(elf)), node_(new Node{}) {
    node_->file = elf_.data();
    node_->bytes = elf_.size();
    const std::lock_guard hold(list_lock);
    node_->next = __jit_debug_descriptor.first;
    if (node_->next != nullptr) node_->next->previous = node_;
    __jit_debug_descriptor.first = node_;
    tell(added, node_);
}

DebuggerEntry::~DebuggerEntry() {
    {
        const std::lock_guard hold(list_lock);
        (node_->previous != nullptr ? node_->previous->next : __jit_debug_descriptor.first) =
            node_->next;
        if (node_->next != nullptr) node_->next->previous = node_->previous;
        tell(removed, node_);
    }
    delete node_;
}

void debugger_before_fork() noexcept {
    list_lock.lock();
}
void debugger_after_fork() noexcept {
    list_lock.unlock();
}

}  // namespace heald::cpu
