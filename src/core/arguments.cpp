#include "src/core/arguments.hpp"

#include <heald/array.hpp>

#include "src/base/check.hpp"
#include "src/core/block.hpp"
#include "src/core/scalar_conversion.hpp"

#include <cstdint>
#include <cstring>

namespace heald::core {
namespace {

constexpr std::size_t largest_alignment = 64;

std::string parameter_text(const FunctionState& function, std::size_t index,
                           const Parameter& parameter) {
    std::string result = text("[Kernel.launch] argument ", index + 1);
    if (!parameter.name.empty()) result += text(" '", parameter.name, "'");
    result += text(" of '", function.name, "' is ");
    result += parameter.type_name.empty() ? text(parameter.size, " bytes") : parameter.type_name;
    return result;
}

std::size_t rounded_up(std::size_t value, std::size_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

std::string given_text(const Argument& argument) {
    if (argument.buffer() != nullptr || argument.array() != nullptr) return "memory of a device";
    if (argument.is_pointer()) return "a pointer";
    if (argument.dtype() == DType::opaque) return text("a value of ", argument.size(), " bytes");
    return text(scalar_text(argument.dtype(), argument.data()));
}

}  // namespace

void CheckedArguments::reserve(std::size_t bytes) {
    const std::size_t count = arguments_.size();
    if (bytes <= few_bytes) {
        block_ = block_inside_.data();
    } else {
        block_outside_ = std::make_unique<std::byte[]>(bytes + largest_alignment);
        const auto address = reinterpret_cast<std::uintptr_t>(block_outside_.get());
        block_ = block_outside_.get() + (rounded_up(address, largest_alignment) - address);
    }
    if (count <= few) {
        values_ = values_inside_.data();
        uses_ = reinterpret_cast<MemoryUse*>(uses_inside_.data());
    } else {
        values_outside_.resize(count);
        uses_outside_.resize(count);
        values_ = values_outside_.data();
        uses_ = uses_outside_.data();
    }
}

CheckedArguments::CheckedArguments(const FunctionState& function,
                                   std::span<const Argument> arguments)
    : function_(function), arguments_(arguments) {
    const Signature& signature = function.impl.signature();
    const auto& parameters = signature.parameters;
    HEALD_EXPECTS(arguments.size() == parameters.size(), type_mismatch, "[Kernel.launch] '",
                  function.name, "' takes ", parameters.size(), " arguments ", to_string(signature),
                  ", got ", arguments.size());
    std::size_t bytes = 0;
    for (const Parameter& parameter : parameters)
        bytes = rounded_up(bytes, parameter.alignment) + parameter.size;
    reserve(bytes);
    std::size_t offset = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        offset = rounded_up(offset, parameters[i].alignment);
        values_[i] = block_ + offset;
        offset += parameters[i].size;
        if (signature.source == Signature::Source::sizes_only) {
            const Argument& argument = arguments[i];
            HEALD_EXPECTS(argument.size() == parameters[i].size, type_mismatch,
                          parameter_text(function, i, parameters[i]), ", got ",
                          given_text(argument));
        }
        add(i, parameters[i], arguments[i], static_cast<std::byte*>(values_[i]));
    }
}

std::vector<Buffer> CheckedArguments::buffers() const {
    std::vector<Buffer> result;
    for (const Argument& argument : arguments_) {
        if (argument.buffer() != nullptr) result.push_back(*argument.buffer());
        if (argument.array() != nullptr) result.push_back(argument.array()->buffer());
    }
    return result;
}

void CheckedArguments::add(std::size_t index, const Parameter& parameter, const Argument& argument,
                           std::byte* place) {
    const auto mismatch = [&](const auto&... why) {
        fail(ErrorKind::type_mismatch, parameter_text(function_, index, parameter), ", got ",
             given_text(argument), why...);
    };
    const bool sizes_only = function_.impl.signature().source == Signature::Source::sizes_only;
    const bool memory = argument.buffer() != nullptr || argument.array() != nullptr;
    if (memory) {
        if (!sizes_only && parameter.kind != Parameter::Kind::pointer) mismatch();
        if (const Array* array = argument.array()) {
            if (!array->is_c_contiguous()) mismatch(" that is not C-contiguous: pass array.copy()");
            if (!sizes_only && !parameter.is_void && parameter.dtype != DType::opaque &&
                parameter.dtype != array->dtype())
                mismatch(" with dtype ", name_of(array->dtype()), ": the elements must be ",
                         name_of(parameter.dtype));
            add_memory(index, parameter, array->buffer(), static_cast<std::size_t>(array->offset()),
                       array->nbytes(), place);
        } else {
            const Buffer& buffer = *argument.buffer();
            add_memory(index, parameter, buffer, 0, buffer.size(), place);
        }
        return;
    }
    if (argument.data() == nullptr) {  // nullptr
        if (!sizes_only && parameter.kind != Parameter::Kind::pointer) mismatch();
        std::memset(place, 0, parameter.size);
        return;
    }
    if (sizes_only) {
        std::memcpy(place, argument.data(), parameter.size);
        return;
    }
    switch (parameter.kind) {
        case Parameter::Kind::pointer:
            if (!argument.is_pointer()) mismatch(": pass a Buffer, an Array or a pointer");
            std::memcpy(place, argument.data(), sizeof(void*));
            return;
        case Parameter::Kind::record:
            if (argument.is_pointer() || argument.dtype() != DType::opaque ||
                argument.size() != parameter.size)
                mismatch(": pass a structure of ", parameter.size, " bytes");
            std::memcpy(place, argument.data(), parameter.size);
            return;
        case Parameter::Kind::scalar:
            break;
    }
    if (argument.is_pointer()) mismatch();
    if (argument.dtype() == DType::opaque || parameter.dtype == DType::opaque) {
        if (argument.size() != parameter.size) mismatch();
        std::memcpy(place, argument.data(), parameter.size);
        return;
    }
    if (argument.dtype() == parameter.dtype) {
        std::memcpy(place, argument.data(), parameter.size);
        return;
    }
    switch (convert_scalar(argument.dtype(), argument.data(), parameter.dtype, place)) {
        case Conversion::done:
            return;
        case Conversion::out_of_range:
            fail(ErrorKind::invalid_value, parameter_text(function_, index, parameter), ", got ",
                 given_text(argument), ", which does not fit");
        case Conversion::wrong_type:
            mismatch(": convert it or change the parameter");
    }
}

void CheckedArguments::add_memory(std::size_t index, const Parameter& parameter,
                                  const Buffer& buffer, std::size_t offset, std::size_t bytes,
                                  std::byte* place) {
    const bool known = parameter.kind == Parameter::Kind::pointer;
    const bool reads_only = known && parameter.is_const;
    const auto what = [&] { return parameter_text(function_, index, parameter); };
    const auto& block = buffer.block();
    const std::size_t begin = buffer.offset() + offset;
    void* address = nullptr;
    if (block != nullptr && bytes != 0) address = static_cast<std::byte*>(block->data()) + begin;
    std::memcpy(place, &address, sizeof address);
    HEALD_EXPECTS(reads_only || !buffer.read_only(), type_mismatch, what(),
                  ", got read-only memory: copy it, or make the parameter a pointer to const");
    if (address == nullptr) return;
    DeviceState& device = block->device();
    const bool reachable = &device == &function_.device || block->kind() != MemoryKind::device ||
                           (device.kind() == function_.device.kind() &&
                            function_.device.backend().can_access(device.backend()));
    HEALD_EXPECTS(reachable, invalid_value, what(), ", got memory of ", device.name(),
                  ": the kernel runs on ", function_.device.name(), "; copy the memory there");
    uses_[use_count_++] = {block.get(), begin, begin + bytes, !reads_only};
}

}  // namespace heald::core
