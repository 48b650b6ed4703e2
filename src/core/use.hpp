#pragma once

#include "src/core/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace heald::core {

/// What a stream did with a range of a block.
struct Use {
    std::shared_ptr<Timeline> timeline;
    std::uint64_t position = 0;  ///< `pending`: being enqueued by some thread now
    std::size_t begin = 0;       ///< bytes
    std::size_t end = 0;
    bool write = false;

    static constexpr std::uint64_t pending = ~std::uint64_t{0};
};

}  // namespace heald::core
