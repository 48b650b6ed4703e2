#pragma once

#include <heald/array.hpp>
#include <heald/stream.hpp>

#include <cstdint>

namespace heald::plan {

/// 24 random bits, as uint64, for each element of a shape, by its place and the seed: the mixing
/// function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// 2014). Recorded.
[[nodiscard]] Array random_bits(const Shape& shape, std::uint64_t seed, const Stream& stream);

/// Numbers between -1 and 1 of a dtype, of integers between -8 and 8. Recorded.
[[nodiscard]] Array random_numbers(const Shape& shape, DType dtype, const Stream& stream);

}  // namespace heald::plan
