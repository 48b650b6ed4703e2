// Launches and one-node graphs: recorded, and run if the test gave the kernel a body.

#include "tests/cpp/cuda/fake_driver/internals.hpp"

#include <cstring>

namespace heald::cuda::driver {

using fake::control;

using fake::Control;
using fake::Launch;

namespace {

std::vector<std::string> copy_arguments(const std::string& kernel, void** values) {
    std::vector<std::string> result;
    const auto& sizes = control().parameter_sizes[kernel];
    for (std::size_t i = 0; i < sizes.size(); ++i)
        result.emplace_back(static_cast<const char*>(values[i]), sizes[i]);
    return result;
}

Result run(Launch launch) {
    Control& c = control();
    if (const auto body = c.bodies.find(launch.kernel); body != c.bodies.end()) {
        std::vector<void*> values;
        for (std::string& argument : launch.arguments) values.push_back(argument.data());
        body->second(values.data());
    }
    c.launches.push_back(std::move(launch));
    return Result::success;
}

Launch describe(Function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                unsigned bz, unsigned shared, void** values) {
    Launch launch;
    launch.kernel = function->name;
    const unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
    std::memcpy(launch.grid, grid, sizeof grid);
    std::memcpy(launch.block, block, sizeof block);
    launch.shared = shared;
    launch.arguments = copy_arguments(launch.kernel, values);
    return launch;
}

bool invalid_shape(const Launch& launch) {
    return launch.grid[0] == 0 || launch.block[0] == 0 ||
           launch.block[0] * launch.block[1] * launch.block[2] > 1024;
}

Launch describe(const KernelNodeParameters& p) {
    return describe(p.function, p.grid_x, p.grid_y, p.grid_z, p.block_x, p.block_y, p.block_z,
                    p.shared_bytes, p.parameters);
}

}  // namespace

Result cuLaunchKernel(Function function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                      unsigned by, unsigned bz, unsigned shared, Stream stream, void** values,
                      void**) {
    ENTER_HOT(cuLaunchKernel);
    Launch launch = describe(function, gx, gy, gz, bx, by, bz, shared, values);
    launch.stream = stream;
    if (invalid_shape(launch) || static_cast<int>(shared) > function->max_dynamic_shared)
        return Result::invalid_value;
    return run(std::move(launch));
}
Result cuLaunchKernelEx(const LaunchConfig* config, Function function, void** values, void**) {
    ENTER(cuLaunchKernelEx);
    Launch launch =
        describe(function, config->grid_x, config->grid_y, config->grid_z, config->block_x,
                 config->block_y, config->block_z, config->shared_bytes, values);
    launch.stream = config->stream;
    for (unsigned i = 0; i < config->attribute_count; ++i) {
        const LaunchAttribute& attribute = config->attributes[i];
        if (attribute.id == LaunchAttributeId::cooperative)
            launch.cooperative = attribute.value.cooperative != 0;
        if (attribute.id == LaunchAttributeId::cluster_dimension)
            std::memcpy(launch.cluster, &attribute.value.cluster, sizeof launch.cluster);
    }
    return run(std::move(launch));
}

Result cuGraphCreate(Graph* graph, unsigned) {
    ENTER(cuGraphCreate);
    *graph = new GraphHandle;
    return Result::success;
}
Result cuGraphDestroy(Graph graph) {
    delete graph;
    return Result::success;
}
Result cuGraphInstantiateWithFlags(GraphExec* executable, Graph graph, unsigned long long) {
    ENTER(cuGraphInstantiateWithFlags);
    *executable =
        new GraphExecHandle{graph->node->launch, graph->node->function, graph->node.get()};
    ++control().graphs_alive;
    return Result::success;
}
Result cuGraphExecDestroy(GraphExec executable) {
    const std::lock_guard lock(control().mutex);
    delete executable;
    --control().graphs_alive;
    return Result::success;
}
Result cuGraphAddKernelNode_v2(GraphNode* node, Graph graph, const GraphNode*, std::size_t,
                               const KernelNodeParameters* parameters) {
    ENTER(cuGraphAddKernelNode_v2);
    graph->node = std::make_unique<GraphNodeHandle>();
    graph->node->launch = describe(*parameters);
    graph->node->launch.by_graph = true;
    graph->node->function = parameters->function;
    *node = graph->node.get();
    return Result::success;
}
Result cuGraphKernelNodeSetAttribute(GraphNode node, LaunchAttributeId id,
                                     const LaunchAttributeValue* value) {
    ENTER(cuGraphKernelNodeSetAttribute);
    if (id == LaunchAttributeId::priority) node->launch.priority = value->priority;
    if (id == LaunchAttributeId::cooperative) node->launch.cooperative = value->cooperative != 0;
    if (id == LaunchAttributeId::cluster_dimension)
        std::memcpy(node->launch.cluster, &value->cluster, sizeof node->launch.cluster);
    return Result::success;
}
#ifndef HEALD_FAKE_OLD
Result cuGraphExecKernelNodeSetParams_v2(GraphExec executable, GraphNode node,
                                         const KernelNodeParameters* parameters) {
    ENTER_HOT(cuGraphExecKernelNodeSetParams_v2);
    if (executable->node != node) return Result::invalid_value;
    executable->launch.arguments =
        copy_arguments(executable->launch.kernel, parameters->parameters);
    return Result::success;
}
#endif
Result cuGraphLaunch(GraphExec executable, Stream stream) {
    ENTER_HOT(cuGraphLaunch);
    Launch launch = executable->launch;
    launch.stream = stream;
    return run(std::move(launch));
}

}  // namespace heald::cuda::driver
