#include "src/array/indexing/index_kernel.hpp"
#include "src/array/indexing/last_index.hpp"

#include "src/array/lazy/kernel_text.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <cstring>

namespace heald::array {
namespace {

constexpr const char* site = "Array.__setitem__";

}  // namespace

void scatter(const IndexedElements& elements, const Array& value, bool distinct) {
    const IndexedWalk walk = walk_of(elements);
    const Array& target = elements.array;
    HEALD_EXPECTS(!target.read_only(), invalid_value,
                  "[Array.__setitem__] assignment destination is read-only");
    if (std::ranges::find(walk.shape, 0) != walk.shape.end()) return;
    const Stream stream = stream_for(target);
    const DType dtype = target.dtype();
    const Shape steps = element_strides(broadcast_view(value, walk.shape));

    // Equal values need no order.
    bool ordered = !distinct;
    if (ordered) {
        const auto first = static_cast<std::size_t>(elements.position);
        ordered = false;
        for (std::size_t axis = first; axis < first + walk.index_shape.size(); ++axis)
            ordered |= steps[axis] != 0 && walk.shape[axis] > 1;
    }
    std::vector<Shape> strides{walk.dense, walk.elements, steps, walk.rank};
    strides.insert(strides.end(), walk.indices.begin(), walk.indices.end());
    std::string offset = "base1";
    for (std::size_t k = 0; k < elements.indices.size(); ++k)
        offset += text(" + (I)at", k, " * (I)layout.step[", k, "]");
    const std::string type = bits_type(size_of(dtype));
    LastIndex last;
    std::string condition = "inside";
    if (ordered) {
        last = last_index(elements, walk, stream);
        condition = "is_last";
    }
    const IndexKernel kernel{
        .parameters = text(type, "* elements, const ", type, "* value",
                           ordered ? last.parameters() : "", index_parameters(elements.indices)),
        .body = text(index_statements(elements.indices, 4),
                     ordered ? last.statements(elements.indices.size(), "base3") : "", "    if (",
                     condition, ") elements[", offset, "] = value[base2];\n"),
        .iteration = simplify(walk.shape, strides),
        .lengths = walk.lengths,
        .steps = walk.steps};
    PackedLaunch arguments;
    arguments.add_array(target, true);
    arguments.add_array(value, false);
    if (ordered) last.add_arguments(arguments);
    for (const Array& index : elements.indices) arguments.add_array(index, false);
    kernel.launch(arguments, stream, site);
}

}  // namespace heald::array
