#pragma once

#include <nanobind/nanobind.h>

namespace heald::python {

namespace nb = nanobind;

// One per file of the same name.
void init_array(nb::module_& m);
void init_array_gather(nb::module_& m);
void init_array_index(nb::module_& m);
void init_array_interface(nb::module_& m);
void init_ufunc(nb::module_& m);
void init_reduction(nb::module_& m);
void init_array_transfer(nb::module_& m);
void init_buffer(nb::module_& m);
void init_device(nb::module_& m);
void init_dlpack(nb::module_& m);
void init_doctor(nb::module_& m);
void init_epilogue(nb::module_& m);
void init_event(nb::module_& m);
void init_fft(nb::module_& m);
void init_host_argument(nb::module_& m);
void init_jit_dispatch(nb::module_& m);
void init_jit_tables(nb::module_& m);
void init_kernel(nb::module_& m);
void init_launch_config(nb::module_& m);
void init_matmul(nb::module_& m);
void init_memory(nb::module_& m);
void init_object_code(nb::module_& m);
void init_pinned(nb::module_& m);
void init_program(nb::module_& m);
void init_signature(nb::module_& m);
void init_random(nb::module_& m);
void init_scan(nb::module_& m);
void init_select(nb::module_& m);
void init_sort(nb::module_& m);
void init_stream(nb::module_& m);
void init_user_functions(nb::module_& m);

}  // namespace heald::python
