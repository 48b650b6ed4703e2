#pragma once

#include <heald/export.hpp>

#include "src/core/block.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heald::array {

/// What an evaluation would enqueue.
struct KernelReport {
    std::string what;              ///< "elementwise over (3, 4): multiply, add"
    std::uint64_t bytes_read = 0;  ///< of arrays, each element once
    std::uint64_t bytes_written = 0;
    std::string source;  ///< CUDA C++; of a reduction in passes: one after another
};

/// The kernels that evaluating these blocks would launch, in order; none if nothing is pending.
/// Nothing is evaluated.
[[nodiscard]] HEALD_API std::vector<KernelReport> explain(
    std::span<const std::shared_ptr<core::Block>> blocks);

}  // namespace heald::array
