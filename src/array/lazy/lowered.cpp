#include "src/array/lazy/lowered.hpp"

#include "src/array/shape.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heald::array {
namespace {

class Lowering {
public:
    explicit Lowering(const Group& group) {
        lowered_.steps.reserve(group.nodes.size());
        values_.reserve(group.nodes.size());
        for (const Node* node : group.nodes) {
            if (node->kind == NodeKind::range) {
                values_.emplace_back(node, add_range(*node, Array()));
                continue;
            }
            if (node->kind == NodeKind::reduction) {
                lowered_.folded.push_back({node, ref_of(node->operands[0], node->iteration)});
                continue;
            }
            Step step{node->ufunc, node->loop, node->result};
            for (std::size_t k = 0; k < step.count(); ++k) {
                step.operands[k] = ref_of(node->operands[k], node->iteration);
                step.operand_dtypes[k] = node->operands[k].dtype;
            }
            values_.emplace_back(node, add_step(step));
        }
        for (const Node* node : group.outputs)
            if (node->kind != NodeKind::reduction)
                lowered_.outputs.push_back(
                    {node, *value_of(node), node->strides, node->destination});
    }

    Lowered take() { return std::move(lowered_); }

private:
    Ref ref_of(const Operand& operand, const Shape& iteration) {
        if (!operand.is_array()) return add_scalar({operand.dtype, operand.value});
        const Node* source = node_of(*operand.array.buffer().block());
        if (source != nullptr && source->kind == NodeKind::range)
            return add_range(*source, operand.array);
        if (source != nullptr && reads_in_place(operand, iteration))
            if (const Ref* value = value_of(source)) return *value;
        return add_input({operand.array, operand.dtype});
    }

    /// Consumers mostly come soon after.
    const Ref* value_of(const Node* node) const {
        for (std::size_t i = values_.size(); i-- > 0;)
            if (values_[i].first == node) return &values_[i].second;
        return nullptr;
    }

    Ref add_step(const Step& step) {
        const auto found = std::ranges::find(lowered_.steps, step);
        if (found != lowered_.steps.end())
            return ref(Ref::Kind::step, found - lowered_.steps.begin());
        lowered_.steps.push_back(step);
        return ref(Ref::Kind::step, static_cast<std::ptrdiff_t>(lowered_.steps.size()) - 1);
    }

    Ref add_scalar(const ScalarInput& scalar) {
        for (std::size_t i = 0; i < lowered_.scalars.size(); ++i)
            if (lowered_.scalars[i].dtype == scalar.dtype &&
                lowered_.scalars[i].value.bytes == scalar.value.bytes)
                return ref(Ref::Kind::scalar, static_cast<std::ptrdiff_t>(i));
        lowered_.scalars.push_back(scalar);
        return ref(Ref::Kind::scalar, static_cast<std::ptrdiff_t>(lowered_.scalars.size()) - 1);
    }

    Ref add_input(Input input) {
        for (std::size_t i = 0; i < lowered_.inputs.size(); ++i)
            if (same(lowered_.inputs[i], input))
                return ref(Ref::Kind::input, static_cast<std::ptrdiff_t>(i));
        lowered_.inputs.push_back(std::move(input));
        return ref(Ref::Kind::input, static_cast<std::ptrdiff_t>(lowered_.inputs.size()) - 1);
    }

    /// `view`: how it is read; empty: as it lies.
    Ref add_range(const Node& node, Array view) {
        Input input{std::move(view), node.result, &node};
        if (node.operands.empty()) {
            const Array& seen = input.array;
            const bool moved =
                seen.buffer().block() != nullptr &&
                seen.offset() + static_cast<std::int64_t>(seen.buffer().offset()) != 0;
            input.range_scalar = moved ? counted : counted_from_zero;
            return add_input(std::move(input));
        }
        // Start and step stay apart from equal scalars, so that the text does not depend on values.
        input.range_scalar = static_cast<std::uint16_t>(lowered_.scalars.size());
        const Ref result = add_input(input);
        if (lowered_.inputs[result.index].range_scalar == lowered_.scalars.size()) {
            lowered_.scalars.push_back({node.operands[0].dtype, node.operands[0].value});
            lowered_.scalars.push_back({node.operands[1].dtype, node.operands[1].value});
        }
        return result;
    }

    static bool same(const Input& a, const Input& b) {
        if (a.range != b.range || a.dtype != b.dtype || a.array.shape() != b.array.shape())
            return false;
        if (a.array.shape().empty() && a.range != nullptr) return false;
        return a.array.buffer().block() == b.array.buffer().block() &&
               a.array.buffer().offset() + static_cast<std::size_t>(a.array.offset()) ==
                   b.array.buffer().offset() + static_cast<std::size_t>(b.array.offset()) &&
               a.array.strides() == b.array.strides();
    }

    static Ref ref(Ref::Kind kind, std::ptrdiff_t index) {
        return {kind, static_cast<std::uint16_t>(index)};
    }

    Lowered lowered_;
    std::vector<std::pair<const Node*, Ref>> values_;
};

}  // namespace

Lowered lower(const Group& group) {
    return Lowering(group).take();
}

std::vector<Shape> operand_strides(const Lowered& lowered) {
    std::vector<Shape> all;
    for (const Output& output : lowered.outputs)
        all.push_back(element_strides(output.strides, output.node->result));
    for (const Input& input : lowered.inputs) {
        const bool as_it_lies = input.range != nullptr && input.array.buffer().block() == nullptr;
        all.push_back(element_strides(as_it_lies ? input.range->strides : input.array.strides(),
                                      input.dtype));
    }
    return all;
}

}  // namespace heald::array
