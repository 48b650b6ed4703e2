#include "src/backend/cuda/properties.hpp"

#include <array>
#include <cstdio>
#include <string>

namespace heald::cuda {

using driver::DeviceAttribute;

namespace {

std::string uuid_text(const driver::Uuid& uuid) {
    std::string result = "GPU-";
    for (int i = 0; i < 16; ++i) {
        std::array<char, 3> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", uuid.bytes[i]);
        if (i == 4 || i == 6 || i == 8 || i == 10) result += '-';
        result += digits.data();
    }
    return result;
}

}  // namespace

DeviceProperties ask_properties(const Context& context) {
    driver::Api& api = context.api();
    const driver::Device device = context.device();
    const auto attribute = [&](DeviceAttribute which) {
        int value = 0;
        api.cuDeviceGetAttribute(&value, which, device);
        return value;
    };
    const auto bytes = [&](DeviceAttribute which) {
        return static_cast<std::size_t>(attribute(which));
    };
    DeviceProperties p;
    p.kind = DeviceKind::cuda;
    p.ordinal = context.ordinal();
    std::array<char, 256> text{};
    driver::check(api.cuDeviceGetName(text.data(), static_cast<int>(text.size()) - 1, device),
                  "cuDeviceGetName");
    p.name = text.data();
    p.compute_capability_major = attribute(DeviceAttribute::compute_capability_major);
    p.compute_capability_minor = attribute(DeviceAttribute::compute_capability_minor);
    p.architecture = "sm_" + std::to_string(p.compute_capability_major) +
                     std::to_string(p.compute_capability_minor);
    p.multiprocessor_count = attribute(DeviceAttribute::multiprocessor_count);
    p.warp_size = attribute(DeviceAttribute::warp_size);
    p.max_threads_per_block = attribute(DeviceAttribute::max_threads_per_block);
    p.max_threads_per_multiprocessor = attribute(DeviceAttribute::max_threads_per_multiprocessor);
    constexpr DeviceAttribute block[] = {DeviceAttribute::max_block_dim_x,
                                         DeviceAttribute::max_block_dim_y,
                                         DeviceAttribute::max_block_dim_z};
    constexpr DeviceAttribute grid[] = {DeviceAttribute::max_grid_dim_x,
                                        DeviceAttribute::max_grid_dim_y,
                                        DeviceAttribute::max_grid_dim_z};
    for (int axis = 0; axis < 3; ++axis) {
        p.max_block[axis] = static_cast<std::uint32_t>(attribute(block[axis]));
        p.max_grid[axis] = static_cast<std::uint32_t>(attribute(grid[axis]));
    }
    p.shared_memory_per_block = bytes(DeviceAttribute::max_shared_memory_per_block);
    p.shared_memory_per_block_optin = bytes(DeviceAttribute::max_shared_memory_per_block_optin);
    p.shared_memory_per_multiprocessor =
        bytes(DeviceAttribute::max_shared_memory_per_multiprocessor);
    p.registers_per_block = attribute(DeviceAttribute::max_registers_per_block);
    driver::check(api.cuDeviceTotalMem_v2(&p.total_memory, device), "cuDeviceTotalMem");
    p.l2_cache = bytes(DeviceAttribute::l2_cache_size);
    p.clock_rate_khz = attribute(DeviceAttribute::clock_rate);
    p.memory_clock_rate_khz = attribute(DeviceAttribute::memory_clock_rate);
    p.memory_bus_width_bits = attribute(DeviceAttribute::global_memory_bus_width);
    p.cooperative_launch = attribute(DeviceAttribute::cooperative_launch) != 0;
    p.cluster_launch = attribute(DeviceAttribute::cluster_launch) != 0;
    p.managed_memory = attribute(DeviceAttribute::managed_memory) != 0;
    p.integrated = attribute(DeviceAttribute::integrated) != 0;
    text.fill('\0');
    if (api.cuDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()) - 1, device) ==
        driver::Result::success)
        p.pci_bus_id = text.data();
    driver::Uuid uuid{};
    if (api.cuDeviceGetUuid_v2(&uuid, device) == driver::Result::success) p.uuid = uuid_text(uuid);
    return p;
}

}  // namespace heald::cuda
