#pragma once

#include <heald/kernel.hpp>

#include "src/backend/cuda/deferred.hpp"
#include "src/backend/cuda/driver/api.hpp"
#include "src/backend/cuda/driver/status.hpp"
#include "src/backend/cuda/event_pool.hpp"
#include "src/backend/cuda/host_flags.hpp"
#include "src/backend/cuda/launch_log.hpp"
#include "src/base/fork.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace heald::cuda {

/// A number that this process has not used before, never 0.
[[nodiscard]] inline std::uint64_t next_unique_id() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// The primary context of one device: retained once, never reset, never released (other libraries'
/// memory lives there). Keeps what went wrong in it.
class Context {
public:
    explicit Context(int ordinal);

    [[nodiscard]] driver::Api& api() const noexcept { return api_; }
    [[nodiscard]] driver::Context handle() const noexcept { return handle_; }
    [[nodiscard]] driver::Device device() const noexcept { return device_; }
    [[nodiscard]] int ordinal() const noexcept { return ordinal_; }
    [[nodiscard]] std::string name() const;  ///< "cuda:0"
    [[nodiscard]] Deferred& deferred() noexcept { return deferred_; }
    [[nodiscard]] EventPool& events() noexcept { return events_; }
    [[nodiscard]] HostFlags& flags() noexcept { return flags_; }

    /// Throws if `result` is not success. A fault is remembered, with the launches that may have
    /// caused it, and repeated by every later failure.
    void check(driver::Result result, const char* operation) {
        if (result != driver::Result::success) [[unlikely]]
            raise(result, operation);
    }
    [[noreturn]] void raise(driver::Result result, const char* operation,
                            const std::string& launch = {});

    /// Launches of a queue, to be listed after a fault.
    std::shared_ptr<LaunchLog> make_log();
    [[nodiscard]] bool faulted() const noexcept { return faulted_.load(std::memory_order_relaxed); }

    /// Refuses use from a forked child and from a host function on a stream.
    void check_caller() const {
        if (fork_generation() != generation_ || in_host_function) [[unlikely]]
            refuse_caller();
    }

    static thread_local bool in_host_function;

private:
    [[noreturn]] void refuse_caller() const;
    [[nodiscard]] std::string unfinished_launches() const;

    driver::Api& api_;
    int ordinal_;
    std::uint64_t generation_;
    driver::Device device_ = 0;
    driver::Context handle_ = nullptr;
    EventPool events_;
    HostFlags flags_;
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<LaunchLog>> logs_;
    std::string fault_;  // the first fault's text
    std::atomic<bool> faulted_{false};
    Deferred deferred_;  // last: its thread uses the rest
};

/// Makes a context current on this thread while it lives, unless it is already: one driver call
/// when it is, and the thread's own context comes back when it was not.
class Current {
public:
    explicit Current(const Context& context) : api_(context.api()) {
        context.check_caller();
        driver::Context now = nullptr;
        api_.cuCtxGetCurrent(&now);
        if (now == context.handle()) return;
        driver::check(api_.cuCtxPushCurrent_v2(context.handle()), "cuCtxPushCurrent");
        pushed_ = true;
    }
    ~Current() {
        driver::Context previous = nullptr;
        if (pushed_) api_.cuCtxPopCurrent_v2(&previous);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

private:
    driver::Api& api_;
    bool pushed_ = false;
};

/// Lets destructors and releases through where check_caller refuses a user's call: they wait for
/// nothing.
class InternalCall {
public:
    InternalCall() noexcept : before_(Context::in_host_function) {
        Context::in_host_function = false;
    }
    ~InternalCall() { Context::in_host_function = before_; }
    InternalCall(const InternalCall&) = delete;
    InternalCall& operator=(const InternalCall&) = delete;

private:
    bool before_;
};

/// Lets calls that are unsafe under stream capture (allocation, loading) run although another
/// thread or library captures a stream in global mode.
class DuringCapture {
public:
    explicit DuringCapture(const Context& context) : api_(context.api()) {
        if (api_.cuThreadExchangeStreamCaptureMode) api_.cuThreadExchangeStreamCaptureMode(&mode_);
    }
    ~DuringCapture() {
        if (api_.cuThreadExchangeStreamCaptureMode) api_.cuThreadExchangeStreamCaptureMode(&mode_);
    }
    DuringCapture(const DuringCapture&) = delete;
    DuringCapture& operator=(const DuringCapture&) = delete;

private:
    driver::Api& api_;
    driver::CaptureMode mode_ = driver::CaptureMode::relaxed;
};

}  // namespace heald::cuda
