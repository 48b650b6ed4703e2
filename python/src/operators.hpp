#pragma once

#include <nanobind/nanobind.h>

#include <vector>

namespace heald::python {

/// Slots of Array for Python's operators: arithmetic, comparisons, bits.
[[nodiscard]] std::vector<PyType_Slot> operator_slots();

}  // namespace heald::python
