// Code and launches of a GPU.

#include "src/backend/cuda/backend.hpp"
#include "src/backend/cuda/bound.hpp"
#include "src/backend/cuda/code.hpp"
#include "src/backend/cuda/driver_link.hpp"
#include "src/backend/cuda/kernel.hpp"
#include "src/backend/cuda/launch_call.hpp"
#include "src/base/check.hpp"
#include "src/jit/nvrtc/compiler.hpp"
#include "src/jit/nvrtc/linker.hpp"

namespace heald::cuda {

using driver::Result;

namespace {

Kernel& as_kernel(core::FunctionImpl& function) {
    return static_cast<Kernel&>(function);
}

}  // namespace

std::string Backend::compiler_identity(const core::CompileRequest& request) {
    return nvrtc::identity(request, properties_.architecture);
}

core::CodeData Backend::compile(const core::CompileRequest& request) {
    return nvrtc::compile(request, properties_.architecture);
}

core::CodeData Backend::link(const std::vector<const core::CodeData*>& inputs,
                             const core::CompileRequest& request) {
    const auto link_by_driver = [this](const nvrtc::LinkJob& job) {
        return driver_link(*context_, job);
    };
    return nvrtc::link(inputs, request, properties_.architecture, link_by_driver);
}

std::shared_ptr<core::CodeImpl> Backend::load(const core::CodeData& code) {
    return std::make_shared<Code>(context_, code);
}

void Backend::with_library(void (*run)(void*), void* data) {
    const Current current(*context_);
    run(data);
}

KernelAttributes Backend::attributes(core::FunctionImpl& function) {
    return as_kernel(function).attributes();
}

int Backend::max_active_blocks(core::FunctionImpl& function, int block, std::size_t shared) {
    return as_kernel(function).max_active_blocks(block, shared);
}

BlockSize Backend::suggest_block_size(core::FunctionImpl& function, std::size_t shared) {
    return as_kernel(function).suggest_block_size(shared);
}

void Backend::launch(core::FunctionImpl& function, core::QueueImpl& queue_impl,
                     const heald::LaunchConfig& config, const PackedArguments& arguments,
                     const LaunchSite& site) {
    Kernel& kernel = as_kernel(function);
    Queue& queue = static_cast<Queue&>(queue_impl);
    const Current current(*context_);
    queue.log().add(kernel.lasting_name(), site);
    kernel.note_use(queue);
    const bool cacheable = launch_policy() != LaunchPolicy::plain && !blocking_ &&
                           !config.cooperative && config.cluster.x == 0 && threads_.alone() &&
                           !queue.capturing();
    const Result result =
        cacheable ? queue.launches().launch(kernel, config, arguments.values, queue.log().mark())
                  : launch_plain(*context_, kernel, queue.stream(), config, arguments.values);
    if (result != Result::success) [[unlikely]]
        refuse_launch(*context_, result, kernel, config);
    if (blocking_) [[unlikely]]
        finish_blocking_launch(kernel, queue, site);
}

void Backend::finish_blocking_launch(Kernel& kernel, Queue& queue, const LaunchSite& site) {
    if (queue.capturing()) return;
    const Result result = context_->api().cuStreamSynchronize(queue.stream());
    if (result != Result::success)
        context_->raise(result, "Kernel.launch", describe_launch(kernel.lasting_name(), site));
    queue.log().done_until(queue.log().mark());
}

std::shared_ptr<core::BoundImpl> Backend::bind(core::FunctionImpl& function,
                                               std::shared_ptr<core::QueueImpl> queue,
                                               const heald::LaunchConfig& config,
                                               const PackedArguments& arguments,
                                               const LaunchSite& site) {
    return std::make_shared<Bound>(as_kernel(function),
                                   std::static_pointer_cast<Queue>(std::move(queue)), config,
                                   arguments, site);
}

}  // namespace heald::cuda
