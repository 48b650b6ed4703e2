#pragma once

#include "src/array/ops/elementwise.hpp"

#include <nanobind/nanobind.h>

#include <optional>

namespace heald::python {

namespace nb = nanobind;

/// An operand of an elementwise operation: an Array, a tensor of another library (shared), Python's
/// own number, or a NumPy scalar. nullopt: nothing of these.
[[nodiscard]] std::optional<array::UfuncOperand> operand_from_python(nb::handle object);

/// The same; throws Error(type_mismatch) that names the operation and what to do.
[[nodiscard]] array::UfuncOperand operand_argument(nb::handle object, std::string_view operation);

/// An operation that records, and may compile or wait for a full queue: without Python's lock if
/// that can be.
[[nodiscard]] nb::object record_ufunc(const array::Ufunc& ufunc,
                                      std::span<const array::UfuncOperand> operands,
                                      std::optional<DType> dtype = std::nullopt);

}  // namespace heald::python
