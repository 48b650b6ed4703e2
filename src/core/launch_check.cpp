#include "src/base/check.hpp"
#include "src/base/settings.hpp"
#include "src/core/function_state.hpp"

#include <algorithm>

namespace heald::core {
namespace {

constexpr const char* launch = "[Kernel.launch] ";

std::string extents(const Dim3& dim) {
    return text("(", dim.x, ", ", dim.y, ", ", dim.z, ")");
}

void check_extents(const FunctionState& function, const char* what, const Dim3& dim,
                   const std::uint32_t (&limit)[3]) {
    HEALD_EXPECTS(dim.x != 0 && dim.y != 0 && dim.z != 0, invalid_value, launch, "the ", what, " ",
                  extents(dim), " of '", function.name,
                  "' is empty: every extent must be at least 1; skip the launch if there is "
                  "nothing to do");
    const std::uint32_t given[3] = {dim.x, dim.y, dim.z};
    for (int axis = 0; axis < 3; ++axis)
        HEALD_EXPECTS(given[axis] <= limit[axis], invalid_value, launch, "the ", what, " ",
                      extents(dim), " of '", function.name, "' is over the limit: ", what, ".",
                      "xyz"[axis], " may be at most ", limit[axis]);
}

void check_shared(const FunctionState& function, const LaunchLimits& limits, std::size_t bytes) {
    HEALD_EXPECTS(bytes <= limits.shared, invalid_value, launch, "'", function.name,
                  "' is launched with ", bytes, " bytes of dynamic shared memory: at most ",
                  limits.shared, " bytes are there beside its ", limits.static_shared,
                  " bytes of static shared memory");
}

void check_cluster(const FunctionState& function, const LaunchLimits& limits,
                   const LaunchConfig& config) {
    const Dim3& cluster = config.cluster;
    if (cluster.x == 0 && cluster.y == 0 && cluster.z == 0) return;
    HEALD_EXPECTS(limits.cluster, unavailable, launch, function.device.name(),
                  " has no thread block clusters: launch '", function.name, "' without a cluster");
    const bool divides = cluster.x != 0 && cluster.y != 0 && cluster.z != 0 &&
                         config.grid.x % cluster.x == 0 && config.grid.y % cluster.y == 0 &&
                         config.grid.z % cluster.z == 0;
    HEALD_EXPECTS(divides, invalid_value, launch, "the grid ", extents(config.grid), " of '",
                  function.name, "' is not a whole number of clusters ", extents(cluster));
}

}  // namespace

void FunctionState::find_limits() {
    limits_once_([this] {
        Backend& backend = device.backend();
        const DeviceProperties& properties = backend.properties();
        const KernelAttributes attributes = backend.attributes(impl);
        std::copy_n(properties.max_grid, 3, limits_.grid);
        std::copy_n(properties.max_block, 3, limits_.block);
        limits_.threads = static_cast<std::uint64_t>(properties.max_threads_per_block);
        limits_.kernel_threads = attributes.max_threads_per_block > 0
                                     ? static_cast<std::uint64_t>(attributes.max_threads_per_block)
                                     : limits_.threads;
        limits_.shared = attributes.max_dynamic_shared;
        limits_.static_shared = attributes.static_shared;
        limits_.cooperative = properties.cooperative_launch;
        limits_.cluster = properties.cluster_launch;
    });
}

void check_launch(FunctionState& function, const StreamState& stream, const LaunchConfig& config) {
    HEALD_EXPECTS(&stream.device == &function.device, invalid_value, launch, "'", function.name,
                  "' is loaded on ", function.device.name(), ", the stream is of ",
                  stream.device.name(), ": launch it on a stream of ", function.device.name(),
                  ", or get the kernel for ", stream.device.name());
    const LaunchLimits& limits = function.limits();
    const auto within = [](const Dim3& dim, const std::uint32_t(&limit)[3]) {
        return dim.x - 1 < limit[0] && dim.y - 1 < limit[1] && dim.z - 1 < limit[2];
    };
    if (!within(config.grid, limits.grid)) [[unlikely]]
        check_extents(function, "grid", config.grid, limits.grid);
    if (!within(config.block, limits.block)) [[unlikely]]
        check_extents(function, "block", config.block, limits.block);
    const std::uint64_t threads = config.block.volume();
    HEALD_EXPECTS(threads <= limits.threads, invalid_value, launch, "the block ",
                  extents(config.block), " of '", function.name, "' has ", threads,
                  " threads: at most ", limits.threads, " are allowed");
    HEALD_EXPECTS(threads <= limits.kernel_threads, invalid_value, launch, "the block ",
                  extents(config.block), " of '", function.name, "' has ", threads,
                  " threads: this kernel allows at most ", limits.kernel_threads,
                  " (its __launch_bounds__, or the registers that it needs)");
    if (config.shared_memory > limits.shared) [[unlikely]]
        check_shared(function, limits, config.shared_memory);
    check_cluster(function, limits, config);
    HEALD_EXPECTS(!config.cooperative || limits.cooperative, unavailable, launch,
                  function.device.name(), " cannot launch cooperatively: launch '", function.name,
                  "' without cooperative");
}

bool launches_block() noexcept {
    static const bool block = setting_flag(Setting::launch_blocking, false);
    return block;
}

}  // namespace heald::core
