#pragma once

#include <heald/array.hpp>
#include <heald/kernel.hpp>
#include <heald/stream.hpp>

#include "src/array/memory_use.hpp"
#include "src/core/block.hpp"
#include "src/core/current.hpp"
#include "src/core/device_state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

namespace heald::array {

/// Arguments of a generated kernel and the memory that it uses, in the order of its parameters.
class PackedLaunch {
public:
    /// The elements of an array: a pointer to element [0, …, 0].
    void add_array(const Array& array, bool write) {
        add_value(array.data());
        if (array.size() != 0) uses_.push_back(use_of(array, write));
    }
    template <class T>
    void add_value(const T& value) {
        static_assert(sizeof(T) <= sizeof(Slot));
        Slot& slot = slots_.emplace_back();
        std::memcpy(slot.bytes.data(), &value, sizeof value);
        values_.push_back(slot.bytes.data());
    }
    /// A structure of 64-bit numbers; they must outlive the launch.
    void add_numbers(std::vector<std::int64_t>& numbers) { values_.push_back(numbers.data()); }

    void launch(const Kernel& kernel, const LaunchConfig& config, const Stream& stream,
                const char* site) {
        kernel.launch_packed(config, stream, {values_.data(), values_.size(), uses_}, {site, 0});
    }

private:
    struct Slot {
        alignas(16) std::array<std::byte, 16> bytes{};
    };

    std::deque<Slot> slots_;
    std::vector<void*> values_;
    std::vector<MemoryUse> uses_;
};

/// The current stream if it is one of the array's device, else the device's default stream.
[[nodiscard]] inline Stream stream_for(const Array& array) {
    return Stream(core::current_stream(array.buffer().block()->device()));
}

}  // namespace heald::array
