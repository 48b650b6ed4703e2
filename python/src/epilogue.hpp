#pragma once

#include <heald/matmul.hpp>

#include <nanobind/nanobind.h>

namespace heald::python {

namespace nb = nanobind;

/// None, an Epilogue, or a sequence of them, one after another.
Epilogue epilogue_argument(nb::handle object);

/// A Python function of one array, to be called from any thread; None: no function.
Prologue prologue_argument(nb::handle function, const char* name);

}  // namespace heald::python
