#pragma once

#include <cstddef>

namespace heald::cpu {

/// Memory of one thread for shared variables or frames: grows on demand, aligned to
/// `arena_alignment`, with a page behind it that faults.
class Arena {
public:
    Arena() = default;
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    /// At least `bytes` bytes, whose end (rounded up to the alignment) meets the guard page when
    /// the arena was grown for them. Earlier contents are lost. Throws Error(out_of_memory).
    [[nodiscard]] std::byte* reserve(std::size_t bytes) {
        return bytes <= size_ ? data_ : grow(bytes);
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    std::byte* grow(std::size_t bytes);
    void unmap() noexcept;

    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    void* mapping_ = nullptr;
    std::size_t mapped_ = 0;
};

}  // namespace heald::cpu
