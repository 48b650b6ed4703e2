#pragma once

namespace heald::jit {

/// Drops what the compile cache holds in memory; what is on disk stays.
void clear_memory_cache();

}  // namespace heald::jit
