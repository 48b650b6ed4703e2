#include "src/array/lazy/launch_parts.hpp"

#include "src/array/memory_use.hpp"

namespace heald::array {

void add_lowered(Key& key, const Lowered& lowered) {
    key.add(lowered.inputs.size()).add(lowered.scalars.size()).add(lowered.steps.size());
    for (const Input& input : lowered.inputs)
        key.add(input.dtype).add(input.range != nullptr ? input.range_scalar + 1 : 0);
    for (const ScalarInput& scalar : lowered.scalars) key.add(scalar.dtype);
    for (const Step& step : lowered.steps) {
        key.add(step.ufunc->id).add(step.loop);
        for (std::size_t k = 0; k < step.count(); ++k)
            key.add(step.operands[k]).add(step.operand_dtypes[k]);
    }
    key.add(lowered.outputs.size()).add(lowered.in_place);
    for (const Output& output : lowered.outputs) key.add(output.value).add(output.node->result);
}

OutputMemory::~OutputMemory() {
    for (const Written& output : written_)
        if (output.data != nullptr)
            stream_.device.memory().release(output.data, output.block->size(), MemoryKind::device,
                                            *stream_.queue);
}

void* OutputMemory::allocate(core::Block& block) {
    void* data = nullptr;
    if (block.size() != 0) {
        (void)stream_.device.backend();  // refuses after a fork
        data = stream_.device.memory().allocate(block.size(), MemoryKind::device, *stream_.queue);
    }
    written_.push_back({&block, data});
    return data;
}

void ArgumentList::add_operands(const Lowered& lowered, OutputMemory& memory) {
    const std::size_t count =
        lowered.outputs.size() + lowered.inputs.size() + lowered.scalars.size();
    values_.reserve(count);
    uses_.reserve(count);
    for (const Output& output : lowered.outputs) {
        core::Block& block = *output.node->block;
        void* own = memory.allocate(block);
        if (output.target.buffer().block() != nullptr) {
            add_pointer(output.target.data());
            add_use(use_of(output.target, true));
        } else {
            add_pointer(own);
            add_use({&block, 0, block.size(), true});
        }
    }
    for (const Input& input : lowered.inputs) {
        if (input.range != nullptr) {
            const std::int64_t first =
                (input.array.offset() + static_cast<std::int64_t>(input.array.buffer().offset())) /
                static_cast<std::int64_t>(size_of(input.dtype));
            add_value(&first, sizeof first);
        } else {
            add_pointer(input.array.data());
            add_use(use_of(input.array, false));
        }
    }
    for (const ScalarInput& scalar : lowered.scalars)
        add_value(scalar.value.bytes.data(), size_of(scalar.dtype));
}

void ArgumentList::append(const ArgumentList& more) {
    values_.insert(values_.end(), more.values_.begin(), more.values_.end());
    uses_.insert(uses_.end(), more.uses_.begin(), more.uses_.end());
}

void ArgumentList::launch(const Kernel& kernel, const LaunchConfig& config,
                          core::StreamState& stream, std::span<const std::int64_t> layout) {
    std::vector<void*> pointers;
    pointers.reserve(values_.size() + 1);
    for (Value& value : values_) pointers.push_back(value.bytes.data());
    pointers.push_back(const_cast<std::int64_t*>(layout.data()));  // read only
    kernel.launch_packed(config, Stream(stream.shared_from_this()),
                         {pointers.data(), pointers.size(), uses_}, {"heald array expression", 0});
}

}  // namespace heald::array
