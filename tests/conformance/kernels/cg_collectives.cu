// Cooperative groups: reduce and scans.
//@ arg x = in int32[128] integers(-50, 100)
//@ arg out = out int32[4, 128]
//@ launch cg_collectives<<<1, 128>>>(x, out)

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void cg_collectives(const int* x, int* out) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(block);
    int t = block.thread_rank();
    out[t] = cg::reduce(warp, x[t], cg::plus<int>());
    out[128 + t] = cg::reduce(tile, x[t], cg::greater<int>());
    out[256 + t] = cg::inclusive_scan(warp, x[t]);
    out[384 + t] = cg::exclusive_scan(tile, x[t], cg::plus<int>());
}
