#include "src/jit/cpu/variant.hpp"

namespace heald::cpu {

Variant best_variant(const KernelRecord& kernel, const std::uint32_t block[3],
                     std::uint32_t maximum_lanes) {
    const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
    const bool one_dimensional = std::uint64_t{block[1]} * block[2] == 1;
    std::uint32_t lanes = 32;
    if (kernel.has_lane_yield) {
        lanes = 1;
    } else if (!kernel.uses_warp) {
        // A warp within one row has consecutive threadIdx.x.
        if (!one_dimensional) {
            while (lanes > 4 && block[0] % lanes != 0) lanes /= 2;
        } else {
            while (lanes > 4 && lanes / 2 >= threads) lanes /= 2;
        }
        while (maximum_lanes != 0 && lanes > maximum_lanes && lanes > 1) lanes /= 2;
        if (threads == 1 || lanes == 2) lanes = threads == 1 ? 1 : 4;
    }
    const bool in_one_row = one_dimensional || block[0] % lanes == 0;
    // That threads of one warp do not wait for each other was found for warps within one row.
    if (kernel.has_yield_loop && !kernel.uses_warp && !in_one_row) lanes = 1;
    Variant variant;
    variant.lanes = static_cast<std::uint8_t>(lanes);
    variant.contiguous = one_dimensional || block[0] % lanes == 0;
    variant.full = threads % lanes == 0;
    return variant;
}

}  // namespace heald::cpu
