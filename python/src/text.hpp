#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace heald::python {

namespace nb = nanobind;

/// The UTF-8 of a str. Raises InvalidValueError for a str that has none (lone surrogates), and
/// TypeMismatchError for what is not a str; `what` names the argument: "[Device] device".
std::string text_argument(nb::handle text, const std::string& what);

/// An object as error messages show it: its repr, shortened, or its type where repr fails.
std::string shown(nb::handle object) noexcept;

}  // namespace heald::python
