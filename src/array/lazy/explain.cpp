#include "src/array/lazy/explain.hpp"

#include "src/array/lazy/evaluate.hpp"
#include "src/array/lazy/launch_group.hpp"
#include "src/array/lazy/lowered.hpp"
#include "src/array/lazy/pending.hpp"
#include "src/array/lazy/plan.hpp"
#include "src/array/shape.hpp"
#include "src/base/text.hpp"

namespace heald::array {
namespace {

std::uint64_t bytes_of(const Shape& shape, const Shape& strides, DType dtype) {
    std::uint64_t bytes = size_of(dtype);
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (strides[axis] != 0 || shape[axis] == 0)
            bytes *= static_cast<std::uint64_t>(shape[axis]);
    return bytes;
}

std::string names_of(const Lowered& lowered) {
    std::string list;
    for (const Step& step : lowered.steps)
        list += text(list.empty() ? ": " : ", ", step.ufunc->name);
    for (const Output& fold : lowered.folded)
        list += text(list.empty() ? ": " : ", ", fold.node->fold->name, ".reduce");
    return list;
}

KernelReport report_of(const Group& group) {
    const Lowered lowered = lower(group);
    const Node& any = lowered.folded.empty() ? *group.nodes.front() : *lowered.folded.front().node;
    KernelReport report;
    report.what = text(lowered.folded.empty() ? "elementwise" : "reduction", " over ",
                       shape_text(any.iteration), names_of(lowered));
    for (const Input& input : lowered.inputs)
        if (input.range == nullptr)
            report.bytes_read += bytes_of(input.array.shape(), input.array.strides(), input.dtype);
    for (const Output& output : lowered.outputs)
        report.bytes_written += bytes_of(output.node->shape, output.strides, output.node->result);
    for (const Output& fold : lowered.folded)
        report.bytes_written += bytes_of(fold.node->shape, fold.node->strides, fold.node->result);
    for (const std::string& source : kernel_sources(group))
        report.source += (report.source.empty() ? "" : "\n") + source;
    return report;
}

}  // namespace

std::vector<KernelReport> explain(std::span<const std::shared_ptr<core::Block>> blocks) {
    std::vector<KernelReport> reports;
    const Evaluating scope;
    const Claim claim(blocks);
    for (const Group& group : plan_groups(claim.blocks(), blocks, fusion() != Fusion::off))
        reports.push_back(report_of(group));
    return reports;
}

}  // namespace heald::array
