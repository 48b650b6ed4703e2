#include "src/array/lazy/evaluate.hpp"
#include "src/array/lazy/pending.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/ops/reduce.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/core/current.hpp"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <vector>

namespace heald::array {
namespace {

/// Without leading axes of extent 1 that the target does not have.
Array drop_extra_axes(Array array, std::size_t ndim) {
    while (array.shape().size() > ndim && array.shape()[0] == 1) array = array.index(0, 0);
    return array;
}

/// Pending readers of the target, but for those that `root` needs: they run no later than it.
std::vector<std::shared_ptr<core::Block>> other_readers(const core::Block& target,
                                                        const std::shared_ptr<core::Block>& root) {
    auto readers = pending_readers(target);
    if (readers.empty()) return readers;
    const auto needed = pending_needs(root);
    std::erase_if(readers, [&](const auto& reader) {
        return std::ranges::find(needed, reader.get()) != needed.end();
    });
    return readers;
}

}  // namespace

bool can_assign(const Array& target, const Shape& shape) noexcept {
    std::size_t skip = 0;
    while (shape.size() - skip > target.shape().size() && shape[skip] == 1) ++skip;
    if (shape.size() - skip > target.shape().size()) return false;
    const std::size_t extra = target.shape().size() - (shape.size() - skip);
    for (std::size_t axis = skip; axis < shape.size(); ++axis)
        if (shape[axis] != 1 && shape[axis] != target.shape()[axis - skip + extra]) return false;
    return true;
}

void assign(const Array& target, const Array& value, const std::optional<Array>& where) {
    HEALD_EXPECTS(!target.read_only(), invalid_value,
                  "[Array.__setitem__] assignment destination is read-only");
    HEALD_EXPECTS(can_assign(target, value.shape()), invalid_value,
                  "[Array.__setitem__] could not broadcast input array from shape ",
                  shape_text(value.shape()), " into shape ", shape_text(target.shape()));
    core::Block& block = *target.buffer().block();
    HEALD_EXPECTS(&value.buffer().block()->device() == &block.device(), invalid_value,
                  "[Array.__setitem__] the arrays are on ", block.device().name(), " and ",
                  value.buffer().block()->device().name(),
                  ": bring them together with x.to(device)");
    if (target.size() == 0) return;
    (void)block.data();  // pending contents come first

    auto node = std::make_unique<Node>();
    node->loop = node->result = target.dtype();
    node->shape = node->iteration = target.shape();
    node->strides = target.strides();
    node->destination = target;
    const auto current = core::current_stream();
    node->stream = &current->device == &block.device() ? current : block.device().default_stream();
    const Array elements =
        broadcast_view(drop_extra_axes(value, target.shape().size()), target.shape());
    if (where) {
        node->ufunc = &ufunc("where");
        node->operands.emplace_back(broadcast_view(*where, target.shape()));
        node->operands.emplace_back(elements);
        node->operands.emplace_back(target);
    } else {
        node->ufunc = &cast_ufunc();
        node->operands.emplace_back(elements);
    }
    const Array written = record(std::move(node));
    const auto& root = written.buffer().block();
    evaluate(other_readers(block, root));
    evaluate({&root, 1});
}

}  // namespace heald::array
