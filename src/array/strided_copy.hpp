#pragma once

#include <heald/array.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heald::array {

/// A copy of elements between two layouts, in its simplest form: axes of extent 1 dropped, axes
/// that continue each other joined, ordered for the destination (its last axis steps least), which
/// has no negative strides.
struct StridedCopy {
    struct Axis {
        std::int64_t extent = 0;
        std::int64_t to = 0;    ///< bytes
        std::int64_t from = 0;  ///< bytes
    };
    std::vector<Axis> axes;      ///< outermost first; none: one element
    std::int64_t to_offset = 0;  ///< of the first element written, in bytes from [0, …, 0]
    std::int64_t from_offset = 0;
    std::size_t item_size = 0;

    [[nodiscard]] std::int64_t size() const noexcept;
    /// One run of bytes on both sides.
    [[nodiscard]] bool is_contiguous() const noexcept;
};

[[nodiscard]] StridedCopy plan_copy(const Shape& shape, const Shape& to_strides,
                                    const Shape& from_strides, std::size_t item_size);

/// Copies on the calling thread. Addresses are those of elements [0, …, 0].
void run_copy(const StridedCopy& copy, void* to, const void* from);

/// A copy cut along one axis into parts that may run in any order and at once.
class CopyParts {
public:
    explicit CopyParts(StridedCopy copy);

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    [[nodiscard]] StridedCopy part(std::uint64_t index) const;

private:
    StridedCopy copy_;
    std::size_t axis_ = 0;
    std::int64_t extent_ = 0;  ///< of one part along the axis
    std::uint64_t count_ = 1;
};

}  // namespace heald::array
