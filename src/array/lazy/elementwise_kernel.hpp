#pragma once

#include "src/array/lazy/iteration.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/lazy/lowered.hpp"

#include <string>
#include <vector>

namespace heald::array {

/// How an elementwise kernel walks over its elements.
struct ElementwiseForm {
    enum class Walk : std::uint8_t {
        flat,  ///< one index; operands are read in order, or are one element
        rows,  ///< a block has elements of one row (the last axis)
        any,   ///< each thread finds its own coordinates: short rows
    };
    enum class Access : std::uint8_t { single, flat, row_single, row, strided };

    Walk walk = Walk::flat;
    bool wide_index = false;       ///< 64-bit
    int vector = 1;                ///< elements of a thread, loaded together (flat only)
    std::size_t axes = 0;          ///< of the iteration
    std::vector<Access> accesses;  ///< of outputs, then inputs
};

[[nodiscard]] ElementwiseForm choose_form(const Lowered& lowered, const Iteration& iteration,
                                          DeviceKind device);

/// CUDA C++ of the kernel `fused`: parameters are pointers to outputs and inputs (of a range, the
/// number of its first element), scalars, and a Layout.
[[nodiscard]] std::string elementwise_source(const Lowered& lowered, const ElementwiseForm& form,
                                             DeviceKind device);

constexpr unsigned elementwise_block = generated_block;  ///< threads

/// Blocks that cover the iteration.
[[nodiscard]] std::uint64_t elementwise_grid(const ElementwiseForm& form,
                                             const Iteration& iteration) noexcept;

}  // namespace heald::array
