#include "src/backend/cpu/function.hpp"

#include "src/base/check.hpp"
#include "src/jit/cpu/variant.hpp"

#include <bit>

namespace heald::cpu {
namespace {

std::size_t slot_of(const Variant& variant) noexcept {
    const auto lanes = static_cast<std::size_t>(std::countr_zero(unsigned{variant.lanes}));
    return lanes * 4 + (variant.contiguous ? 2 : 0) + (variant.full ? 1 : 0);
}

WorkBound bound_of(const KernelRecord& record) {
    WorkBound work;
    work.may_wait = record.has_yield_loop || record.has_lane_yield || record.calls_out_of_line;
    work.bounded = record.work != 0 && !record.has_unbounded_loop && !work.may_wait;
    work.instructions = record.work;
    return work;
}

constexpr std::uint32_t max_block_z = 64;
constexpr std::uint32_t max_grid_yz = 65535;
constexpr std::uint32_t max_grid_x = 0x7fffffff;

}  // namespace

Function::Function(KernelRecord record, Build build, std::weak_ptr<const void> owner)
    : record_(std::move(record)),
      build_(std::move(build)),
      owner_(std::move(owner)),
      layout_(ArgumentLayout::of(record_.signature)),
      work_(bound_of(record_)) {}

const KernelCode& Function::code_for(const std::uint32_t block[3]) {
    const Variant variant = best_variant(record_, block, 0);
    Slot& slot = slots_[slot_of(variant)];
    slot.once([&] { slot.code = build_(record_, variant); });
    return slot.code;
}

void Function::prepare(const Dim3& block) {
    const std::uint32_t extents[3] = {block.x, block.y, block.z};
    (void)code_for(extents);
}

std::uint32_t Function::max_threads_per_block() const noexcept {
    const std::uint32_t bound = record_.max_threads_per_block;
    return bound != 0 && bound < max_block_threads ? bound : max_block_threads;
}

Grid Function::grid(const LaunchConfig& config, const LaunchSite& site) {
    const Dim3 &grid = config.grid, &block = config.block;
    HEALD_EXPECTS(grid.x != 0 && grid.y != 0 && grid.z != 0, invalid_value,
                  "[Kernel.launch] the grid of '", name(), "' is (", grid.x, ", ", grid.y, ", ",
                  grid.z, "): every extent must be at least 1");
    HEALD_EXPECTS(block.x != 0 && block.y != 0 && block.z != 0, invalid_value,
                  "[Kernel.launch] the block of '", name(), "' is (", block.x, ", ", block.y, ", ",
                  block.z, "): every extent must be at least 1");
    HEALD_EXPECTS(grid.x <= max_grid_x && grid.y <= max_grid_yz && grid.z <= max_grid_yz,
                  invalid_value, "[Kernel.launch] the grid of '", name(), "' is (", grid.x, ", ",
                  grid.y, ", ", grid.z, "): at most (", max_grid_x, ", ", max_grid_yz, ", ",
                  max_grid_yz, ") is possible");
    HEALD_EXPECTS(block.x <= max_block_threads && block.y <= max_block_threads &&
                      block.z <= max_block_z && block.volume() <= max_threads_per_block(),
                  invalid_value, "[Kernel.launch] the block of '", name(), "' is (", block.x, ", ",
                  block.y, ", ", block.z, "), ", block.volume(), " threads: at most ",
                  max_threads_per_block(), " threads and (", max_block_threads, ", ",
                  max_block_threads, ", ", max_block_z, ") are possible");
    HEALD_EXPECTS(!config.cooperative, unavailable,
                  "[Kernel.launch] cooperative launches are not available on cpu");
    HEALD_EXPECTS(config.cluster.volume() <= 1, unavailable,
                  "[Kernel.launch] clusters are not available on cpu");

    Grid result;
    const std::uint32_t extents[2][3] = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}};
    for (int i = 0; i < 3; ++i) {
        result.grid[i] = extents[0][i];
        result.block[i] = extents[1][i];
    }
    const KernelCode& code = code_for(result.block);
    result.shared_bytes = code.static_shared_bytes + config.shared_memory;
    HEALD_EXPECTS(
        config.shared_memory <= max_shared_bytes && result.shared_bytes <= max_shared_bytes,
        invalid_value, "[Kernel.launch] '", name(), "' needs ", code.static_shared_bytes, " + ",
        config.shared_memory,
        " bytes of shared memory per block (static + "
        "dynamic): at most ",
        max_shared_bytes, " are possible");
    const Variant variant = best_variant(record_, result.block, 0);
    const std::uint64_t warps = (block.volume() + variant.lanes - 1) / variant.lanes;
    result.function = code.blocks;
    result.dynamic_shared = static_cast<std::uint32_t>(config.shared_memory);
    result.frame_bytes = code.frame_bytes_per_warp * warps;
    result.flush_denormals = record_.flush_denormals;
    result.kernel = &record_.display_name;
    result.site = site;
    return result;
}

}  // namespace heald::cpu
