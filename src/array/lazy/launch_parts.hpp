#pragma once

#include <heald/kernel.hpp>

#include "src/array/lazy/elementwise_kernel.hpp"
#include "src/array/lazy/launch_group.hpp"
#include "src/array/lazy/lowered.hpp"

#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace heald::array {

/// What the text of a kernel depends on, as bytes.
class Key {
public:
    Key() { bytes_.reserve(256); }
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

/// Everything of `lowered` that the kernel's text depends on.
void add_lowered(Key& key, const Lowered& lowered);

/// Memory of a group's outputs; given back unless the launch went well.
class OutputMemory {
public:
    explicit OutputMemory(core::StreamState& stream) : stream_(stream) {}
    ~OutputMemory();
    OutputMemory(const OutputMemory&) = delete;
    OutputMemory& operator=(const OutputMemory&) = delete;

    void* allocate(core::Block& block);
    std::vector<Written> keep() { return std::move(written_); }

private:
    core::StreamState& stream_;
    std::vector<Written> written_;
};

/// Values of a kernel's parameters, and the memory that it uses.
class ArgumentList {
public:
    void add_value(const void* value, std::size_t bytes) {
        std::memcpy(values_.emplace_back().bytes.data(), value, bytes);
    }
    void add_pointer(const void* address) { add_value(&address, sizeof address); }
    void add_use(const MemoryUse& use) { uses_.push_back(use); }
    void append(const ArgumentList& more);

    /// Outputs, then inputs, then scalars, as operand_parameters() names them.
    void add_operands(const Lowered& lowered, OutputMemory& memory);

    /// `layout` is the last parameter.
    void launch(const Kernel& kernel, const LaunchConfig& config, core::StreamState& stream,
                std::span<const std::int64_t> layout);

private:
    std::vector<Value> values_;
    std::vector<MemoryUse> uses_;
};

[[nodiscard]] std::vector<std::string> elementwise_sources(const Lowered& lowered, const Node& any);
[[nodiscard]] std::vector<std::string> reduction_sources(const Lowered& lowered);

[[nodiscard]] const Kernel* elementwise_kernel(const Lowered& lowered, const ElementwiseForm& form,
                                               core::DeviceState& device, Missing missing);

/// Enqueues the kernel of a group without reductions, or with them.
[[nodiscard]] std::optional<std::vector<Written>> launch_elementwise(Lowered lowered,
                                                                     const Node& any,
                                                                     Missing missing);
[[nodiscard]] std::optional<std::vector<Written>> launch_reduction(const Lowered& lowered,
                                                                   const Node& any,
                                                                   Missing missing);

}  // namespace heald::array
