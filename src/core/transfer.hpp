#pragma once

#include <heald/buffer.hpp>

#include "src/core/device_state.hpp"

#include <cstdint>
#include <memory>

namespace heald::core {

// Enqueued copies and fills of contiguous memory, ordered by the memory that they use. Arguments
// are checked by the caller; sizes agree and are not 0.

void copy(const Buffer& destination, const Buffer& source, StreamState& stream);
void copy_from_host(const Buffer& destination, const void* source, StreamState& stream);
void copy_to_host(void* destination, const Buffer& source, StreamState& stream);
void copy_from_host_async(const Buffer& destination, const void* source,
                          std::shared_ptr<void> owner, StreamState& stream);
void copy_to_host_async(void* destination, const Buffer& source, std::shared_ptr<void> owner,
                        StreamState& stream);
void fill(const Buffer& buffer, std::uint64_t pattern, unsigned pattern_bytes, StreamState& stream);

/// A stream that can reach the memory of `device` for an operation that the user asked for on
/// `stream`: that one, unless it is a CPU's and the memory a GPU's. Then a stream of the GPU that
/// has waited for `stream`; `finish` makes `stream` wait for it in turn.
class ReachingStream {
public:
    ReachingStream(StreamState& stream, DeviceState& device);
    [[nodiscard]] StreamState& operator*() const noexcept { return *reaching_; }
    void finish();

private:
    StreamState& asked_;
    std::shared_ptr<StreamState> helper_;
    StreamState* reaching_;
};

}  // namespace heald::core
