#pragma once

#include "src/backend/cuda/context.hpp"
#include "src/backend/cuda/launch_cache.hpp"
#include "src/backend/cuda/memory.hpp"
#include "src/backend/cuda/queue.hpp"
#include "src/backend/cuda/staging.hpp"
#include "src/backend/cuda/thread_watch.hpp"
#include "src/core/backend.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace heald::cuda {

/// One GPU.
class Backend final : public core::Backend {
public:
    explicit Backend(int ordinal);
    ~Backend() override;

    [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }
    [[nodiscard]] heald::Device::MemoryInfo memory_info() override;
    [[nodiscard]] bool can_access(const core::Backend& peer) const override;
    void synchronize() override;

    void* allocate(std::size_t bytes, MemoryKind kind, core::QueueImpl& queue) override;
    void release(void* data, std::size_t bytes, MemoryKind kind,
                 core::QueueImpl& queue) noexcept override;
    [[nodiscard]] std::size_t cached_bytes() const override;
    void trim(std::size_t keep_bytes) override;
    void copy(void* destination, const void* source, std::size_t bytes, core::QueueImpl& queue,
              std::shared_ptr<const void> owner) override;
    bool copy_taking(void* destination, const void* source, std::size_t bytes,
                     core::QueueImpl& queue) override;
    bool copy_waiting(void* destination, const void* source, std::size_t bytes,
                      core::QueueImpl& queue) override;
    void fill(void* destination, std::uint64_t pattern, unsigned pattern_bytes, std::size_t count,
              core::QueueImpl& queue) override;

    std::shared_ptr<core::QueueImpl> default_queue() override;
    std::shared_ptr<core::QueueImpl> make_queue(const StreamOptions& options) override;
    std::shared_ptr<core::QueueImpl> wrap_queue(std::uintptr_t handle) override;
    void synchronize(core::QueueImpl& queue) override;
    bool done(core::QueueImpl& queue) override;
    void cancel(core::QueueImpl& queue) override;
    void host_function(core::QueueImpl& queue, std::function<void()> function) override;
    void with_library(void (*run)(void*), void* data) override;
    std::shared_ptr<core::EventImpl> make_event(bool timing) override;
    void record(core::EventImpl& event, core::QueueImpl& queue) override;
    void wait(core::QueueImpl& queue, core::EventImpl& event) override;
    void wait_signal(core::QueueImpl& queue, std::shared_ptr<core::Signal> signal) override;
    void synchronize(core::EventImpl& event) override;
    bool done(core::EventImpl& event) override;
    float elapsed(core::EventImpl& start, core::EventImpl& stop) override;

    std::string compiler_identity(const core::CompileRequest& request) override;
    core::CodeData compile(const core::CompileRequest& request) override;
    core::CodeData link(const std::vector<const core::CodeData*>& inputs,
                        const core::CompileRequest& request) override;
    std::shared_ptr<core::CodeImpl> load(const core::CodeData& code) override;

    KernelAttributes attributes(core::FunctionImpl& function) override;
    int max_active_blocks(core::FunctionImpl& function, int block, std::size_t shared) override;
    BlockSize suggest_block_size(core::FunctionImpl& function, std::size_t shared) override;
    void launch(core::FunctionImpl& function, core::QueueImpl& queue,
                const heald::LaunchConfig& config, const PackedArguments& arguments,
                const LaunchSite& site) override;
    std::shared_ptr<core::BoundImpl> bind(core::FunctionImpl& function,
                                          std::shared_ptr<core::QueueImpl> queue,
                                          const heald::LaunchConfig& config,
                                          const PackedArguments& arguments,
                                          const LaunchSite& site) override;

    void report(DoctorReport& report) override;

    [[nodiscard]] Context& context() noexcept { return *context_; }

private:
    [[nodiscard]] std::vector<std::shared_ptr<Queue>> queues() const;
    std::shared_ptr<Queue> keep(std::shared_ptr<Queue> queue);
    void meet_peers();
    void leave_peers() noexcept;
    void finish_blocking_launch(Kernel& kernel, Queue& queue, const LaunchSite& site);

    std::shared_ptr<Context> context_;
    DeviceProperties properties_;
    bool blocking_;
    ThreadWatch threads_;
    DeviceMemory memory_;
    HostMemory host_memory_;
    Staging staging_;
    mutable std::mutex mutex_;
    std::vector<std::weak_ptr<Queue>> queues_;
    std::shared_ptr<Queue> default_queue_;
};

/// CUDA, for src/backend/registry.cpp.
core::BackendKind backend_kind();

}  // namespace heald::cuda
