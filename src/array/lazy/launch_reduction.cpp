#include "src/array/lazy/fold_state.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/lazy/launch_parts.hpp"
#include "src/array/lazy/reduction_kernel.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

namespace heald::array {
namespace {

std::string key_of(const Lowered& lowered, const ReductionForm& form,
                   const core::DeviceState& device) {
    Key key;
    key.add('r').add(device.kind()).add(device.ordinal());
    key.add(form.walk).add(form.wide_index).add(form.from_partials).add(form.to_partials);
    key.add(form.run).add(form.packed).add(form.short_segment).add(form.kept).add(form.folded);
    for (const bool contiguous : form.contiguous) key.add(contiguous);
    key.add(lowered.folded.size());
    for (const Output& fold : lowered.folded)
        key.add(fold.node->fold->combine != nullptr ? fold.node->fold->combine->id
                                                    : fold.node->fold - folds().data())
            .add(fold.node->loop)
            .add(fold.node->result)
            .add(has_wide_positions(*fold.node))
            .add(fold.value);
    if (!form.from_partials) add_lowered(key, lowered);
    return key.take();
}

/// The axes of a reduction with those that it folds last.
std::vector<std::size_t> axes_in_order(const Node& node) {
    std::vector<std::size_t> order;
    const auto is_folded = [&](std::size_t axis) {
        return std::ranges::find(node.axes, static_cast<int>(axis)) != node.axes.end();
    };
    for (std::size_t axis = 0; axis < node.iteration.size(); ++axis)
        if (!is_folded(axis)) order.push_back(axis);
    for (std::size_t axis = 0; axis < node.iteration.size(); ++axis)
        if (is_folded(axis)) order.push_back(axis);
    return order;
}

Shape in_order(const Shape& values, const std::vector<std::size_t>& order) {
    Shape result;
    for (const std::size_t axis : order) result.push_back(values[axis]);
    return result;
}

/// results, elements, segment, segments, extents, strides.
std::vector<std::int64_t> layout_of(const ReductionPass& pass, const Iteration* iteration) {
    std::vector<std::int64_t> numbers{pass.results, pass.elements, pass.segment, pass.segments};
    const std::size_t axes =
        std::max<std::size_t>(iteration != nullptr ? iteration->extents.size() : 0, 1);
    const std::size_t operands =
        std::max<std::size_t>(iteration != nullptr ? iteration->strides.size() : 0, 1);
    numbers.resize(4 + axes * (1 + operands));
    if (iteration == nullptr) return numbers;
    for (std::size_t axis = 0; axis < iteration->extents.size(); ++axis) {
        numbers[4 + axis] = iteration->extents[axis];
        for (std::size_t k = 0; k < iteration->strides.size(); ++k)
            numbers[4 + axes * (1 + k) + axis] = iteration->strides[k][axis];
    }
    return numbers;
}

std::pair<std::int64_t, std::int64_t> extents_of(const Iteration& iteration) {
    std::int64_t results = 1, elements = 1;
    for (std::size_t axis = 0; axis < iteration.extents.size(); ++axis)
        (axis < iteration.kept ? results : elements) *= iteration.extents[axis];
    return {results, elements};
}

struct PlannedPass {
    ReductionForm form;
    ReductionPass pass;
};

/// Kernels one after another, until each result is one value: the first folds elements, the others
/// partial results of the one before.
std::vector<PlannedPass> plan_passes(const Lowered& lowered, const Iteration& iteration,
                                     DeviceKind device) {
    const auto [results, elements] = extents_of(iteration);
    std::vector<PlannedPass> passes;
    const auto add = [&](ReductionForm form, std::int64_t count) {
        const ReductionPass pass = plan_pass(form, results, count);
        finish_form(form, pass);
        passes.push_back({std::move(form), pass});
    };
    add(choose_reduction_form(lowered, iteration, device), elements);
    while (passes.back().pass.segments > 1) {
        const std::int64_t segments = passes.back().pass.segments;
        add(partials_form(results, segments, device), segments);
    }
    return passes;
}

/// Enqueues them.
class Passes {
public:
    Passes(const Lowered& lowered, const Node& any)
        : lowered_(lowered),
          stream_(*any.stream),
          handle_(stream_.shared_from_this()),
          memory_(stream_) {
        for (const Output& fold : lowered.folded)
            results_.push_back(memory_.allocate(*fold.node->block));
    }

    /// False if the first kernel is missing, and nothing was enqueued.
    bool run(const Node& any, Missing missing) {
        const Iteration iteration = reduction_iteration(lowered_, any);
        ArgumentList operands;
        operands.add_operands(lowered_, memory_);
        if (extents_of(iteration).first == 0) return true;
        const std::vector<PlannedPass> passes =
            plan_passes(lowered_, iteration, stream_.device.kind());
        if (!launch(passes.front(), &iteration, std::move(operands), missing)) return false;
        for (const PlannedPass& step : std::span(passes).subspan(1)) {
            const std::vector<Buffer> partials = std::move(partials_);
            ArgumentList read;
            for (const Buffer& partial : partials) {
                read.add_pointer(partial.data());
                read.add_use({partial.block().get(), 0, partial.size(), false});
            }
            launch(step, nullptr, std::move(read), Missing::compile);
        }
        return true;
    }

    std::vector<Written> keep() { return memory_.keep(); }

private:
    bool launch(const PlannedPass& step, const Iteration* iteration, ArgumentList operands,
                Missing missing) {
        const auto& [form, pass] = step;
        const Kernel* kernel = generated_kernel(
            stream_.device, key_of(lowered_, form, stream_.device),
            [&] { return reduction_source(lowered_, form, stream_.device.kind()); }, missing);
        if (kernel == nullptr) return false;
        ArgumentList arguments;
        partials_.clear();
        for (std::size_t f = 0; f < lowered_.folded.size(); ++f) {
            const Node& node = *lowered_.folded[f].node;
            if (form.to_partials) {
                const auto count = static_cast<std::size_t>(pass.results * pass.segments);
                const Buffer& partial =
                    partials_.emplace_back(fold_state_size(node) * count, handle_);
                arguments.add_pointer(partial.data());
                arguments.add_use({partial.block().get(), 0, partial.size(), true});
            } else {
                arguments.add_pointer(results_[f]);
                arguments.add_use({node.block, 0, node.block->size(), true});
            }
        }
        arguments.append(operands);
        const std::vector<std::int64_t> layout = layout_of(pass, iteration);
        arguments.launch(*kernel, reduction_launch(form, pass), stream_, layout);
        return true;
    }

    const Lowered& lowered_;
    core::StreamState& stream_;
    Stream handle_;
    OutputMemory memory_;
    std::vector<void*> results_;
    std::vector<Buffer> partials_;
};

}  // namespace

Iteration reduction_iteration(const Lowered& lowered, const Node& node) {
    const std::vector<std::size_t> order = axes_in_order(node);
    const auto outputs = static_cast<std::ptrdiff_t>(lowered.outputs.size());
    std::vector<Shape> strides;
    for (const Shape& one : operand_strides(lowered)) strides.push_back(in_order(one, order));
    // Inputs, put first, decide the order of the axes.
    std::rotate(strides.begin(), strides.begin() + outputs, strides.end());
    bool positions = false;
    for (const Output& fold : lowered.folded) positions |= fold.node->fold->position;
    const bool nothing = strides.empty();
    if (nothing) strides.emplace_back(order.size(), 0);
    Iteration iteration = simplify(in_order(node.iteration, order), strides,
                                   order.size() - node.axes.size(), positions);
    if (nothing) iteration.strides.clear();
    std::rotate(iteration.strides.begin(), iteration.strides.end() - outputs,
                iteration.strides.end());
    return iteration;
}

std::vector<std::string> reduction_sources(const Lowered& lowered) {
    const Node& any = *lowered.folded.front().node;
    const DeviceKind device = any.stream->device.kind();
    const Iteration iteration = reduction_iteration(lowered, any);
    std::vector<std::string> sources;
    for (const PlannedPass& step : plan_passes(lowered, iteration, device))
        sources.push_back(reduction_source(lowered, step.form, device));
    return sources;
}

std::optional<std::vector<Written>> launch_reduction(const Lowered& lowered, const Node& any,
                                                     Missing missing) {
    Passes passes(lowered, any);
    if (!passes.run(*lowered.folded.front().node, missing)) return std::nullopt;
    return passes.keep();
}

}  // namespace heald::array
