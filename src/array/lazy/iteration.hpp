#pragma once

#include <heald/array.hpp>

#include <cstdint>
#include <vector>

namespace heald::array {

/// The elements that a kernel visits, and where each of its operands has them, in its simplest
/// form: axes of extent 1 dropped, axes that continue each other in every operand joined, ordered
/// so that the last one steps least in operand 0.
struct Iteration {
    Shape extents;               ///< outermost first; none: one element
    std::vector<Shape> strides;  ///< [operand][axis], in elements
    std::size_t kept = 0;        ///< axes that came before `fixed`

    [[nodiscard]] std::int64_t size() const noexcept;
    /// The operand is read in the order of the iteration, without gaps.
    [[nodiscard]] bool is_flat(std::size_t operand) const noexcept;
    /// The operand is one element.
    [[nodiscard]] bool is_single(std::size_t operand) const noexcept;
    /// Every offset of every operand, and the count, fit 32 bits.
    [[nodiscard]] bool fits_32_bits() const noexcept;
};

/// `strides[k]` are those of operand k over `shape`, in elements. Axes before `fixed` stay before
/// the others, in their order, and are not joined with them (the kept axes of a reduction, whose
/// results are dense, before its folded ones); the others keep their order if `keep_order`.
[[nodiscard]] Iteration simplify(const Shape& shape, const std::vector<Shape>& strides,
                                 std::size_t fixed = 0, bool keep_order = false);

}  // namespace heald::array
