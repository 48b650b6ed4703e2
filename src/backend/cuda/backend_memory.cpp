// Memory and copies of a GPU.

#include "src/backend/cuda/backend.hpp"
#include "src/base/check.hpp"

#include <algorithm>

namespace heald::cuda {

using driver::DevicePointer;
using driver::Result;

namespace {

Queue& as_queue(core::QueueImpl& queue) {
    return static_cast<Queue&>(queue);
}

DevicePointer address_of(const void* data) noexcept {
    return reinterpret_cast<DevicePointer>(data);
}

}  // namespace

void* Backend::allocate(std::size_t bytes, MemoryKind kind, core::QueueImpl& queue) {
    const auto attempt = [&] {
        return kind == MemoryKind::device ? memory_.allocate(bytes, as_queue(queue))
                                          : host_memory_.allocate(bytes, kind);
    };
    try {
        return attempt();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::out_of_memory) throw;
    }
    trim(0);
    return attempt();
}

void Backend::release(void* data, std::size_t bytes, MemoryKind kind,
                      core::QueueImpl& queue) noexcept {
    if (kind == MemoryKind::device)
        memory_.release(data, bytes, as_queue(queue));
    else
        host_memory_.release(data, bytes, kind, as_queue(queue));
}

std::size_t Backend::cached_bytes() const {
    std::size_t bytes = memory_.pool_cached_bytes() + host_memory_.cached_bytes();
    for (const auto& queue : queues()) bytes += queue->free_list().bytes();
    return bytes;
}

void Backend::trim(std::size_t keep_bytes) {
    const Current current(*context_);
    const DuringCapture relaxed(*context_);
    host_memory_.trim(keep_bytes);
    for (const auto& queue : queues()) {
        if (queue->free_list().bytes() == 0 || queue->capturing()) continue;
        queue->flush_free_list();
    }
    // Freed memory can go back once the work that was queued before is done. What that work left
    // behind is the next synchronisation's to tell.
    for (const auto& queue : queues())
        if (!queue->capturing()) (void)context_->api().cuStreamSynchronize(queue->stream());
    memory_.trim_pool(keep_bytes);
}

void Backend::copy(void* destination, const void* source, std::size_t bytes, core::QueueImpl& queue,
                   std::shared_ptr<const void> owner) {
    if (bytes == 0) return;
    const Current current(*context_);
    const DuringCapture relaxed(*context_);
    const driver::Stream stream = as_queue(queue).stream();
    context_->check(
        context_->api().cuMemcpyAsync(address_of(destination), address_of(source), bytes, stream),
        "copy");
    if (owner) context_->deferred().after({stream}, [kept = std::move(owner)] {});
}

bool Backend::copy_taking(void* destination, const void* source, std::size_t bytes,
                          core::QueueImpl& queue) {
    if (bytes < Staging::least || as_queue(queue).capturing()) return false;
    const Current current(*context_);
    return staging_.to_device(address_of(destination), static_cast<const std::byte*>(source), bytes,
                              as_queue(queue).stream());
}

bool Backend::copy_waiting(void* destination, const void* source, std::size_t bytes,
                           core::QueueImpl& queue) {
    if (bytes < Staging::least || as_queue(queue).capturing()) return false;
    const Current current(*context_);
    return staging_.to_host(static_cast<std::byte*>(destination), address_of(source), bytes,
                            as_queue(queue).stream());
}

void Backend::fill(void* destination, std::uint64_t pattern, unsigned pattern_bytes,
                   std::size_t count, core::QueueImpl& queue) {
    if (count == 0) return;
    const Current current(*context_);
    driver::Api& api = context_->api();
    const driver::Stream stream = as_queue(queue).stream();
    const DevicePointer begin = address_of(destination);
    const auto low = static_cast<std::uint32_t>(pattern);
    const auto high = static_cast<std::uint32_t>(pattern >> 32);
    const auto check = [&](Result result) { context_->check(result, "fill"); };
    switch (pattern_bytes) {
        case 1:
            return check(
                api.cuMemsetD8Async(begin, static_cast<unsigned char>(pattern), count, stream));
        case 2:
            return check(
                api.cuMemsetD16Async(begin, static_cast<unsigned short>(pattern), count, stream));
        case 4:
            return check(api.cuMemsetD32Async(begin, low, count, stream));
        case 8:
            break;
        default:
            fail(ErrorKind::invalid_value,
                 "[fill] argument 'pattern_bytes' must be 1, 2, 4 or 8, "
                 "got ",
                 pattern_bytes);
    }
    if (low == high) return check(api.cuMemsetD32Async(begin, low, 2 * count, stream));
    // The driver has no 64-bit fill: write one element, then double what is there.
    check(api.cuMemsetD32Async(begin, low, 1, stream));
    check(api.cuMemsetD32Async(begin + 4, high, 1, stream));
    const std::size_t total = count * 8;
    for (std::size_t done = 8; done < total;) {
        const std::size_t part = std::min(done, total - done);
        check(api.cuMemcpyAsync(begin + done, begin, part, stream));
        done += part;
    }
}

}  // namespace heald::cuda
