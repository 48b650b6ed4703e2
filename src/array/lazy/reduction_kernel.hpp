#pragma once

#include "src/array/lazy/iteration.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/lazy/lowered.hpp"
#include "src/array/ops/fold.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace heald::array {

/// How a kernel folds R elements for each of K results. The elements of a result are divided into
/// segments, of which each gives a partial result; partial results are folded in turn, until one
/// segment is left. Everything depends on the shape alone, so that the bits of a result do too.
struct ReductionForm {
    enum class Walk : std::uint8_t {
        warp,    ///< 32 threads share a segment
        thread,  ///< a thread has a segment of its own: short ones, or neighbours in memory
    };

    Walk walk = Walk::warp;
    DeviceKind device = DeviceKind::cpu;
    bool wide_index = false;       ///< 64-bit
    bool from_partials = false;    ///< folds partial results of an earlier pass
    bool to_partials = false;      ///< there are several segments
    bool short_segment = false;    ///< at most 128 elements: no loop
    int run = 1;                   ///< neighbours that a thread of a warp takes together
    bool packed = false;           ///< they are loaded at once
    std::size_t kept = 0;          ///< axes
    std::size_t folded = 0;        ///< axes
    std::vector<bool> contiguous;  ///< of outputs, then inputs: the last axis steps by 1
};

/// Extents of one pass.
struct ReductionPass {
    std::int64_t results = 1;   ///< K
    std::int64_t elements = 1;  ///< R, of each result
    std::int64_t segment = 1;   ///< elements
    std::int64_t segments = 1;  ///< of each result
};

/// The iteration of a reduction: its kept axes, then its folded ones, for outputs and inputs.
[[nodiscard]] Iteration reduction_iteration(const Lowered& lowered, const Node& node);
[[nodiscard]] ReductionForm choose_reduction_form(const Lowered& lowered,
                                                  const Iteration& iteration, DeviceKind device);
[[nodiscard]] ReductionPass plan_pass(const ReductionForm& form, std::int64_t results,
                                      std::int64_t elements);
/// The form of a pass over partial results, which lie as [segment][result].
[[nodiscard]] ReductionForm partials_form(std::int64_t results, std::int64_t elements,
                                          DeviceKind device);
void finish_form(ReductionForm& form, const ReductionPass& pass);

/// CUDA C++ of the kernel `fused`: parameters are pointers to results or partial results (one a
/// fold), then pointers to outputs and inputs and scalars as in elementwise kernels (or pointers to
/// partial results), and a Layout.
[[nodiscard]] std::string reduction_source(const Lowered& lowered, const ReductionForm& form,
                                           DeviceKind device);

constexpr unsigned reduction_block = generated_block;  ///< threads
[[nodiscard]] LaunchConfig reduction_launch(const ReductionForm& form, const ReductionPass& pass);

}  // namespace heald::array
