#include "src/array/indexing/index_kernel.hpp"

#include "src/array/lazy/kernel_text.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"

#include <algorithm>

namespace heald::array {
namespace {

constexpr std::int64_t short_row = 64;

/// Blocks go along rows of the last axis: offsets are divided once for a row, and neighbours that
/// lie together are loaded together.
bool by_rows(const Iteration& iteration) {
    return !iteration.extents.empty() && iteration.extents.back() >= short_row;
}

/// What an operand's offset grows by along a row.
std::string along_row(const Iteration& iteration, std::size_t operand) {
    const std::int64_t step = iteration.strides[operand].back();
    if (step == 0) return "";
    return step == 1
               ? " + j"
               : text(" + j * (I)layout.stride[", operand, "][", iteration.extents.size() - 1, "]");
}

/// Offsets of every operand at position i, or at place j of a row.
std::string offsets(const Iteration& iteration) {
    const bool rows = by_rows(iteration);
    const std::size_t axes = iteration.extents.size() - (rows ? 1 : 0);
    std::string lines = rows ? "    I rest = row;\n" : "    I rest = i;\n";
    std::vector<std::string> sums(iteration.strides.size());
    for (std::size_t axis = axes; axis-- > 0;) {
        if (axis > 0)
            lines += text("    const I outer", axis, " = rest / (I)layout.extent[", axis,
                          "];\n    const I place", axis, " = rest - outer", axis,
                          " * (I)layout.extent[", axis, "];\n    rest = outer", axis, ";\n");
        else
            lines += "    const I place0 = rest;\n";
        for (std::size_t k = 0; k < sums.size(); ++k)
            sums[k] += text(sums[k].empty() ? "" : " + ", "place", axis, " * (I)layout.stride[", k,
                            "][", axis, "]");
    }
    for (std::size_t k = 0; k < sums.size(); ++k)
        lines += text("    const I base", k, " = ", sums[k].empty() ? "0" : sums[k],
                      rows ? along_row(iteration, k) : "", ";\n");
    return lines;
}

std::string positions(const Iteration& iteration) {
    if (!by_rows(iteration))
        return text("    const I i = (I)blockIdx.x * ", index_block, " + (I)threadIdx.x;\n",
                    "    if (i >= (I)layout.count) return;\n");
    return text(
        "    const I columns = (I)layout.extent[", iteration.extents.size() - 1,
        "];\n    const I tiles = (columns + ", index_block - 1, ") / ", index_block,
        ";\n    const I row = (I)blockIdx.x / tiles;\n    const I j = ((I)blockIdx.x - row * ",
        "tiles) * ", index_block, " + (I)threadIdx.x;\n    if (j >= columns) return;\n");
}

std::int64_t grid_of(const Iteration& iteration) {
    const auto blocks = [](std::int64_t count) { return (count + index_block - 1) / index_block; };
    if (!by_rows(iteration)) return blocks(iteration.size());
    const std::int64_t row = iteration.extents.back();
    return iteration.size() / row * blocks(row);
}

std::string source_of(const IndexKernel& kernel, bool wide) {
    const std::size_t axes = std::max<std::size_t>(kernel.iteration.extents.size(), 1);
    std::string layout =
        text("struct Layout {\n    long long count;\n    long long extent[", axes,
             "];\n    long long stride[", kernel.iteration.strides.size(), "][", axes, "];\n");
    if (!kernel.lengths.empty())
        layout += text("    long long length[", kernel.lengths.size(), "];\n    long long step[",
                       kernel.lengths.size(), "];\n");
    return text(layout, "};\nextern \"C\" __global__ void __launch_bounds__(", index_block,
                ") fused(", kernel.parameters, ", const Layout layout) {\n",
                "    using I = ", wide ? "long long" : "int", ";\n", positions(kernel.iteration),
                offsets(kernel.iteration), kernel.body, "}\n");
}

std::vector<std::int64_t> layout_of(const IndexKernel& kernel) {
    const Iteration& iteration = kernel.iteration;
    const std::size_t axes = std::max<std::size_t>(iteration.extents.size(), 1);
    std::vector<std::int64_t> numbers{iteration.size()};
    const auto add = [&](const std::vector<std::int64_t>& list, std::int64_t fill) {
        numbers.insert(numbers.end(), list.begin(), list.end());
        numbers.insert(numbers.end(), axes - list.size(), fill);
    };
    add(iteration.extents, 1);
    for (const auto& strides : iteration.strides) add(strides, 0);
    numbers.insert(numbers.end(), kernel.lengths.begin(), kernel.lengths.end());
    numbers.insert(numbers.end(), kernel.steps.begin(), kernel.steps.end());
    return numbers;
}

/// Offsets of the array's elements fit 32 bits too.
bool is_wide(const IndexKernel& kernel) {
    __int128 reach = 0;
    for (std::size_t k = 0; k < kernel.lengths.size(); ++k)
        reach += static_cast<__int128>(kernel.lengths[k]) * std::abs(kernel.steps[k]);
    return !kernel.iteration.fits_32_bits() || reach > (std::int64_t{1} << 30);
}

}  // namespace

void IndexKernel::launch(PackedLaunch& arguments, const Stream& stream, const char* site) const {
    if (iteration.size() == 0) return;
    const bool wide = is_wide(*this);
    core::DeviceState& device = stream.state().device;
    const std::string source = source_of(*this, wide);
    const Kernel kernel = generated_kernel(device, text("index ", device.name(), "\n", source),
                                           [&] { return source; });
    std::vector<std::int64_t> layout = layout_of(*this);
    arguments.add_numbers(layout);
    const LaunchConfig config{Dim3(static_cast<std::uint32_t>(grid_of(iteration))),
                              Dim3(index_block)};
    arguments.launch(kernel, config, stream, site);
}

std::string index_parameters(const std::vector<Array>& indices) {
    std::string list;
    for (std::size_t k = 0; k < indices.size(); ++k)
        list += text(", const ", memory_type(indices[k].dtype()), "* __restrict__ i", k);
    return list;
}

std::string index_statements(const std::vector<Array>& indices, std::size_t first) {
    std::string lines;
    std::string inside;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        lines += text("    long long at", k, " = (long long)i", k, "[base", first + k, "];\n");
        if (info(indices[k].dtype()).kind == DTypeKind::signed_int)
            lines += text("    at", k, " += at", k, " < 0 ? layout.length[", k, "] : 0;\n");
        inside += text(inside.empty() ? "" : " && ", "(unsigned long long)at", k,
                       " < (unsigned long long)layout.length[", k, "]");
    }
    return text(lines, "    const bool inside = ", inside.empty() ? "true" : inside, ";\n");
}

IndexedWalk walk_of(const IndexedElements& elements) {
    const Array& array = elements.array;
    std::vector<const Shape*> shapes;
    for (const Array& index : elements.indices) shapes.push_back(&index.shape());
    IndexedWalk walk;
    walk.index_shape = broadcast_shapes(shapes, "Array.__getitem__");
    const Shape& together = walk.index_shape;

    const Shape strides = element_strides(array);
    std::vector<bool> is_indexed(array.shape().size());
    for (const int axis : elements.axes) {
        const auto at = static_cast<std::size_t>(axis);
        is_indexed[at] = true;
        walk.lengths.push_back(array.shape()[at]);
        walk.steps.push_back(strides[at]);
    }
    for (std::size_t axis = 0; axis < is_indexed.size(); ++axis) {
        if (is_indexed[axis]) continue;
        walk.shape.push_back(array.shape()[axis]);
        walk.elements.push_back(strides[axis]);
    }
    const auto insert = [&](Shape& into, const Shape& what) {
        into.insert(into.begin() + elements.position, what.begin(), what.end());
    };
    const Shape none(walk.shape.size(), 0);
    insert(walk.shape, together);
    insert(walk.elements, Shape(together.size(), 0));
    walk.dense = c_strides(walk.shape, 1);
    walk.rank = none;
    insert(walk.rank, c_strides(together, 1));
    for (const Array& index : elements.indices) {
        walk.indices.push_back(none);
        insert(walk.indices.back(), element_strides(broadcast_view(index, together)));
    }
    return walk;
}

}  // namespace heald::array
