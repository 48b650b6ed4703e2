#include "src/core/transfer.hpp"

#include "src/base/check.hpp"
#include "src/core/ordering.hpp"

#include <array>
#include <cstring>
#include <string>

namespace heald::core {
namespace {

/// Host memory up to this size is copied aside, so that the call need not wait for the stream.
constexpr std::size_t aside_limit = std::size_t{256} << 10;

MemoryUse use_of(const Buffer& buffer, bool write) {
    return {buffer.block().get(), buffer.offset(), buffer.offset() + buffer.size(), write};
}

void enqueue_from_host(const Buffer& destination, const void* source,
                       std::shared_ptr<const void> owner, StreamState& stream) {
    const std::array uses{use_of(destination, true)};
    enqueue(stream, uses, [&](QueueImpl& queue) {
        stream.device.backend().copy(destination.data(), source, destination.size(), queue,
                                     std::move(owner));
    });
}

void enqueue_to_host(void* destination, const Buffer& source, std::shared_ptr<const void> owner,
                     StreamState& stream) {
    const std::array uses{use_of(source, false)};
    enqueue(stream, uses, [&](QueueImpl& queue) {
        stream.device.backend().copy(destination, source.data(), source.size(), queue,
                                     std::move(owner));
    });
}

}  // namespace

ReachingStream::ReachingStream(StreamState& stream, DeviceState& device)
    : asked_(stream), reaching_(&stream) {
    if (stream.device.kind() == DeviceKind::cuda || device.kind() == DeviceKind::cpu) return;
    helper_ = device.take_helper_stream();
    reaching_ = helper_.get();
    wait_for(*helper_, *asked_.timeline, asked_.timeline->enqueued());
}

void ReachingStream::finish() {
    if (helper_ == nullptr) return;
    Timeline& timeline = *helper_->timeline;
    wait_for(asked_, timeline, timeline.enqueued());
    helper_->device.give_helper_stream(std::move(helper_));
}

void copy(const Buffer& destination, const Buffer& source, StreamState& stream) {
    DeviceState& to = destination.block()->device();
    DeviceState& from = source.block()->device();
    ReachingStream reaching(stream, to.kind() == DeviceKind::cuda ? to : from);
    const std::array uses{use_of(destination, true), use_of(source, false)};
    if (from.kind() == DeviceKind::cpu && to.kind() == DeviceKind::cuda) {
        // A GPU's driver reads pageable memory within the call, whatever the stream waits for.
        track_all(*reaching, uses);
        wait_on_host_for_writes(uses[1]);
    }
    enqueue(*reaching, uses, [&](QueueImpl& queue) {
        (*reaching).device.backend().copy(destination.data(), source.data(), destination.size(),
                                          queue, nullptr);
    });
    reaching.finish();
}

void copy_from_host(const Buffer& destination, const void* source, StreamState& stream) {
    ReachingStream reaching(stream, destination.block()->device());
    if (destination.size() <= aside_limit) {
        auto aside =
            std::make_shared<std::string>(static_cast<const char*>(source), destination.size());
        enqueue_from_host(destination, aside->data(), aside, *reaching);
        reaching.finish();
    } else {
        bool taken = false;
        const std::array uses{use_of(destination, true)};
        enqueue(*reaching, uses, [&](QueueImpl& queue) {
            Backend& backend = (*reaching).device.backend();
            taken = backend.copy_taking(destination.data(), source, destination.size(), queue);
            if (!taken)
                backend.copy(destination.data(), source, destination.size(), queue, nullptr);
        });
        if (!taken) (*reaching).finish();
        reaching.finish();
    }
}

void copy_to_host(void* destination, const Buffer& source, StreamState& stream) {
    ReachingStream reaching(stream, source.block()->device());
    const std::array uses{use_of(source, false)};
    enqueue(*reaching, uses, [&](QueueImpl& queue) {
        Backend& backend = (*reaching).device.backend();
        if (!backend.copy_waiting(destination, source.data(), source.size(), queue))
            backend.copy(destination, source.data(), source.size(), queue, nullptr);
    });
    (*reaching).finish();
    reaching.finish();
}

void copy_from_host_async(const Buffer& destination, const void* source,
                          std::shared_ptr<void> owner, StreamState& stream) {
    ReachingStream reaching(stream, destination.block()->device());
    enqueue_from_host(destination, source, owner, *reaching);
    reaching.finish();
}

void copy_to_host_async(void* destination, const Buffer& source, std::shared_ptr<void> owner,
                        StreamState& stream) {
    ReachingStream reaching(stream, source.block()->device());
    enqueue_to_host(destination, source, owner, *reaching);
    reaching.finish();
}

void fill(const Buffer& buffer, std::uint64_t pattern, unsigned pattern_bytes,
          StreamState& stream) {
    ReachingStream reaching(stream, buffer.block()->device());
    const std::array uses{use_of(buffer, true)};
    enqueue(*reaching, uses, [&](QueueImpl& queue) {
        (*reaching).device.backend().fill(buffer.data(), pattern, pattern_bytes,
                                          buffer.size() / pattern_bytes, queue);
    });
    reaching.finish();
}

}  // namespace heald::core
