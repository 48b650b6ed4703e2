#pragma once

#include <heald/signature.hpp>

#include <nanobind/nanobind.h>

#include <string_view>

namespace heald::python {

namespace nb = nanobind;

/// "(const float *x, int n)": for code that does not tell its kernels' types.
Signature parse_signature(std::string_view text);

/// A `signature=` argument: a Signature or such a text.
Signature signature_argument(nb::handle signature);

}  // namespace heald::python
