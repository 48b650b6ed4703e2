#pragma once

#include <heald/random.hpp>

#include "src/array/ops/elementwise.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace heald::array {

/// What Generator::draw does, for operands that may be typed scalars.
[[nodiscard]] HEALD_API Array draw(const Generator& generator, std::string_view name,
                                   std::optional<Shape> shape, DType dtype,
                                   std::span<const UfuncOperand> parameters, const Stream& stream);

}  // namespace heald::array
