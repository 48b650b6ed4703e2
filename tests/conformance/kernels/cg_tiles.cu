// Cooperative groups: tiles, their ranks, shuffles and votes.
//@ arg x = in int32[128] integers(0, 100)
//@ arg out = out int32[5, 128]
//@ launch cg_tiles<<<1, 128>>>(x, out)

#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int tile_sum(cg::thread_block_tile<16> tile, int v) {
    for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
    return tile.shfl(v, 0);
}
extern "C" __global__ void cg_tiles(const int* x, int* out) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<16>(warp);
    auto quad = cg::tiled_partition<4>(block);
    int t = block.thread_rank();
    out[t] = tile_sum(tile, x[t]);
    out[128 + t] = tile.meta_group_rank() * 100 + tile.thread_rank();
    out[256 + t] = quad.meta_group_rank() * 1000 + quad.ballot(x[t] > 50);
    out[384 + t] = warp.any(x[t] == 99) * 2 + warp.all(x[t] >= 0);
    block.sync();
    out[512 + t] = quad.shfl_xor(x[t], 1) + quad.shfl_up(x[t], 1) * 1000 + (int)block.size();
}
