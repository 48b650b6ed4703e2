#include "src/backend/cpu/occupancy.hpp"

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/backend/cpu/processor.hpp"

#include <algorithm>

namespace heald::cpu {
namespace {

constexpr int most_per_worker = 4;
constexpr std::size_t shared_per_worker = std::size_t{228} << 10;

}  // namespace

KernelAttributes attributes(const Function& function) {
    KernelAttributes result;
    result.static_shared = function.record().static_shared_bytes;
    result.max_threads_per_block = static_cast<int>(function.max_threads_per_block());
    result.max_dynamic_shared = max_shared_bytes - std::min(max_shared_bytes, result.static_shared);
    return result;
}

int max_active_blocks(const Function& function, int block, std::size_t dynamic_shared) {
    const std::size_t shared = function.record().static_shared_bytes + dynamic_shared;
    if (block < 1 || block > static_cast<int>(function.max_threads_per_block()) ||
        shared > max_shared_bytes)
        return 0;
    int blocks = std::clamp(static_cast<int>(max_block_threads) / block, 1, most_per_worker);
    if (shared != 0)
        blocks = std::min(blocks, static_cast<int>(shared_per_worker / (shared + 1024)));
    return std::max(blocks, 1);
}

BlockSize suggest_block_size(const Function& function, std::size_t dynamic_shared) {
    // Enough warps for the compiler to fill registers with, few enough to stay in the first cache.
    const int block = static_cast<int>(std::min(256u, function.max_threads_per_block()));
    return {block, max_active_blocks(function, block, dynamic_shared) * allowance().workers};
}

}  // namespace heald::cpu
