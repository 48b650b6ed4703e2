#pragma once

#include <cstdint>

namespace heald {

/// 0 in the first process, one more in each forked child: work that began under another number
/// belongs to an ancestor, and its threads are not here.
[[nodiscard]] std::uint64_t fork_generation() noexcept;

}  // namespace heald
