#include "src/backend/cuda/memory.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace heald::cuda {

using driver::Result;

namespace {

/// Powers of two up to 1 MiB, then whole MiB: few sizes, so that blocks find a second use.
std::size_t host_size(std::size_t bytes) noexcept {
    constexpr std::size_t mebibyte = std::size_t{1} << 20;
    if (bytes <= mebibyte) return std::max<std::size_t>(4096, std::bit_ceil(bytes));
    return (bytes + mebibyte - 1) / mebibyte * mebibyte;
}

}  // namespace

void* HostMemory::allocate(std::size_t bytes, MemoryKind kind) {
    const std::size_t size = host_size(bytes);
    Lists& lists = kind == MemoryKind::pinned ? pinned_ : managed_;
    const auto take = [&]() -> void* {
        const std::lock_guard lock(mutex_);
        const auto found = lists.blocks.find(size);
        if (found == lists.blocks.end() || found->second.empty()) return nullptr;
        void* block = found->second.back();
        found->second.pop_back();
        cached_.fetch_sub(size);
        return block;
    };
    if (void* block = take()) return block;
    const Current current(*context_);
    context_->deferred().poll();  // blocks whose work is just done
    if (void* block = take()) return block;
    const DuringCapture relaxed(*context_);
    driver::Api& api = context_->api();
    void* data = nullptr;
    if (kind == MemoryKind::pinned) {
        context_->check(
            api.cuMemHostAlloc(&data, size,
                               driver::host_alloc_portable | driver::host_alloc_device_map),
            "cuMemHostAlloc");
    } else {
        driver::DevicePointer address = 0;
        context_->check(api.cuMemAllocManaged(&address, size, driver::attach_global),
                        "cuMemAllocManaged");
        data = reinterpret_cast<void*>(address);
    }
    return data;
}

void HostMemory::release(void* data, std::size_t bytes, MemoryKind kind, Queue& queue) noexcept {
    without_throwing("releasing host memory", [&] {
        if (context_->faulted() || driver::forked_since_initialisation()) return;
        const InternalCall internal;
        const Current current(*context_);
        context_->deferred().after({queue.stream()}, [this, data, size = host_size(bytes), kind] {
            const std::lock_guard lock(mutex_);
            (kind == MemoryKind::pinned ? pinned_ : managed_).blocks[size].push_back(data);
            cached_.fetch_add(size);
        });
    });
}

void HostMemory::free_block(void* data, MemoryKind kind) noexcept {
    driver::Api& api = context_->api();
    if (kind == MemoryKind::pinned)
        api.cuMemFreeHost(data);
    else
        api.cuMemFree_v2(reinterpret_cast<driver::DevicePointer>(data));
}

void HostMemory::trim(std::size_t keep_bytes) noexcept {
    without_throwing("trimming host memory", [&] {
        const Current current(*context_);
        const DuringCapture relaxed(*context_);
        context_->deferred().poll();
        const std::lock_guard lock(mutex_);
        for (const MemoryKind kind : {MemoryKind::pinned, MemoryKind::managed})
            for (auto& [size, blocks] : (kind == MemoryKind::pinned ? pinned_ : managed_).blocks)
                while (!blocks.empty() && cached_.load() > keep_bytes) {
                    free_block(blocks.back(), kind);
                    blocks.pop_back();
                    cached_.fetch_sub(size);
                }
    });
}

}  // namespace heald::cuda
