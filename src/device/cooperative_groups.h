#pragma once

// Cooperative groups: the block, tiles of 1 to 32 threads, coalesced threads, and the grid without
// its barrier. Collectives are in cooperative_groups/reduce.h and scan.h.

#include <heald_device.h>
#include <heald_device/groups_lanes.h>

#include <heald_device/groups_block.h>
#include <heald_device/groups_tile.h>
#include <heald_device/groups_coalesced.h>
#include <heald_device/groups_partition.h>
