#include "src/array/lazy/evaluate.hpp"
#include "src/array/lazy/pending.hpp"
#include "src/array/ops/elementwise.hpp"
#include "src/array/ops/reduce.hpp"
#include "src/array/shape.hpp"
#include "src/base/check.hpp"
#include "src/core/current.hpp"

#include <algorithm>
#include <memory>
#include <utility>
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

void check_target(const Array& target) {
    HEALD_EXPECTS(!target.read_only(), invalid_value,
                  "[Array.__setitem__] assignment destination is read-only");
}

/// Enqueues an operation whose results go to the elements of `target`.
void store(const Array& target, const Ufunc& row, std::vector<Operand> operands) {
    core::Block& block = *target.buffer().block();
    auto node = std::make_unique<Node>();
    node->ufunc = &row;
    node->loop = node->result = target.dtype();
    node->shape = node->iteration = target.shape();
    node->strides = target.strides();
    node->destination = target;
    node->stream = core::current_stream(block.device());
    node->operands = std::move(operands);
    const Array written = record(std::move(node));
    const auto& root = written.buffer().block();
    evaluate(other_readers(block, root));
    evaluate({&root, 1});
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

void assign(const Array& target, Array value, const std::optional<Array>& where) {
    check_target(target);
    HEALD_EXPECTS(can_assign(target, value.shape()), invalid_value,
                  "[Array.__setitem__] could not broadcast input array from shape ",
                  shape_text(value.shape()), " into shape ", shape_text(target.shape()));
    const core::DeviceState& device = target.buffer().block()->device();
    const core::DeviceState& other = value.buffer().block()->device();
    HEALD_EXPECTS(&other == &device, invalid_value, "[Array.__setitem__] the arrays are on ",
                  device.name(), " and ", other.name(), ": bring them together with x.to(device)");
    if (target.size() == 0) return;
    (void)target.buffer().block()->data();  // pending contents come first
    std::vector<Operand> operands;
    if (where) operands.emplace_back(broadcast_view(*where, target.shape()));
    operands.emplace_back(
        broadcast_view(drop_extra_axes(std::move(value), target.shape().size()), target.shape()));
    if (where) operands.emplace_back(target);
    store(target, where ? ufunc("where") : cast_ufunc(), std::move(operands));
}

void assign(const Array& target, const Value& value) {
    check_target(target);
    if (target.size() == 0) return;
    (void)target.buffer().block()->data();
    std::vector<Operand> operands;
    operands.emplace_back(target.dtype(), value);
    store(target, cast_ufunc(), std::move(operands));
}

}  // namespace heald::array
