#include "src/array/lazy/launch_group.hpp"

#include <heald/kernel.hpp>

#include "src/array/lazy/elementwise_kernel.hpp"
#include "src/array/lazy/kernels.hpp"
#include "src/array/lazy/lowered.hpp"

#include <cstring>
#include <deque>
#include <string>

namespace heald::array {
namespace {

/// What the text of a kernel depends on, as bytes.
class Key {
public:
    template <class T>
    Key& add(T value) {
        const auto number = static_cast<std::uint32_t>(value);
        bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
        return *this;
    }
    Key& add(const Ref& ref) { return add(static_cast<unsigned>(ref.kind) << 16 | ref.index); }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

void add_lowered(Key& key, const Lowered& lowered) {
    key.add(lowered.inputs.size()).add(lowered.scalars.size()).add(lowered.steps.size());
    for (const Input& input : lowered.inputs)
        key.add(input.dtype).add(input.range != nullptr ? input.range_scalar + 1 : 0);
    for (const ScalarInput& scalar : lowered.scalars) key.add(scalar.dtype);
    for (const Step& step : lowered.steps) {
        key.add(step.ufunc->id).add(step.loop);
        for (std::size_t k = 0; k < step.operands.size(); ++k)
            key.add(step.operands[k]).add(step.operand_dtypes[k]);
    }
    key.add(lowered.outputs.size());
    for (const Output& output : lowered.outputs) key.add(output.value).add(output.node->result);
}

std::string key_of(const Lowered& lowered, const ElementwiseForm& form,
                   const core::DeviceState& device) {
    Key key;
    key.add('e').add(device.kind()).add(device.ordinal());
    key.add(form.walk).add(form.wide_index).add(form.vector).add(form.axes);
    for (const auto access : form.accesses) key.add(access);
    add_lowered(key, lowered);
    return key.take();
}

/// Values of a kernel's parameters, and the memory that it uses.
class ArgumentList {
public:
    void add_value(const void* value, std::size_t bytes) {
        Value& slot = values_.emplace_back();
        std::memcpy(slot.bytes.data(), value, bytes);
        pointers_.push_back(slot.bytes.data());
    }
    void add_block(void* data) { pointers_.push_back(data); }
    void add_pointer(const void* address) { add_value(&address, sizeof address); }
    void add_use(const MemoryUse& use) { uses_.push_back(use); }

    void launch(const Kernel& kernel, const LaunchConfig& config, core::StreamState& stream) {
        kernel.launch_packed(config, Stream(stream.shared_from_this()),
                             {pointers_.data(), pointers_.size(), uses_},
                             {"heald array expression", 0});
    }

private:
    std::deque<Value> values_;
    std::vector<void*> pointers_;
    std::vector<MemoryUse> uses_;
};

MemoryUse use_of(const Array& array, bool write) {
    const auto [first, last] = array.byte_range();
    const auto offset = static_cast<std::int64_t>(array.buffer().offset());
    return {array.buffer().block().get(), static_cast<std::size_t>(offset + first),
            static_cast<std::size_t>(offset + last), write};
}

/// Memory of a group's outputs; given back unless the launch went well.
class OutputMemory {
public:
    explicit OutputMemory(core::StreamState& stream) : stream_(stream) {}
    ~OutputMemory() {
        for (const Written& output : written_)
            if (output.data != nullptr)
                stream_.device.memory().release(output.data, output.block->size(),
                                                MemoryKind::device, *stream_.queue);
    }
    OutputMemory(const OutputMemory&) = delete;
    OutputMemory& operator=(const OutputMemory&) = delete;

    void* allocate(core::Block& block) {
        void* data = nullptr;
        if (block.size() != 0) {
            (void)stream_.device.backend();  // refuses after a fork
            data = stream_.device.memory().allocate(block.size(), MemoryKind::device,
                                                    *stream_.queue);
        }
        written_.push_back({&block, data});
        return data;
    }
    std::vector<Written> keep() { return std::move(written_); }

private:
    core::StreamState& stream_;
    std::vector<Written> written_;
};

std::vector<std::byte> layout_of(const Iteration& iteration, const ElementwiseForm& form) {
    const bool flat = form.walk == ElementwiseForm::Walk::flat;
    const std::size_t axes = std::max<std::size_t>(form.axes, 1);
    std::vector<std::int64_t> numbers{iteration.size()};
    numbers.resize(1 + axes * (1 + iteration.strides.size()));
    if (!flat)
        for (std::size_t axis = 0; axis < form.axes; ++axis) {
            numbers[1 + axis] = iteration.extents[axis];
            for (std::size_t k = 0; k < iteration.strides.size(); ++k)
                numbers[1 + axes * (1 + k) + axis] = iteration.strides[k][axis];
        }
    std::vector<std::byte> bytes(numbers.size() * sizeof(std::int64_t));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

std::vector<Written> launch_elementwise(const Lowered& lowered, const Node& any) {
    core::StreamState& stream = *any.stream;
    OutputMemory memory(stream);
    ArgumentList arguments;
    for (const Output& output : lowered.outputs) {
        core::Block& block = *output.node->block;
        arguments.add_pointer(memory.allocate(block));
        arguments.add_use({&block, 0, block.size(), true});
    }
    const Iteration iteration = simplify(any.iteration, element_strides(lowered));
    if (iteration.size() == 0) return memory.keep();
    const ElementwiseForm form = choose_form(lowered, iteration, stream.device.kind());
    for (const Input& input : lowered.inputs) {
        const std::int64_t first =
            (input.array.offset() + static_cast<std::int64_t>(input.array.buffer().offset())) /
            static_cast<std::int64_t>(size_of(input.dtype));
        if (input.range != nullptr) {
            arguments.add_value(&first, sizeof first);
        } else {
            arguments.add_pointer(input.array.data());
            arguments.add_use(use_of(input.array, false));
        }
    }
    for (const ScalarInput& scalar : lowered.scalars)
        arguments.add_value(scalar.value.bytes.data(), size_of(scalar.dtype));
    std::vector<std::byte> layout = layout_of(iteration, form);
    arguments.add_block(layout.data());
    const Kernel kernel = generated_kernel(
        stream.device, key_of(lowered, form, stream.device),
        [&] { return elementwise_source(lowered, form, stream.device.kind()); });
    const LaunchConfig config{Dim3(static_cast<std::uint32_t>(elementwise_grid(form, iteration))),
                              Dim3(elementwise_block)};
    arguments.launch(kernel, config, stream);
    return memory.keep();
}

}  // namespace

std::vector<Written> launch_group(const Group& group) {
    const Lowered lowered = lower(group);
    return launch_elementwise(lowered, *group.nodes.front());
}

}  // namespace heald::array
