#pragma once

#include <heald/array.hpp>
#include <heald/fft.hpp>

#include "src/plan/fft/problem.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace heald::fft {

/// A transform with everything decided: axes from 0, lengths in full.
struct Resolved {
    std::vector<int> axes;
    std::vector<std::int64_t> lengths;  ///< of the real side
    double scale = 1;
    Shape in;   ///< the input's shape once it is cut and padded
    Shape out;  ///< the result's
};

/// Throws NumPy's errors.
[[nodiscard]] Resolved resolve(const Shape& shape, const Transform& what, const char* operation);

[[nodiscard]] bool is_double(DType dtype) noexcept;
/// The dtypes of both sides.
[[nodiscard]] DType input_dtype(Kind kind, bool float64) noexcept;
[[nodiscard]] DType output_dtype(Kind kind, bool float64) noexcept;

/// Strides are whole elements and none is zero: a library can take the array as it is.
[[nodiscard]] bool is_regular(const Array& array) noexcept;

/// The problem of transforming `in` into `out`; batch axes are all others.
[[nodiscard]] Problem problem_of(Operation operation, const Array& in, const Array& out,
                                 const std::vector<int>& axes,
                                 const std::vector<std::int64_t>& lengths, double scale);

}  // namespace heald::fft
