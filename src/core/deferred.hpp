#pragma once

#include "src/core/timeline.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace heald::core {

/// A position that something waits for.
struct Position {
    std::shared_ptr<Timeline> timeline;
    std::uint64_t position = 0;
};

/// Keeps `object` until all of `positions` are reached. It is then dropped on a thread that calls
/// heald (never one of a driver), with no lock held.
void keep_until(std::vector<Position> positions, std::shared_ptr<void> object) noexcept;

/// Drops what may be dropped now.
void drop_finished() noexcept;

}  // namespace heald::core
