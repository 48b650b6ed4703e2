#pragma once

#include "src/array/lazy/kernel_text.hpp"
#include "src/array/lazy/node.hpp"

#include <cstddef>
#include <string>

namespace heald::array {

/// CUDA C++ of what a kernel knows of some elements of fold number f: the type State<f>, and
/// begin<f> (of no elements), combine<f> (of two, whose elements may alternate), include<f> (one
/// more element, at a place after those known), shuffle<f>, finish<f> (the result).
[[nodiscard]] std::string fold_state(std::size_t f, const Node& fold, Preamble& preamble);

/// Bytes of a State.
[[nodiscard]] std::size_t fold_state_size(const Node& fold) noexcept;

/// Whether places take 64 bits.
[[nodiscard]] bool has_wide_positions(const Node& fold) noexcept;

}  // namespace heald::array
