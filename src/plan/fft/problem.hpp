#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heald::fft {

/// What a library computes for one problem.
enum class Operation : std::uint8_t { forward, inverse, r2c, c2r, r2r };

/// An axis of both sides, strides in elements of the side.
struct Axis {
    std::int64_t n = 1;
    std::int64_t in = 0;
    std::int64_t out = 0;

    bool operator==(const Axis&) const = default;
};

/// Transforms of one form over strided memory, without addresses: what a library plans for. The
/// last of `axes` is the halved one of r2c and c2r; its n is that of the real side.
struct Problem {
    Operation operation = Operation::forward;
    bool float64 = false;
    bool in_place = false;
    std::vector<Axis> axes;
    std::vector<Axis> batch;     ///< outermost first; joined where both sides allow it
    std::vector<int> r2r_kinds;  ///< FFTW's numbers, one for each axis
    double scale = 1;            ///< of the result

    [[nodiscard]] bool real_in() const noexcept {
        return operation == Operation::r2c || operation == Operation::r2r;
    }
    [[nodiscard]] bool real_out() const noexcept {
        return operation == Operation::c2r || operation == Operation::r2r;
    }
    [[nodiscard]] std::int64_t in_bytes() const noexcept {  ///< of an element
        return (float64 ? 8 : 4) * (real_in() ? 1 : 2);
    }
    [[nodiscard]] std::int64_t out_bytes() const noexcept {
        return (float64 ? 8 : 4) * (real_out() ? 1 : 2);
    }
    [[nodiscard]] std::int64_t points() const noexcept;  ///< of one transform, real side
    [[nodiscard]] std::int64_t transforms() const noexcept;
    /// Elements along an axis of one side.
    [[nodiscard]] std::int64_t in_extent(std::size_t axis) const noexcept;
    [[nodiscard]] std::int64_t out_extent(std::size_t axis) const noexcept;
    /// Everything, as bytes.
    [[nodiscard]] std::string key() const;
};

/// Drops axes of one element and joins those that continue each other on both sides.
[[nodiscard]] std::vector<Axis> simplified(std::vector<Axis> batch);

}  // namespace heald::fft
