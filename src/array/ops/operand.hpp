#pragma once

#include <heald/operations.hpp>

#include "src/array/ops/elementwise.hpp"

namespace heald::array {

/// An operand of the C++ API as the engine takes it.
[[nodiscard]] UfuncOperand ufunc_operand(const heald::Operand& operand);

}  // namespace heald::array
