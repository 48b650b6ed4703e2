#pragma once

#include <heald/device.hpp>
#include <heald/dtype.hpp>
#include <heald/export.hpp>

#include "src/array/ops/ufunc.hpp"

#include <string>

namespace heald::array {

/// CUDA C++ of the kernel `at(target, places, order, values, count)`, NumPy's ufunc.at: `places`
/// are offsets in elements, in `order` those that are equal stand together. One thread applies all
/// of one place, one after another, so that the result does not depend on timing. `values` are in
/// the loop's dtype; a ufunc of one operand does not read them.
[[nodiscard]] HEALD_API std::string at_source(const Ufunc& ufunc, DType loop, DType target,
                                              DeviceKind device);

}  // namespace heald::array
