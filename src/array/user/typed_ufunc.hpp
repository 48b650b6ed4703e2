#pragma once

#include <heald/array.hpp>

#include "src/array/lazy/node.hpp"
#include "src/array/ops/ufunc.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heald::array {

/// The operation that `key` stands for; `make` writes it the first time (its symbol must be unlike
/// all others). Operations stay for ever. Throws Error(invalid_value) when there are 60000.
[[nodiscard]] const Ufunc& typed_ufunc(const std::string& key, std::string_view name,
                                       const std::function<TypedFunction()>& make);

/// Records it for operands that are broadcast to `shape` already.
[[nodiscard]] Array record_typed(const Ufunc& ufunc, std::vector<Operand> operands, Shape shape,
                                 Shape strides, const Stream& stream);

/// 0, 1, 2, … in C order, computed where it is read.
[[nodiscard]] Array counter(const Shape& shape, const Stream& stream);

}  // namespace heald::array
