#pragma once

#include <heald/array.hpp>
#include <heald/kernel.hpp>
#include <heald/stream.hpp>

#include "src/array/memory_use.hpp"
#include "src/core/block.hpp"
#include "src/core/ordering.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace heald::array {

/// Host code of the CPU device and the memory that it uses: phases that run in the queue's order,
/// each in pieces that the device's threads share.
class HostWork {
public:
    explicit HostWork(const Stream& stream) : stream_(stream) {}

    template <class T = void>
    const T* read(const Array& array) {
        return static_cast<const T*>(add(array, false));
    }
    template <class T = void>
    T* write(const Array& array) {
        return static_cast<T*>(add(array, true));
    }

    /// Threads of the device.
    [[nodiscard]] std::int64_t threads() const {
        return stream_.state().device.backend().properties().multiprocessor_count;
    }

    /// Enqueues run(i) for each piece. `short_work`: not worth another thread.
    void run(std::int64_t pieces, bool short_work, std::function<void(std::int64_t)> run) const {
        core::StreamState& stream = stream_.state();
        core::enqueue(stream, uses_, [&](core::QueueImpl& queue) {
            stream.device.backend().host_pieces(
                queue, static_cast<std::uint64_t>(pieces), short_work,
                [run = std::move(run)](std::uint64_t first, std::uint64_t last) {
                    for (; first != last; ++first) run(static_cast<std::int64_t>(first));
                });
        });
    }

private:
    void* add(const Array& array, bool write) {
        void* data = array.data();
        if (array.size() != 0) uses_.push_back(use_of(array, write));
        return data;
    }

    const Stream& stream_;
    std::vector<MemoryUse> uses_;
};

/// [0, size) in parts of nearly equal length, the first ones the longer.
struct Parts {
    std::int64_t size = 0;
    std::int64_t count = 1;

    [[nodiscard]] std::int64_t begin(std::int64_t part) const noexcept {
        return size / count * part + std::min(part, size % count);
    }
    [[nodiscard]] std::int64_t end(std::int64_t part) const noexcept { return begin(part + 1); }
};

}  // namespace heald::array
