#include "src/array/indexing/index_kernel.hpp"

#include "src/array/lazy/kernel_text.hpp"
#include "src/base/check.hpp"

namespace heald::array {

Shape shape_of(const IndexedElements& elements) {
    return walk_of(elements).shape;
}

Array gather(const IndexedElements& elements) {
    const IndexedWalk walk = walk_of(elements);
    const DType dtype = elements.array.dtype();
    const Stream stream = stream_for(elements.array);
    Array result(walk.shape, dtype, stream);
    if (result.size() == 0) return result;

    std::vector<Shape> strides{walk.dense, walk.elements};
    strides.insert(strides.end(), walk.indices.begin(), walk.indices.end());
    std::string offset = "base1";
    for (std::size_t k = 0; k < elements.indices.size(); ++k)
        offset += text(" + (I)at", k, " * (I)layout.step[", k, "]");
    const std::string type = bits_type(size_of(dtype));
    const IndexKernel kernel{
        .parameters = text(type, "* __restrict__ out, const ", type, "* __restrict__ elements",
                           index_parameters(elements.indices)),
        .body = text(index_statements(elements.indices, 2), "    ", type,
                     " value{};\n    if (inside) value = elements[", offset,
                     "];\n    out[base0] = value;\n"),
        .iteration = simplify(walk.shape, strides),
        .lengths = walk.lengths,
        .steps = walk.steps};
    PackedLaunch arguments;
    arguments.add_array(result, true);
    arguments.add_array(elements.array, false);
    for (const Array& index : elements.indices) arguments.add_array(index, false);
    kernel.launch(arguments, stream, "Array.__getitem__");
    return result;
}

}  // namespace heald::array
