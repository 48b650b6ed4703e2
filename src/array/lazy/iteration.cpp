#include "src/array/lazy/iteration.hpp"

#include <algorithm>
#include <cstdlib>

namespace heald::array {
namespace {

constexpr std::int64_t most_32_bit = (std::int64_t{1} << 31) - 1;

/// Axes [first, last) in the order of their steps in one operand.
void sort_axes(std::vector<std::size_t>& axes, std::size_t first, std::size_t last,
               const Shape& steps) {
    std::stable_sort(
        axes.begin() + static_cast<std::ptrdiff_t>(first),
        axes.begin() + static_cast<std::ptrdiff_t>(last),
        [&](std::size_t a, std::size_t b) { return std::abs(steps[a]) > std::abs(steps[b]); });
}

}  // namespace

std::int64_t Iteration::size() const noexcept {
    std::int64_t size = 1;
    for (const std::int64_t extent : extents) size *= extent;
    return size;
}

bool Iteration::is_flat(std::size_t operand) const noexcept {
    std::int64_t step = 1;
    for (std::size_t axis = extents.size(); axis-- > 0;) {
        if (strides[operand][axis] != step) return false;
        step *= extents[axis];
    }
    return true;
}

bool Iteration::is_single(std::size_t operand) const noexcept {
    for (const std::int64_t stride : strides[operand])
        if (stride != 0) return false;
    return true;
}

bool Iteration::fits_32_bits() const noexcept {
    // Room for the last block's threads past the end.
    if (size() > most_32_bit - 65536) return false;
    for (const auto& steps : strides) {
        std::int64_t reach = 0;
        for (std::size_t axis = 0; axis < extents.size(); ++axis)
            reach += std::abs(steps[axis]) * (extents[axis] - 1);
        if (reach > most_32_bit) return false;
    }
    return true;
}

Iteration simplify(const Shape& shape, const std::vector<Shape>& strides, std::size_t fixed,
                   bool keep_order) {
    std::vector<std::size_t> axes;
    std::size_t kept = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == 1) continue;
        axes.push_back(axis);
        kept += axis < fixed;
    }
    if (!keep_order) sort_axes(axes, kept, axes.size(), strides[0]);

    Iteration result;
    result.strides.resize(strides.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::size_t axis = axes[i];
        const std::int64_t extent = shape[axis];
        bool joins = !result.extents.empty() && i != kept;
        for (std::size_t k = 0; joins && k < strides.size(); ++k)
            joins = result.strides[k].back() == strides[k][axis] * extent;
        if (joins)
            result.extents.back() *= extent;
        else
            result.extents.push_back(extent);
        if (i < kept && !joins) ++result.kept;
        for (std::size_t k = 0; k < strides.size(); ++k) {
            if (joins)
                result.strides[k].back() = strides[k][axis];
            else
                result.strides[k].push_back(strides[k][axis]);
        }
    }
    return result;
}

}  // namespace heald::array
