#pragma once

#include "src/plan/fft/fftw_piece.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heald::fft::fftw {

/// Where a pass reads and writes.
enum class Place : std::uint8_t { in, out, scratch };

/// Transforms over some of a problem's axes, cut into pieces that the device's threads share and
/// that stay in a cache while they are scaled.
struct Pass {
    Place from = Place::in;
    Place to = Place::out;
    Problem whole;
    Problem part;  ///< of a full piece
    Problem rest;  ///< of the last piece, if that is shorter
    std::int64_t pieces = 1;
    std::int64_t in_step = 0;  ///< bytes from piece to piece
    std::int64_t out_step = 0;
    int threads = 1;  ///< of FFTW's own
};

/// The passes that compute a problem. Pieces of a pass are independent.
struct Passes {
    std::vector<Pass> list;
    std::int64_t scratch = 0;  ///< complex elements
    bool short_work = false;   ///< less than another thread is worth
};

[[nodiscard]] Passes divide(const Problem& problem, std::int64_t threads);

}  // namespace heald::fft::fftw
