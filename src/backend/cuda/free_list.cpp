#include "src/backend/cuda/free_list.hpp"

#include <bit>
#include <new>

namespace heald::cuda {

std::size_t FreeList::rounded(std::size_t bytes) noexcept {
    std::size_t step = 512;
    if (bytes > 8192) step = std::bit_floor(bytes) / 8;
    return (bytes + step - 1) / step * step;
}

void* FreeList::take(std::size_t size) noexcept {
    if (size > largest_block) return nullptr;
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(size);
    if (found == blocks_.end() || found->second.empty()) return nullptr;
    void* block = found->second.back();
    found->second.pop_back();
    bytes_ -= size;
    return block;
}

bool FreeList::put(void* block, std::size_t size) noexcept {
    if (size > largest_block) return false;
    const std::lock_guard lock(mutex_);
    if (bytes_ + size > most_bytes) return false;
    try {
        blocks_[size].push_back(block);
    } catch (const std::bad_alloc&) {
        return false;
    }
    bytes_ += size;
    return true;
}

std::vector<void*> FreeList::clear() {
    std::vector<void*> result;
    const std::lock_guard lock(mutex_);
    for (auto& [size, blocks] : blocks_) result.insert(result.end(), blocks.begin(), blocks.end());
    blocks_.clear();
    bytes_ = 0;
    return result;
}

std::size_t FreeList::bytes() const noexcept {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

}  // namespace heald::cuda
