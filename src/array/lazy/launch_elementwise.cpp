#include "src/array/element_copy.hpp"
#include "src/array/lazy/elementwise_kernel.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/lazy/launch_parts.hpp"
#include "src/array/memory_use.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace heald::array {
namespace {

std::string key_of(const Lowered& lowered, const ElementwiseForm& form,
                   const core::DeviceState& device) {
    Key key;
    key.add('e').add(device.kind()).add(device.ordinal());
    key.add(form.walk).add(form.wide_index).add(form.vector).add(form.axes);
    for (const auto access : form.accesses) key.add(access);
    add_lowered(key, lowered);
    return key.take();
}

std::vector<std::int64_t> layout_of(const Iteration& iteration, const ElementwiseForm& form) {
    const std::size_t axes = std::max<std::size_t>(form.axes, 1);
    std::vector<std::int64_t> numbers(1 + axes * (1 + iteration.strides.size()));
    numbers[0] = iteration.size();
    if (form.walk == ElementwiseForm::Walk::flat) return numbers;
    for (std::size_t axis = 0; axis < form.axes; ++axis) {
        numbers[1 + axis] = iteration.extents[axis];
        for (std::size_t k = 0; k < iteration.strides.size(); ++k)
            numbers[1 + axes * (1 + k) + axis] = iteration.strides[k][axis];
    }
    return numbers;
}

/// An output that goes to memory which the kernel also reads: element by element that is right if
/// both are the same view; otherwise the output goes to memory of its own first. Returns the copies
/// to make afterwards, to and from.
std::vector<std::pair<Array, Array>> set_aside(Lowered& lowered, const Stream& stream) {
    std::vector<std::pair<Array, Array>> copies;
    for (Output& output : lowered.outputs) {
        if (output.target.buffer().block() == nullptr) continue;
        const MemoryUse written = use_of(output.target, true);
        bool aside = false;
        for (const Input& input : lowered.inputs) {
            if (input.range != nullptr || !overlap(written, use_of(input.array, false))) continue;
            const bool same = input.array.data() == output.target.data() &&
                              input.array.shape() == output.target.shape() &&
                              input.array.strides() == output.target.strides() &&
                              input.dtype == output.target.dtype();
            aside |= !same;
            lowered.in_place |= same;
        }
        if (!aside) continue;
        Array memory(output.target.shape(), output.target.dtype(), stream);
        copies.emplace_back(output.target, memory);
        output.strides = memory.strides();
        output.target = std::move(memory);
    }
    return copies;
}

/// Whether an input is read across memory: neighbours of the iteration lie far apart, and those of
/// memory in some other axis. A tiled copy first costs less than that.
bool is_transposed(const Iteration& iteration, std::size_t operand) {
    constexpr std::int64_t many = 1 << 16, far = 16;
    if (iteration.size() < many) return false;
    const Shape& steps = iteration.strides[operand];
    bool somewhere_by_one = false;
    for (std::size_t axis = 0; axis < steps.size(); ++axis) {
        if (steps[axis] == 0) return false;
        somewhere_by_one |= std::abs(steps[axis]) == 1 && iteration.extents[axis] >= far;
    }
    return somewhere_by_one && std::abs(steps.back()) >= far && iteration.extents.back() >= far;
}

/// Copies inputs that are read across memory into the order of the first output. True if there were
/// any.
bool straighten(Lowered& lowered, const Iteration& iteration, core::StreamState& stream) {
    if (iteration.extents.size() < 2 || lowered.outputs.empty()) return false;
    const Output& output = lowered.outputs.front();
    bool any = false;
    for (std::size_t k = 0; k < lowered.inputs.size(); ++k) {
        Input& input = lowered.inputs[k];
        if (input.range != nullptr || !is_transposed(iteration, lowered.outputs.size() + k))
            continue;
        const auto bytes = static_cast<std::int64_t>(size_of(input.dtype));
        Shape strides = c_strides(input.array.shape(), size_of(input.dtype));
        if (output.target.buffer().block() == nullptr) {
            strides = output.strides;
            for (std::int64_t& stride : strides)
                stride = stride / static_cast<std::int64_t>(size_of(output.node->result)) * bytes;
        }
        const Array straight(Buffer(input.array.nbytes(), Stream(stream.shared_from_this())),
                             input.array.shape(), input.dtype, strides);
        copy_elements(straight, input.array, stream);
        input.array = straight;
        any = true;
    }
    return any;
}

}  // namespace

const Kernel* elementwise_kernel(const Lowered& lowered, const ElementwiseForm& form,
                                 core::DeviceState& device, Missing missing) {
    return generated_kernel(
        device, key_of(lowered, form, device),
        [&] { return elementwise_source(lowered, form, device.kind()); }, missing);
}

std::vector<std::string> elementwise_sources(const Lowered& lowered, const Node& any) {
    const DeviceKind device = any.stream->device.kind();
    const Iteration iteration = simplify(any.iteration, operand_strides(lowered));
    return {elementwise_source(lowered, choose_form(lowered, iteration, device), device)};
}

std::optional<std::vector<Written>> launch_elementwise(Lowered lowered, const Node& any,
                                                       Missing missing) {
    core::StreamState& stream = *any.stream;
    const auto copies = set_aside(lowered, Stream(stream.shared_from_this()));
    Iteration iteration = simplify(any.iteration, operand_strides(lowered));
    if (straighten(lowered, iteration, stream))
        iteration = simplify(any.iteration, operand_strides(lowered));
    OutputMemory memory(stream);
    ArgumentList arguments;
    if (iteration.size() == 0) {
        arguments.add_operands(lowered, memory);
        return memory.keep();
    }
    const ElementwiseForm form = choose_form(lowered, iteration, stream.device.kind());
    const Kernel* kernel = elementwise_kernel(lowered, form, stream.device, missing);
    if (kernel == nullptr) return std::nullopt;
    arguments.add_operands(lowered, memory);
    const std::vector<std::int64_t> layout = layout_of(iteration, form);
    const LaunchConfig config{Dim3(static_cast<std::uint32_t>(elementwise_grid(form, iteration))),
                              Dim3(elementwise_block)};
    arguments.launch(*kernel, config, stream, layout);
    for (const auto& [to, from] : copies) copy_elements(to, from, stream);
    return memory.keep();
}

}  // namespace heald::array
