#include "python/src/module.hpp"

#include "python/src/deferred.hpp"
#include "python/src/dtype.hpp"
#include "python/src/errors.hpp"
#include "python/src/gil.hpp"

using namespace heald::python;

NB_MODULE(_heald, m) {
    m.doc() = "The engine of heald; import heald.";
    // Objects may outlive the interpreter on threads that still run: no leak report at exit.
    nanobind::set_leak_warnings(false);
    init_gil();
    init_errors(m);
    init_deferred(m.ptr());
    init_dtype(m);
    init_device(m);
    init_stream(m);
    init_event(m);
    init_buffer(m);
    init_memory(m);
    init_pinned(m);
    init_array(m);
    init_array_index(m);
    init_array_gather(m);
    init_array_transfer(m);
    init_ufunc(m);
    init_reduction(m);
    init_random(m);
    init_user_functions(m);
    init_scan(m);
    init_select(m);
    init_sort(m);
    init_fft(m);
    init_array_interface(m);
    init_epilogue(m);
    init_matmul(m);
    init_dlpack(m);
    init_signature(m);
    init_object_code(m);
    init_program(m);
    init_launch_config(m);
    init_host_argument(m);
    init_kernel(m);
    init_jit_dispatch(m);
    init_jit_tables(m);
    init_doctor(m);
}
