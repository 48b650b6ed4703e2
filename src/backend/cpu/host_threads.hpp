#pragma once

#include <functional>

namespace heald::cpu {

/// Runs `job` on a thread of heald's that is not a worker, so that it may block. Threads are made
/// on demand up to a limit, kept for a while, and shared by all queues. Throws Error(device) if
/// there is no thread and none can be made.
void run_on_host_thread(std::function<void()> job);

/// Whether this thread is inside a host function of a stream, which may not use the device.
[[nodiscard]] bool in_host_function() noexcept;

/// Throws Error(device) inside a host function.
void refuse_in_host_function();

/// Marks this thread so.
class HostFunctionScope {
public:
    HostFunctionScope() noexcept;
    ~HostFunctionScope();
    HostFunctionScope(const HostFunctionScope&) = delete;
    HostFunctionScope& operator=(const HostFunctionScope&) = delete;
};

void host_threads_before_fork() noexcept;
void host_threads_after_fork_in_parent() noexcept;
void host_threads_after_fork_in_child() noexcept;

}  // namespace heald::cpu
