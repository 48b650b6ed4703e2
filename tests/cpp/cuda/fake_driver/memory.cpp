// Memory of the device is memory of the host.

#include "tests/cpp/cuda/fake_driver/internals.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace heald::cuda::driver {

using fake::Control;
using fake::control;

namespace {

std::map<DevicePointer, std::size_t>& blocks() {
    static auto* const map = new std::map<DevicePointer, std::size_t>;
    return *map;
}

Result allocate(DevicePointer* address, std::size_t bytes) {
    Control& c = control();
    // A cached block serves a request of its own size or less.
    if (bytes <= c.largest_cached && bytes <= c.bytes_cached) c.bytes_cached -= bytes;
    if (c.bytes_in_use + c.bytes_cached + bytes > c.memory_limit) return Result::out_of_memory;
    void* block = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
    std::memset(block, 0xAB, std::min<std::size_t>(bytes, 65536));
    *address = reinterpret_cast<DevicePointer>(block);
    blocks()[*address] = bytes;
    c.bytes_in_use += bytes;
    return Result::success;
}

Result release(DevicePointer address, bool to_pool) {
    Control& c = control();
    const auto found = blocks().find(address);
    if (found == blocks().end()) return Result::invalid_value;
    c.bytes_in_use -= found->second;
    if (to_pool) {
        c.bytes_cached += found->second;
        c.largest_cached = std::max(c.largest_cached, found->second);
    }
    std::free(reinterpret_cast<void*>(address));
    blocks().erase(found);
    return Result::success;
}

}  // namespace

Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    ENTER(cuMemGetInfo_v2);
    *total = control().memory_limit;
    *free = *total - control().bytes_in_use - control().bytes_cached;
    return Result::success;
}
Result cuMemPoolCreate(Pool* pool, const PoolProperties* properties) {
    ENTER(cuMemPoolCreate);
    *pool = new PoolHandle{properties->location.id};
    return Result::success;
}
Result cuMemPoolDestroy(Pool pool) {
    delete pool;
    return Result::success;
}
Result cuMemPoolSetAttribute(Pool, PoolAttribute, void*) {
    return Result::success;
}
Result cuMemPoolGetAttribute(Pool, PoolAttribute which, void* value) {
    const std::lock_guard lock(control().mutex);
    const std::uint64_t used = control().bytes_in_use;
    const std::uint64_t bytes =
        which == PoolAttribute::used_current ? used : used + control().bytes_cached;
    std::memcpy(value, &bytes, sizeof bytes);
    return Result::success;
}
Result cuMemPoolSetAccess(Pool, const MemoryAccess*, std::size_t) {
    ENTER(cuMemPoolSetAccess);
    return Result::success;
}
Result cuMemPoolTrimTo(Pool, std::size_t) {
    ENTER(cuMemPoolTrimTo);
    control().bytes_cached = control().largest_cached = 0;
    return Result::success;
}
Result cuMemAllocFromPoolAsync(DevicePointer* address, std::size_t bytes, Pool, Stream) {
    ENTER(cuMemAllocFromPoolAsync);
    return allocate(address, bytes);
}
Result cuMemFreeAsync(DevicePointer address, Stream) {
    ENTER(cuMemFreeAsync);
    return release(address, true);
}
Result cuMemAlloc_v2(DevicePointer* address, std::size_t bytes) {
    ENTER(cuMemAlloc_v2);
    return allocate(address, bytes);
}
Result cuMemFree_v2(DevicePointer address) {
    ENTER(cuMemFree_v2);
    return release(address, false);
}
Result cuMemAllocManaged(DevicePointer* address, std::size_t bytes, unsigned) {
    ENTER(cuMemAllocManaged);
    return allocate(address, bytes);
}
Result cuMemHostAlloc(void** data, std::size_t bytes, unsigned) {
    ENTER(cuMemHostAlloc);
    *data = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    return Result::success;
}
Result cuMemFreeHost(void* data) {
    ENTER(cuMemFreeHost);
    std::free(data);
    return Result::success;
}
Result cuPointerGetAttributes(unsigned count, PointerAttribute*, void** values, DevicePointer) {
    for (unsigned i = 0; i < count; ++i) std::memset(values[i], 0, sizeof(int));
    return Result::success;
}
Result cuMemcpyAsync(DevicePointer to, DevicePointer from, std::size_t bytes, Stream) {
    ENTER(cuMemcpyAsync);
    std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
    return Result::success;
}
template <class T>
Result fill(DevicePointer to, T value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(reinterpret_cast<char*>(to) + i * sizeof value, &value, sizeof value);
    return Result::success;
}
Result cuMemsetD8Async(DevicePointer to, unsigned char value, std::size_t count, Stream) {
    ENTER(cuMemsetD8Async);
    return fill(to, value, count);
}
Result cuMemsetD16Async(DevicePointer to, unsigned short value, std::size_t count, Stream) {
    ENTER(cuMemsetD16Async);
    return fill(to, value, count);
}
Result cuMemsetD32Async(DevicePointer to, unsigned value, std::size_t count, Stream) {
    ENTER(cuMemsetD32Async);
    return fill(to, value, count);
}

// For the benchmarks' C program.
extern "C" __attribute__((visibility("default"))) Result cuMemAllocAsync(DevicePointer* address,
                                                                         std::size_t bytes,
                                                                         Stream) {
    return cuMemAlloc_v2(address, bytes);
}

}  // namespace heald::cuda::driver
