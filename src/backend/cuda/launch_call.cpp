#include "src/backend/cuda/launch_call.hpp"

#include "src/backend/cuda/kernel.hpp"
#include "src/base/check.hpp"

namespace heald::cuda {

using driver::Result;

namespace {

std::string text_of(const Dim3& d) {
    return text("(", d.x, ", ", d.y, ", ", d.z, ")");
}

}  // namespace

Result launch_plain(Context& context, Kernel& kernel, driver::Stream stream,
                    const heald::LaunchConfig& config, void** values) {
    const auto shared = static_cast<unsigned>(config.shared_memory);
    kernel.allow_shared(config.shared_memory);
    if (!config.cooperative && config.cluster.x == 0)
        return context.api().cuLaunchKernel(kernel.function(), config.grid.x, config.grid.y,
                                            config.grid.z, config.block.x, config.block.y,
                                            config.block.z, shared, stream, values, nullptr);
    driver::LaunchAttribute attributes[2]{};
    driver::LaunchConfig call{
        config.grid.x,  config.grid.y, config.grid.z, config.block.x, config.block.y,
        config.block.z, shared,        stream,        attributes,     0};
    if (config.cooperative) {
        driver::LaunchAttribute& attribute = attributes[call.attribute_count++];
        attribute.id = driver::LaunchAttributeId::cooperative;
        attribute.value.cooperative = 1;
    }
    if (config.cluster.x != 0) {
        if (config.cluster.volume() > 8) kernel.allow_large_clusters();
        driver::LaunchAttribute& attribute = attributes[call.attribute_count++];
        attribute.id = driver::LaunchAttributeId::cluster_dimension;
        attribute.value.cluster = {config.cluster.x, config.cluster.y, config.cluster.z};
    }
    return context.api().cuLaunchKernelEx(&call, kernel.function(), values, nullptr);
}

void refuse_launch(Context& context, Result result, Kernel& kernel,
                   const heald::LaunchConfig& config) {
    if (driver::is_fault(result) || context.faulted()) context.raise(result, "Kernel.launch");
    std::string asked = text("grid ", text_of(config.grid), ", block ", text_of(config.block), ", ",
                             config.shared_memory, " bytes of dynamic shared memory");
    if (config.cluster.x != 0) asked += text(", cluster ", text_of(config.cluster));
    if (config.cooperative) asked += ", cooperative";
    std::string advice;
    switch (result) {
        case Result::launch_out_of_resources:
            advice =
                ". A block of this size needs more registers or shared memory than a "
                "multiprocessor has: make it smaller (kernel.attributes(), "
                "kernel.suggest_block_size())";
            break;
        case Result::cooperative_launch_too_large:
            advice =
                ". Every block of a cooperative launch must be resident at once: the grid may "
                "have at most kernel.max_active_blocks(block) blocks per multiprocessor";
            break;
        case Result::invalid_cluster_size:
            advice =
                ". The grid must be a multiple of the cluster in every direction, and a "
                "cluster has at most 8 blocks on any device (16 on some)";
            break;
        default:
            break;
    }
    fail(result == Result::invalid_value ? ErrorKind::invalid_value : driver::kind_of(result),
         "[Kernel.launch] '", kernel.name(), "' with ", asked, ": the CUDA driver says ",
         driver::describe(result), advice);
}

}  // namespace heald::cuda
