#pragma once

#include <heald/dtype.hpp>

#include <string>

namespace heald::array {

/// CUDA C++ for elements of a dtype: `Element`, and `comes_before(a, b)`. Where it is not complex
/// also `U` (its bits), and, as in OrderKey, `order_key`, `order_bits`, `equal_key`,
/// `reversed_key`.
[[nodiscard]] std::string order_source(DType dtype);

/// Bits of an order key.
[[nodiscard]] int key_bits(DType dtype);

}  // namespace heald::array
