#pragma once

#include <cstdint>
#include <span>

namespace heald::array {

/// 64 bits mixed from entropy, as `numpy.random.SeedSequence(entropy).generate_state(1, "u8")`
/// (after Melissa O'Neill's seed_seq_fe): similar seeds give unrelated keys.
[[nodiscard]] std::uint64_t key_from_entropy(std::span<const std::uint32_t> entropy);

}  // namespace heald::array
