#pragma once

#include <heald/kernel.hpp>

#include "src/core/function_state.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace heald::core {

/// The arguments of a C++ launch, checked against the kernel's signature, converted to its types
/// and laid out for it. Refers to the arguments' memory: it lives within the call.
class CheckedArguments {
public:
    CheckedArguments(const FunctionState& function, std::span<const Argument> arguments);
    CheckedArguments(const CheckedArguments&) = delete;
    CheckedArguments& operator=(const CheckedArguments&) = delete;

    [[nodiscard]] PackedArguments packed() const {
        return {values_, arguments_.size(), {uses_, use_count_}};
    }
    /// The memory among the arguments, to be kept alive by a bound launch.
    [[nodiscard]] std::vector<Buffer> buffers() const;

private:
    void add(std::size_t index, const Parameter& parameter, const Argument& argument,
             std::byte* place);
    /// `bytes` of a buffer from `offset` on.
    void add_memory(std::size_t index, const Parameter& parameter, const Buffer& buffer,
                    std::size_t offset, std::size_t bytes, std::byte* place);

    void reserve(std::size_t bytes);

    // Launches with few arguments, nearly all of them, allocate nothing.
    static constexpr std::size_t few = 16;
    static constexpr std::size_t few_bytes = 256;

    const FunctionState& function_;
    std::span<const Argument> arguments_;
    std::byte* block_ = nullptr;
    void** values_ = nullptr;
    MemoryUse* uses_ = nullptr;
    std::size_t use_count_ = 0;
    alignas(64) std::array<std::byte, few_bytes> block_inside_;
    std::array<void*, few> values_inside_;
    alignas(MemoryUse) std::array<std::byte, few * sizeof(MemoryUse)> uses_inside_;
    std::unique_ptr<std::byte[]> block_outside_;
    std::vector<void*> values_outside_;
    std::vector<MemoryUse> uses_outside_;
};

}  // namespace heald::core
