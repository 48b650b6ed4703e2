#include "src/backend/cuda/memory.hpp"

#include "src/base/check.hpp"

#include <utility>

namespace heald::cuda {

using driver::DevicePointer;
using driver::Result;

namespace {

DevicePointer address_of(void* data) noexcept {
    return reinterpret_cast<DevicePointer>(data);
}

}  // namespace

DeviceMemory::DeviceMemory(std::shared_ptr<Context> context) : context_(std::move(context)) {
    driver::Api& api = context_->api();
    int supported = 0;
    api.cuDeviceGetAttribute(&supported, driver::DeviceAttribute::memory_pools_supported,
                             context_->device());
    if (supported == 0 || !api.cuMemPoolCreate) return;
    const Current current(*context_);
    const DuringCapture relaxed(*context_);
    driver::PoolProperties properties{};
    properties.allocation_type = driver::AllocationType::pinned;
    properties.location = {driver::MemoryLocationType::device, context_->ordinal()};
    context_->check(api.cuMemPoolCreate(&pool_, &properties), "cuMemPoolCreate");
    std::uint64_t threshold = UINT64_MAX;
    context_->check(
        api.cuMemPoolSetAttribute(pool_, driver::PoolAttribute::release_threshold, &threshold),
        "cuMemPoolSetAttribute");
}

DeviceMemory::~DeviceMemory() {
    if (pool_ == nullptr || context_->faulted() || driver::forked_since_initialisation()) return;
    without_throwing("closing a memory pool", [this] {
        const Current current(*context_);
        context_->api().cuMemPoolDestroy(pool_);
    });
}

Result DeviceMemory::ask_driver(void** data, std::size_t size, Queue& queue) {
    driver::Api& api = context_->api();
    const DuringCapture relaxed(*context_);
    DevicePointer address = 0;
    const Result result = pool_ != nullptr
                              ? api.cuMemAllocFromPoolAsync(&address, size, pool_, queue.stream())
                              : api.cuMemAlloc_v2(&address, size);
    *data = reinterpret_cast<void*>(address);
    return result;
}

void* DeviceMemory::allocate(std::size_t bytes, Queue& queue) {
    context_->check_caller();
    const std::size_t size = FreeList::rounded(bytes);
    const bool capturing = queue.capturing();
    if (!capturing)
        if (void* block = queue.free_list().take(size)) return block;
    const Current current(*context_);
    void* data = nullptr;
    const Result result = ask_driver(&data, size, queue);
    context_->check(result, "cuMemAllocFromPoolAsync");
    if (capturing) {
        const std::lock_guard lock(captured_mutex_);
        captured_.insert(data);
        captured_count_.store(captured_.size(), std::memory_order_relaxed);
    }
    return data;
}

void DeviceMemory::release(void* data, std::size_t bytes, Queue& queue) noexcept {
    without_throwing("releasing GPU memory", [&] {
        const std::size_t size = FreeList::rounded(bytes);
        bool captured = false;
        if (captured_count_.load(std::memory_order_relaxed) > 0) {
            const std::lock_guard lock(captured_mutex_);
            captured = captured_.erase(data) > 0;
            captured_count_.store(captured_.size(), std::memory_order_relaxed);
        }
        if (!captured && pool_ != nullptr && !queue.capturing() &&
            queue.free_list().put(data, size))
            return;
        if (context_->faulted() || driver::forked_since_initialisation()) return;
        const InternalCall internal;
        const Current current(*context_);
        const DuringCapture relaxed(*context_);
        driver::Api& api = context_->api();
        if (pool_ != nullptr) {
            driver::check(api.cuMemFreeAsync(address_of(data), queue.stream()), "cuMemFreeAsync");
            return;
        }
        context_->deferred().after({queue.stream()}, [&api, data, context = context_.get()] {
            const DuringCapture relaxed(*context);
            driver::check(api.cuMemFree_v2(address_of(data)), "cuMemFree");
        });
    });
}

std::size_t DeviceMemory::pool_cached_bytes() const {
    if (pool_ == nullptr || context_->faulted()) return 0;
    driver::Api& api = context_->api();
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    api.cuMemPoolGetAttribute(pool_, driver::PoolAttribute::reserved_current, &reserved);
    api.cuMemPoolGetAttribute(pool_, driver::PoolAttribute::used_current, &used);
    return reserved > used ? reserved - used : 0;
}

void DeviceMemory::trim_pool(std::size_t keep_bytes) {
    if (pool_ == nullptr) return;
    const DuringCapture relaxed(*context_);
    driver::Api& api = context_->api();
    std::uint64_t used = 0;
    api.cuMemPoolGetAttribute(pool_, driver::PoolAttribute::used_current, &used);
    // The driver counts what is in use as kept.
    context_->check(api.cuMemPoolTrimTo(pool_, keep_bytes == 0 ? 0 : used + keep_bytes),
                    "cuMemPoolTrimTo");
}

void DeviceMemory::allow_access(const Context& peer) {
    if (pool_ == nullptr) return;
    driver::MemoryAccess access{};
    access.location = {driver::MemoryLocationType::device, peer.ordinal()};
    access.flags = driver::AccessFlags::read_write;
    context_->check(context_->api().cuMemPoolSetAccess(pool_, &access, 1), "cuMemPoolSetAccess");
}

}  // namespace heald::cuda
