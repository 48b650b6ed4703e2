#include "python/src/gil.hpp"
#include "python/src/module.hpp"

#include "src/array/select/select.hpp"

namespace heald::python {

void init_select(nb::module_& m) {
    m.def(
        "count_nonzero",
        [](const Array& x, bool use_kernels) {
            const GilRelease unlocked;
            return array::count_nonzero(x, use_kernels);
        },
        nb::arg("array"), nb::kw_only(), nb::arg("use_kernels") = false,
        "How many elements are true. Waits for the number.");
    m.def(
        "nonzero_array",
        [](const Array& x, bool use_kernels) {
            const GilRelease unlocked;
            return array::nonzero(x, use_kernels);
        },
        nb::arg("array"), nb::kw_only(), nb::arg("use_kernels") = false,
        "int64 (ndim, count): the indices of the elements that are true. Waits for the count.");
    m.def(
        "compress_array",
        [](const Array& x, const Array& mask, bool use_kernels) {
            const GilRelease unlocked;
            return array::compress(x, mask, use_kernels);
        },
        nb::arg("array"), nb::arg("mask"), nb::kw_only(), nb::arg("use_kernels") = false,
        "The elements where a bool mask over the first axes is true. Waits for their number.");
}

}  // namespace heald::python
