#include "python/src/dtype.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"

#include "src/array/scan/accumulate.hpp"

#include <nanobind/stl/string_view.h>

#include <optional>

namespace heald::python {

void init_scan(nb::module_& m) {
    m.def(
        "accumulate_array",
        [](std::string_view name, const Array& x, int axis, nb::handle dtype, bool use_kernels) {
            std::optional<DType> wanted;
            if (!dtype.is_none()) wanted = dtype_from_python(dtype, "accumulate");
            const array::Ufunc& ufunc = array::ufunc(name);
            const GilRelease unlocked;
            return array::accumulate(ufunc, x, axis, wanted, use_kernels);
        },
        nb::arg("name"), nb::arg("array"), nb::arg("axis") = 0, nb::arg("dtype") = nb::none(),
        nb::kw_only(), nb::arg("use_kernels") = false, "ufunc.accumulate along an axis.");
}

}  // namespace heald::python
