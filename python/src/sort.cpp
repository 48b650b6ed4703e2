#include "python/src/gil.hpp"
#include "python/src/module.hpp"

#include "src/array/sort/sort.hpp"

namespace heald::python {

void init_sort(nb::module_& m) {
    using array::SortOptions;
    m.def(
        "sort_array",
        [](const Array& x, int axis, bool descending, bool, bool use_kernels) {
            const GilRelease unlocked;
            return array::sort(x, axis, SortOptions{descending, use_kernels});
        },
        nb::arg("array"), nb::arg("axis") = -1, nb::arg("descending") = false,
        nb::arg("stable") = true, nb::kw_only(), nb::arg("use_kernels") = false,
        "The elements in order along an axis; every sort is stable.");
    m.def(
        "argsort_array",
        [](const Array& x, int axis, bool descending, bool, bool use_kernels) {
            const GilRelease unlocked;
            return array::argsort(x, axis, SortOptions{descending, use_kernels});
        },
        nb::arg("array"), nb::arg("axis") = -1, nb::arg("descending") = false,
        nb::arg("stable") = true, nb::kw_only(), nb::arg("use_kernels") = false,
        "int64 places along an axis that put the elements in order.");
    m.def(
        "searchsorted_array",
        [](const Array& sorted, const Array& values, bool right, bool use_kernels) {
            const GilRelease unlocked;
            return array::searchsorted(sorted, values, right, use_kernels);
        },
        nb::arg("sorted"), nb::arg("values"), nb::arg("right") = false, nb::kw_only(),
        nb::arg("use_kernels") = false, "Where values go in a sorted array of one axis.");
}

}  // namespace heald::python
