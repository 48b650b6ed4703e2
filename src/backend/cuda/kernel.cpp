#include "src/backend/cuda/kernel.hpp"

#include "src/backend/cuda/code.hpp"
#include "src/backend/cuda/queue.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace heald::cuda {

using driver::FunctionAttribute;
using driver::Result;

Kernel::Kernel(Context& context, Code& code, driver::Function function, const std::string& name,
               Signature signature)
    : context_(context),
      code_(code),
      function_(function),
      name_(name),
      lasting_name_(intern_name(name)),
      signature_(std::move(signature)),
      id_(next_unique_id()) {
    for (const Parameter& parameter : signature_.parameters) {
        sizes_.push_back(parameter.size);
        bytes_ += parameter.size;
    }
}

int Kernel::attribute(FunctionAttribute which) const {
    int value = 0;
    context_.check(context_.api().cuFuncGetAttribute(&value, which, function_),
                   "Kernel.attributes");
    return value;
}

void Kernel::raise_allowed_shared(std::size_t bytes) {
    driver::Api& api = context_.api();
    const auto fixed = static_cast<std::size_t>(attribute(FunctionAttribute::shared_size_bytes));
    int most = 0;
    api.cuDeviceGetAttribute(&most, driver::DeviceAttribute::max_shared_memory_per_block_optin,
                             context_.device());
    const std::size_t limit =
        static_cast<std::size_t>(most) > fixed ? static_cast<std::size_t>(most) - fixed : 0;
    if (bytes > limit)
        fail(ErrorKind::invalid_value, "[Kernel.launch] '", name_, "': ", bytes,
             " bytes of dynamic shared memory are too many: ", context_.name(), " has ", most,
             " per block, of which the kernel itself takes ", fixed);
    // The driver's default is 48 KiB in all; asking for the whole limit once spares the rest.
    context_.check(
        api.cuFuncSetAttribute(function_, FunctionAttribute::max_dynamic_shared_size_bytes,
                               static_cast<int>(limit)),
        "Kernel.launch");
    allowed_shared_.store(limit, std::memory_order_relaxed);
}

void Kernel::allow_large_clusters() {
    if (large_clusters_.load(std::memory_order_relaxed)) return;
    // Devices without such clusters say so at the launch.
    context_.api().cuFuncSetAttribute(function_,
                                      FunctionAttribute::non_portable_cluster_size_allowed, 1);
    large_clusters_.store(true, std::memory_order_relaxed);
}

KernelAttributes Kernel::attributes() {
    const Current current(context_);
    KernelAttributes result;
    result.registers = attribute(FunctionAttribute::num_regs);
    result.static_shared =
        static_cast<std::size_t>(attribute(FunctionAttribute::shared_size_bytes));
    result.local = static_cast<std::size_t>(attribute(FunctionAttribute::local_size_bytes));
    result.constant = static_cast<std::size_t>(attribute(FunctionAttribute::const_size_bytes));
    result.max_threads_per_block = attribute(FunctionAttribute::max_threads_per_block);
    result.binary_version = attribute(FunctionAttribute::binary_version);
    int most = 0;
    context_.api().cuDeviceGetAttribute(
        &most, driver::DeviceAttribute::max_shared_memory_per_block_optin, context_.device());
    const auto limit = static_cast<std::size_t>(most);
    result.max_dynamic_shared = limit > result.static_shared ? limit - result.static_shared : 0;
    return result;
}

int Kernel::max_active_blocks(int block, std::size_t shared) {
    const Current current(context_);
    allow_shared(shared);
    int blocks = 0;
    context_.check(context_.api().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_,
                                                                              block, shared),
                   "Kernel.max_active_blocks");
    return blocks;
}

BlockSize Kernel::suggest_block_size(std::size_t shared) {
    const Current current(context_);
    allow_shared(shared);
    BlockSize result;
    context_.check(context_.api().cuOccupancyMaxPotentialBlockSize(&result.grid, &result.block,
                                                                   function_, nullptr, shared, 0),
                   "Kernel.suggest_block_size");
    return result;
}

void Kernel::note_use(Queue& queue) {
    // Asked of the queue, not of the kernel: threads on queues of their own share nothing here.
    if (queue.is_known_to(code_.id())) return;
    code_.note_use(queue);
    queue.remember_known_to(code_.id());
}

}  // namespace heald::cuda
