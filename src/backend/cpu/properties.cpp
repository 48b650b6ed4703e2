#include "src/backend/cpu/properties.hpp"

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/backend/cpu/processor.hpp"
#include "src/backend/cpu/system_memory.hpp"
#include "src/base/settings.hpp"

namespace heald::cpu {

DeviceProperties device_properties() {
    DeviceProperties properties;
    properties.name = processor().model;
    properties.architecture = setting_or(Setting::cpu_target, processor().level);
    properties.kind = DeviceKind::cpu;
    properties.multiprocessor_count = allowance().workers;
    properties.warp_size = 32;
    properties.max_threads_per_block = static_cast<int>(max_block_threads);
    // Small, so that grids made to fill the device stride through memory in small steps.
    properties.max_threads_per_multiprocessor = static_cast<int>(max_block_threads);
    const std::uint32_t block[3] = {max_block_threads, max_block_threads, 64};
    const std::uint32_t grid[3] = {0x7fffffff, 65535, 65535};
    for (int i = 0; i < 3; ++i) {
        properties.max_block[i] = block[i];
        properties.max_grid[i] = grid[i];
    }
    properties.shared_memory_per_block = std::size_t{48} << 10;
    properties.shared_memory_per_block_optin = max_shared_bytes;
    properties.shared_memory_per_multiprocessor = std::size_t{228} << 10;
    properties.total_memory = system_memory().total;
    properties.l2_cache = processor().l2_cache;
    properties.clock_rate_khz = processor().clock_rate_khz;
    properties.managed_memory = true;
    properties.integrated = true;
    return properties;
}

}  // namespace heald::cpu
