#pragma once

#include "src/backend/cpu/function.hpp"
#include "src/backend/cpu/queue.hpp"
#include "src/core/backend.hpp"

#include <memory>
#include <string>
#include <vector>

namespace heald::cpu {

/// The CPU as a device.
class Backend final : public core::Backend {
public:
    Backend();

    [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }
    [[nodiscard]] Device::MemoryInfo memory_info() override;
    [[nodiscard]] bool can_access(const core::Backend& peer) const override;
    void synchronize() override;

    void* allocate(std::size_t bytes, MemoryKind kind, core::QueueImpl& queue) override;
    void release(void* data, std::size_t bytes, MemoryKind kind,
                 core::QueueImpl& queue) noexcept override;
    [[nodiscard]] std::size_t cached_bytes() const override;
    void trim(std::size_t keep_bytes) override;
    void copy(void* destination, const void* source, std::size_t bytes, core::QueueImpl& queue,
              std::shared_ptr<const void> owner) override;
    void fill(void* destination, std::uint64_t pattern, unsigned pattern_bytes, std::size_t count,
              core::QueueImpl& queue) override;

    std::shared_ptr<core::QueueImpl> default_queue() override;
    std::shared_ptr<core::QueueImpl> make_queue(const StreamOptions& options) override;
    std::shared_ptr<core::QueueImpl> wrap_queue(std::uintptr_t handle) override;
    void synchronize(core::QueueImpl& queue) override;
    bool done(core::QueueImpl& queue) override;
    void cancel(core::QueueImpl& queue) override;
    void host_function(core::QueueImpl& queue, std::function<void()> function) override;
    void host_pieces(core::QueueImpl& queue, std::uint64_t pieces, bool short_work,
                     std::function<void(std::uint64_t, std::uint64_t)> run) override;
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
    void launch(core::FunctionImpl& function, core::QueueImpl& queue, const LaunchConfig& config,
                const PackedArguments& arguments, const LaunchSite& site) override;
    std::shared_ptr<core::BoundImpl> bind(core::FunctionImpl& function,
                                          std::shared_ptr<core::QueueImpl> queue,
                                          const LaunchConfig& config,
                                          const PackedArguments& arguments,
                                          const LaunchSite& site) override;

    void report(DoctorReport& report) override;

private:
    DeviceProperties properties_;
    std::shared_ptr<Queue> default_queue_;
};

/// For src/backend/registry.cpp.
core::BackendKind backend_kind();

}  // namespace heald::cpu
