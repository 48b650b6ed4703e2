#include "src/array/ops/reduce.hpp"

#include "src/array/lazy/node.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/ops/promotion.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/core/current.hpp"

#include <algorithm>
#include <memory>

namespace heald::array {
namespace {

/// NumPy's dtype for the reduction of elements of `dtype`.
DType result_of(const Fold& fold, DType dtype) {
    if (fold.position) return DType::int64;
    if (fold.boolean) return DType::boolean;
    return fold.widens ? dtype_of_sums(dtype) : dtype;
}

}  // namespace

Array reduce(const Fold& fold, const Array& array, std::vector<int> axes, bool keep_axes,
             std::optional<DType> dtype) {
    std::ranges::sort(axes);
    auto node = std::make_unique<Node>();
    node->kind = NodeKind::reduction;
    node->fold = &fold;
    node->result = dtype ? *dtype : result_of(fold, array.dtype());
    node->loop = fold.position ? array.dtype() : node->result;
    if (is_narrow(node->loop)) node->loop = DType::float32;
    const Ufunc& combine = combine_ufunc(fold);
    HEALD_EXPECTS(combine.typed != nullptr || !expression_of(combine, node->loop).text.empty(),
                  type_mismatch, "[", fold.name, ".reduce] there is no such reduction for ",
                  name_of(array.dtype()));
    node->iteration = array.shape();
    node->axes = axes;
    Shape with_axes = array.shape();
    bool empty = false;
    for (const int axis : axes) {
        empty |= with_axes[static_cast<std::size_t>(axis)] == 0;
        with_axes[static_cast<std::size_t>(axis)] = 1;
    }
    const bool has_identity = !fold.begin.empty() || (fold.identity != Identity::lowest &&
                                                      fold.identity != Identity::highest);
    if (empty && !has_identity) {
        std::int64_t results = 1;
        for (const std::int64_t extent : with_axes) results *= extent;
        HEALD_EXPECTS(results == 0, invalid_value, "[", fold.name,
                      ".reduce] zero-size array to reduction operation ", fold.name,
                      " which has no identity");
    }
    for (std::size_t axis = 0; axis < with_axes.size(); ++axis)
        if (keep_axes || !std::ranges::binary_search(axes, static_cast<int>(axis)))
            node->shape.push_back(with_axes[axis]);
    node->strides = c_strides(node->shape, size_of(node->result));
    node->stream = core::current_stream(array.buffer().block()->device());
    node->operands.emplace_back(array);
    return record(std::move(node));
}

Array range(const Value& start, const Value& step, std::int64_t count, DType dtype,
            const Stream& stream) {
    auto node = std::make_unique<Node>();
    node->kind = NodeKind::range;
    node->loop = node->result = dtype;
    node->shape = {count};
    node->strides = {static_cast<std::int64_t>(size_of(dtype))};
    node->iteration = node->shape;
    node->operands.emplace_back(dtype, start);
    node->operands.emplace_back(dtype, step);
    node->stream = stream.state().shared_from_this();
    return record(std::move(node));
}

}  // namespace heald::array
