#include "src/memory/limit_adaptor.hpp"

#include "src/base/check.hpp"

namespace heald::memory {

bool LimitAdaptor::reserve(std::size_t bytes) noexcept {
    const std::size_t limit = limit_.load(std::memory_order_relaxed);
    std::size_t reserved = reserved_.load(std::memory_order_relaxed);
    do {
        if (bytes > limit || reserved > limit - bytes) return false;
    } while (
        !reserved_.compare_exchange_weak(reserved, reserved + bytes, std::memory_order_relaxed));
    return true;
}

void* LimitAdaptor::allocate(std::size_t bytes, MemoryKind kind, core::QueueImpl& queue) {
    if (!reserve(bytes)) fail_allocation(bytes, "the pool's limit is reached");
    try {
        return upstream_.allocate(bytes, kind, queue);
    } catch (const Error& error) {
        reserved_.fetch_sub(bytes, std::memory_order_relaxed);
        if (error.kind() != ErrorKind::out_of_memory) throw;
        fail_allocation(bytes, error.what());
    } catch (...) {
        reserved_.fetch_sub(bytes, std::memory_order_relaxed);
        throw;
    }
}

void LimitAdaptor::release(void* data, std::size_t bytes, MemoryKind kind,
                           core::QueueImpl& queue) noexcept {
    reserved_.fetch_sub(bytes, std::memory_order_relaxed);
    upstream_.release(data, bytes, kind, queue);
}

void LimitAdaptor::fail_allocation(std::size_t bytes, const char* reason) const {
    const auto counts = upstream_.statistics();
    std::string what = text("[Buffer] out of memory: ", bytes_text(bytes), " (", bytes,
                            " bytes) asked for; ", bytes_text(counts.current_bytes), " in use by ",
                            counts.live_count, " allocations, ", bytes_text(counts.cached_bytes),
                            " cached, ", bytes_text(free_bytes_()), " free on the device");
    if (const auto bound = limit()) what += text(", limit ", bytes_text(*bound));
    const auto sizes = upstream_.largest(5);
    if (!sizes.empty()) {
        what += "; the largest live allocations: ";
        for (std::size_t i = 0; i < sizes.size(); ++i)
            what += text(i == 0 ? "" : ", ", bytes_text(sizes[i]));
    }
    throw Error(ErrorKind::out_of_memory, text(what, ". ", reason));
}

std::optional<std::size_t> LimitAdaptor::limit() const {
    const std::size_t limit = limit_.load(std::memory_order_relaxed);
    return limit == none ? std::nullopt : std::optional(limit);
}

void LimitAdaptor::set_limit(std::optional<std::size_t> bytes) {
    limit_.store(bytes.value_or(none), std::memory_order_relaxed);
}

}  // namespace heald::memory
