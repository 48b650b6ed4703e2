#include "python/src/array.hpp"
#include "python/src/dtype.hpp"
#include "python/src/gil.hpp"
#include "python/src/module.hpp"

#include "src/array/indexing/indexing.hpp"
#include "src/array/ops/elementwise.hpp"

#include <heald/error.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace heald::python {

namespace {

using array::IndexedElements;

bool share_memory(const Array& a, const Array& b) {
    return a.buffer().block() == b.buffer().block();
}

/// What is written must not be read by the same kernel.
Array apart_from(const Array& target, const Array& array) {
    return share_memory(target, array) ? array.copy() : array;
}

Array gather(const Array& source, std::vector<int> axes, std::vector<Array> indices, int position) {
    const IndexedElements elements{source, std::move(axes), std::move(indices), position};
    const GilRelease unlocked;
    return array::gather(elements);
}

void scatter(const Array& target, std::vector<int> axes, std::vector<Array> indices, int position,
             const Array& value, bool distinct) {
    IndexedElements elements{target, std::move(axes), std::move(indices), position};
    const GilRelease unlocked;
    for (Array& index : elements.indices) index = apart_from(target, index);
    const Shape shape = array::shape_of(elements);
    Array source = array::cast(value, target.dtype());
    while (source.ndim() > static_cast<int>(shape.size()) && source.shape()[0] == 1)
        source = source.index(0, 0);
    source = broadcast_to(source, shape, "Array.__setitem__");
    array::scatter(elements, apart_from(target, source), distinct);
}

std::optional<std::int64_t> first_bad_index(const Array& index, std::int64_t length) {
    const GilRelease unlocked;
    return array::first_bad_index(index, length);
}

}  // namespace

void init_array_gather(nb::module_& m) {
    m.def("gather", gather, nb::arg("array"), nb::arg("axes"), nb::arg("indices"),
          nb::arg("position"));
    m.def("scatter", scatter, nb::arg("array"), nb::arg("axes"), nb::arg("indices"),
          nb::arg("position"), nb::arg("value"), nb::arg("distinct") = false);
    m.def("first_bad_index", first_bad_index, nb::arg("index"), nb::arg("length"));
    m.def(
        "check_indices_later",
        [](const Array& index, std::int64_t length, int axis) {
            const GilRelease unlocked;
            array::check_indices_later(index, length, axis);
        },
        nb::arg("index"), nb::arg("length"), nb::arg("axis"));
    m.def(
        "broadcast_view",
        [](const Array& x, nb::handle shape) {
            return broadcast_to(x, shape_argument(shape, "broadcast_to"), "broadcast_to");
        },
        nb::arg("array"), nb::arg("shape"));
    m.def(
        "view_as",
        [](const Array& x, nb::handle dtype, std::int64_t bytes) {
            return Array(x.buffer(), x.shape(), dtype_from_python(dtype, "Array.view"), x.strides(),
                         x.offset() + bytes);
        },
        nb::arg("array"), nb::arg("dtype"), nb::arg("bytes"));
    m.def(
        "strided_view",
        [](const Array& x, nb::handle shape, std::vector<std::int64_t> strides) {
            return Array(x.buffer(), shape_argument(shape, "strided_view"), x.dtype(),
                         std::move(strides), x.offset());
        },
        nb::arg("array"), nb::arg("shape"), nb::arg("strides"));
}

}  // namespace heald::python
