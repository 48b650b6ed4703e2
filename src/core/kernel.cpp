#include <heald/kernel.hpp>

#include "src/base/check.hpp"
#include "src/core/arguments.hpp"
#include "src/core/function_state.hpp"
#include "src/core/ordering.hpp"

namespace heald {
namespace {

/// HEALD_LAUNCH_BLOCKING: the launch's own errors are raised by the launch.
void wait_if_asked(core::StreamState& stream) {
    if (!core::launches_block()) [[likely]]
        return;
    stream.finish();
}

}  // namespace

Kernel::Kernel(const ObjectCode& code, const std::string& name, const Device& device)
    : Kernel(code.get_kernel(name, device)) {}

core::FunctionState& Kernel::state() const {
    HEALD_EXPECTS(state_ != nullptr && !state_->closed.load(std::memory_order_relaxed), closed,
                  "[Kernel] this kernel was closed");
    return *state_;
}

const std::string& Kernel::name() const {
    return state().name;
}
const Signature& Kernel::signature() const {
    return state().impl.signature();
}
Device Kernel::device() const {
    return Device(state().device.shared_from_this());
}

KernelAttributes Kernel::attributes() const {
    core::FunctionState& own = state();
    return own.device.backend().attributes(own.impl);
}

int Kernel::max_active_blocks(int block, std::size_t shared_memory) const {
    core::FunctionState& own = state();
    HEALD_EXPECTS(block > 0, invalid_value,
                  "[Kernel.max_active_blocks] a block has at least 1 "
                  "thread, got ",
                  block);
    return own.device.backend().max_active_blocks(own.impl, block, shared_memory);
}

BlockSize Kernel::suggest_block_size(std::size_t shared_memory) const {
    core::FunctionState& own = state();
    return own.device.backend().suggest_block_size(own.impl, shared_memory);
}

void Kernel::launch(const LaunchConfig& config, const Stream& stream,
                    std::span<const Argument> arguments, std::source_location where) const {
    core::FunctionState& own = state();
    const core::CheckedArguments checked(own, arguments);
    launch_packed(config, stream, checked.packed(),
                  {where.file_name(), static_cast<int>(where.line())});
}

void Kernel::launch_packed(const LaunchConfig& config, const Stream& stream,
                           const PackedArguments& arguments, const LaunchSite& site) const {
    core::FunctionState& own = state();
    core::StreamState& on = stream.state();
    core::check_launch(own, on, config);
    core::enqueue(on, arguments.uses, [&](core::QueueImpl& queue) {
        own.device.backend().launch(own.impl, queue, config, arguments, site);
    });
    wait_if_asked(on);
}

BoundLaunch Kernel::bind(const LaunchConfig& config, const Stream& stream,
                         std::span<const Argument> arguments) const {
    const core::CheckedArguments checked(state(), arguments);
    return bind_packed(config, stream, checked.packed(), checked.buffers(), {});
}

BoundLaunch Kernel::bind_packed(const LaunchConfig& config, const Stream& stream,
                                const PackedArguments& arguments, std::vector<Buffer> keep_alive,
                                const LaunchSite& site) const {
    core::FunctionState& own = state();
    core::StreamState& on = stream.state();
    core::check_launch(own, on, config);
    auto bound = own.device.backend().bind(own.impl, on.queue, config, arguments, site);
    return BoundLaunch(std::make_shared<core::BoundState>(
        state_, stream.shared_state(), std::move(bound),
        std::vector<MemoryUse>(arguments.uses.begin(), arguments.uses.end()),
        std::move(keep_alive)));
}

void BoundLaunch::launch() const {
    core::BoundState& own = *state_;
    HEALD_EXPECTS(!own.function->closed.load(std::memory_order_relaxed), closed,
                  "[BoundLaunch] the kernel was closed");
    HEALD_EXPECTS(!own.stream->closed.load(std::memory_order_relaxed), closed,
                  "[BoundLaunch] the stream was closed");
    (void)own.function->device.backend();  // refuses after a fork
    core::enqueue(*own.stream, own.uses, [&](core::QueueImpl&) { own.impl->launch(); });
    wait_if_asked(*own.stream);
}

core::BoundState::~BoundState() {
    if (!function->device.usable()) {
        (void)std::make_unique<std::shared_ptr<BoundImpl>>(std::move(impl)).release();
        return;
    }
    without_throwing("BoundLaunch", [this] {
        const std::uint64_t position = stream->timeline->enqueued();
        if (!stream->timeline->is_complete(position))
            keep_until({{stream->timeline, position}},
                       std::make_shared<
                           std::pair<std::shared_ptr<FunctionState>, std::shared_ptr<BoundImpl>>>(
                           function, std::move(impl)));
    });
}

void Kernel::close() {
    if (state_ != nullptr) state_->closed.store(true);
}

bool Kernel::closed() const noexcept {
    return state_ == nullptr || state_->closed;
}

}  // namespace heald
