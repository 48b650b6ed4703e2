#pragma once

// What a device must do for heald: the interface between the engine and its backends. One Backend
// object stands for one device. Everything may be called from any thread; calls with distinct
// queues do not serialise. "Enqueue" means: returns without waiting (beyond a full queue), runs in
// the queue's order, and a failure is raised at the next synchronisation.

#include <heald/buffer.hpp>
#include <heald/device.hpp>
#include <heald/doctor.hpp>
#include <heald/kernel.hpp>
#include <heald/signature.hpp>
#include <heald/stream.hpp>

#include "src/core/code.hpp"
#include "src/core/signal.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heald::core {

/// A queue of a backend. Destroying it waits for nothing; queued work goes on.
class QueueImpl {
public:
    virtual ~QueueImpl() = default;
    /// For those who hand it to others.
    [[nodiscard]] virtual std::uintptr_t handle() const = 0;
    [[nodiscard]] virtual bool has_handle(std::uintptr_t value) const { return handle() == value; }
    [[nodiscard]] virtual int priority() const { return 0; }
};

/// A point in a queue.
class EventImpl {
public:
    virtual ~EventImpl() = default;
    [[nodiscard]] virtual std::uintptr_t handle() const = 0;
};

/// A kernel of a loaded code, alive as long as its CodeImpl.
class FunctionImpl {
public:
    virtual ~FunctionImpl() = default;
    [[nodiscard]] virtual const std::string& name() const = 0;
    [[nodiscard]] virtual const Signature& signature() const = 0;
    /// Makes whatever a first launch with blocks of this shape would make.
    virtual void prepare(const Dim3& /*block*/) {}
};

/// A module-level variable.
struct GlobalSymbol {
    void* address = nullptr;
    std::size_t size = 0;
    bool is_constant = false;
};

/// Code loaded on one device.
class CodeImpl {
public:
    virtual ~CodeImpl() = default;
    /// `lowered` is the mangled name. Error(not_found) otherwise.
    virtual FunctionImpl& function(const std::string& lowered) = 0;
    virtual GlobalSymbol global(const std::string& lowered) = 0;
    [[nodiscard]] virtual std::vector<std::string> function_names() = 0;
};

/// A launch with everything fixed.
class BoundImpl {
public:
    virtual ~BoundImpl() = default;
    virtual void launch() = 0;
};

class Backend {
public:
    virtual ~Backend() = default;

    // The device.
    [[nodiscard]] virtual const DeviceProperties& properties() const = 0;
    [[nodiscard]] virtual Device::MemoryInfo memory_info() = 0;
    [[nodiscard]] virtual bool can_access(const Backend& peer) const = 0;
    /// Waits for all work of the device; throws what it left behind.
    virtual void synchronize() = 0;

    // Memory. Allocation and release are ordered on `queue`; memory is aligned to 256 bytes.
    /// Throws Error(out_of_memory) after trimming the cache; the text is the caller's to complete.
    virtual void* allocate(std::size_t bytes, MemoryKind kind, QueueImpl& queue) = 0;
    virtual void release(void* data, std::size_t bytes, MemoryKind kind,
                         QueueImpl& queue) noexcept = 0;
    [[nodiscard]] virtual std::size_t cached_bytes() const = 0;
    virtual void trim(std::size_t keep_bytes) = 0;
    /// Enqueues. Either side may be host, pinned or any device's memory. `owner` lives until done.
    virtual void copy(void* destination, const void* source, std::size_t bytes, QueueImpl& queue,
                      std::shared_ptr<const void> owner) = 0;
    // Copies of the host's memory that the caller waits for; false: nothing was done, copy() and a
    // synchronisation do as well.
    /// Enqueues; `source` may be changed as soon as this returns.
    virtual bool copy_taking(void*, const void*, std::size_t, QueueImpl&) { return false; }
    /// Returns when the data are in `destination`.
    virtual bool copy_waiting(void*, const void*, std::size_t, QueueImpl&) { return false; }
    virtual void fill(void* destination, std::uint64_t pattern, unsigned pattern_bytes,
                      std::size_t count, QueueImpl& queue) = 0;

    // Queues and events.
    virtual std::shared_ptr<QueueImpl> default_queue() = 0;
    virtual std::shared_ptr<QueueImpl> make_queue(const StreamOptions& options) = 0;
    virtual std::shared_ptr<QueueImpl> wrap_queue(std::uintptr_t handle) = 0;
    virtual void synchronize(QueueImpl& queue) = 0;
    virtual bool done(QueueImpl& queue) = 0;
    virtual void cancel(QueueImpl& queue) = 0;
    virtual void host_function(QueueImpl& queue, std::function<void()> function) = 0;
    /// Enqueues host code in pieces that the device's threads share: run(first, last) for ranges
    /// that make up [0, pieces). `short_work`: the calling thread may do it all, now.
    virtual void host_pieces(QueueImpl& queue, std::uint64_t pieces, bool /*short_work*/,
                             std::function<void(std::uint64_t, std::uint64_t)> run) {
        host_function(queue, [pieces, run = std::move(run)] { run(0, pieces); });
    }
    /// Runs code of a library that works on the calling thread's current device: this one
    /// meanwhile.
    virtual void with_library(void (*run)(void*), void* data) { run(data); }
    virtual std::shared_ptr<EventImpl> make_event(bool timing) = 0;
    virtual void record(EventImpl& event, QueueImpl& queue) = 0;
    /// `queue` waits for what `event` stands for now, which a device of the same kind recorded: the
    /// event may be recorded again at once without changing this wait.
    virtual void wait(QueueImpl& queue, EventImpl& event) = 0;
    /// `queue` waits for a signal, which a device of another kind sets. A backend that can wait
    /// without keeping a thread busy overrides this.
    virtual void wait_signal(QueueImpl& queue, std::shared_ptr<Signal> signal) {
        host_function(queue, [signal = std::move(signal)] { signal->wait(); });
    }
    virtual void synchronize(EventImpl& event) = 0;
    virtual bool done(EventImpl& event) = 0;
    virtual float elapsed(EventImpl& start, EventImpl& stop) = 0;

    // Code.
    /// Names the compiler and target; part of cache keys.
    virtual std::string compiler_identity(const CompileRequest& request) = 0;
    virtual CodeData compile(const CompileRequest& request) = 0;
    virtual CodeData link(const std::vector<const CodeData*>& inputs,
                          const CompileRequest& request) = 0;
    virtual std::shared_ptr<CodeImpl> load(const CodeData& code) = 0;

    // Kernels. `owner` (the code) lives until the work is done.
    virtual KernelAttributes attributes(FunctionImpl& function) = 0;
    virtual int max_active_blocks(FunctionImpl& function, int block, std::size_t shared) = 0;
    virtual BlockSize suggest_block_size(FunctionImpl& function, std::size_t shared) = 0;
    virtual void launch(FunctionImpl& function, QueueImpl& queue, const LaunchConfig& config,
                        const PackedArguments& arguments, const LaunchSite& site) = 0;
    virtual std::shared_ptr<BoundImpl> bind(FunctionImpl& function,
                                            std::shared_ptr<QueueImpl> queue,
                                            const LaunchConfig& config,
                                            const PackedArguments& arguments,
                                            const LaunchSite& site) = 0;

    /// Libraries that this backend looks for.
    virtual void report(DoctorReport& report) = 0;
};

/// What a backend knows of the machine without being asked for a device.
struct BackendKind {
    DeviceKind kind;
    /// Number of usable devices. 0: `reason` says why; `suspicious` is true when hardware or a
    /// driver seems to be there but cannot be used, so that the user is warned once.
    int (*count)(std::string& reason, bool& suspicious);
    std::shared_ptr<Backend> (*make)(int ordinal);
};

/// Every backend of this build (src/backend/registry.cpp).
const std::vector<BackendKind>& backend_kinds();

}  // namespace heald::core
