#include "src/backend/cpu/loaded_code_registry.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace heald::cpu {
namespace {

// A slot is one word, so that readers see a whole range: first page in the upper bits, number of
// pages in the lower ones. Addresses have at most 57 bits, an object at most 2 GiB.
constexpr unsigned page_bits = 12;
constexpr unsigned count_bits = 19;
constexpr std::size_t slots_per_chunk = 512;

struct Chunk {
    std::array<std::atomic<std::uint64_t>, slots_per_chunk> slots{};
    std::atomic<Chunk*> next{nullptr};
};

struct Registry {
    Chunk first;
    std::mutex mutex;  // writers
    std::vector<std::size_t> free_slots;
    std::size_t used = 0;
};

// Never destroyed: code may run, and fault, while the process exits.
Registry& registry() {
    static Registry& instance = *new Registry;
    return instance;
}

std::atomic<Registry*> readable{nullptr};

std::atomic<std::uint64_t>& slot_of(Registry& all, std::size_t ticket) {
    Chunk* chunk = &all.first;
    for (std::size_t i = ticket / slots_per_chunk; i > 0; --i) {
        Chunk* next = chunk->next.load(std::memory_order_relaxed);
        if (next == nullptr) {
            next = new Chunk;
            chunk->next.store(next, std::memory_order_release);
        }
        chunk = next;
    }
    return chunk->slots[ticket % slots_per_chunk];
}

}  // namespace

std::size_t register_code(const void* begin, std::size_t bytes) {
    Registry& all = registry();
    const auto page = reinterpret_cast<std::uintptr_t>(begin) >> page_bits;
    const std::uint64_t pages = (bytes + (std::size_t{1} << page_bits) - 1) >> page_bits;
    const std::lock_guard lock(all.mutex);
    std::size_t ticket = 0;
    if (all.free_slots.empty()) {
        ticket = all.used++;
        all.free_slots.reserve(all.used);  // so that unregistering cannot fail
    } else {
        ticket = all.free_slots.back();
        all.free_slots.pop_back();
    }
    slot_of(all, ticket)
        .store((std::uint64_t{page} << count_bits) | pages, std::memory_order_release);
    readable.store(&all, std::memory_order_release);
    return ticket;
}

void unregister_code(std::size_t ticket) noexcept {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    slot_of(all, ticket).store(0, std::memory_order_release);
    all.free_slots.push_back(ticket);
}

bool is_registered_code(const void* address) noexcept {
    const Registry* all = readable.load(std::memory_order_acquire);
    if (all == nullptr) return false;
    const std::uint64_t page = reinterpret_cast<std::uintptr_t>(address) >> page_bits;
    for (const Chunk* chunk = &all->first; chunk != nullptr;
         chunk = chunk->next.load(std::memory_order_acquire)) {
        for (const auto& slot : chunk->slots) {
            const std::uint64_t word = slot.load(std::memory_order_acquire);
            const std::uint64_t first = word >> count_bits;
            const std::uint64_t pages = word & ((std::uint64_t{1} << count_bits) - 1);
            if (page >= first && page - first < pages) return true;
        }
    }
    return false;
}

}  // namespace heald::cpu
