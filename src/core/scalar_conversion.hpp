#pragma once

#include <heald/dtype.hpp>

#include <string>

namespace heald::core {

enum class Conversion { done, out_of_range, wrong_type };

/// Writes the value at `from` as a `to`: integers and booleans where they fit, any number as a
/// floating type, never a floating value as an integer.
Conversion convert_scalar(DType from_type, const void* from, DType to_type, void* to);

/// "int32 7", "float64 1.5"
std::string scalar_text(DType dtype, const void* value);

}  // namespace heald::core
