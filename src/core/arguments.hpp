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
        return {const_cast<void**>(values_.data()), values_.size(), uses_};
    }
    [[nodiscard]] std::vector<Buffer> buffers() const { return buffers_; }

private:
    void add(std::size_t index, const Parameter& parameter, const Argument& argument,
             std::byte* place);
    void add_memory(std::size_t index, const Parameter& parameter, const Buffer& buffer,
                    std::byte* place);

    const FunctionState& function_;
    std::unique_ptr<std::byte[]> block_;
    std::vector<void*> values_;
    std::vector<MemoryUse> uses_;
    std::vector<Buffer> buffers_;
};

}  // namespace heald::core
