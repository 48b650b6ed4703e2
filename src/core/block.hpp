#pragma once

#include "src/core/device_state.hpp"
#include "src/core/usual_use.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heald::core {

/// An allocation, or memory of someone else, and the uses of it that others may have to wait for.
/// The uses are guarded by a lock that blocks share (ordering.hpp).
class Block {
public:
    /// Allocates on `stream`.
    static std::shared_ptr<Block> allocate(std::size_t bytes, StreamState& stream, MemoryKind kind);

    /// Memory of someone else, kept by `owner`.
    static std::shared_ptr<Block> wrap(void* data, std::size_t bytes, DeviceState& device,
                                       std::shared_ptr<void> owner, MemoryKind kind);

    Block(DeviceState& device, MemoryKind kind, void* data, std::size_t size,
          std::shared_ptr<Timeline> home, std::shared_ptr<void> owner);
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    [[nodiscard]] DeviceState& device() const noexcept { return device_; }
    [[nodiscard]] MemoryKind kind() const noexcept { return kind_; }
    [[nodiscard]] void* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool wrapped() const noexcept { return home_ == nullptr; }

    [[nodiscard]] bool escaped() const noexcept { return escaped_; }
    void set_escaped() noexcept { escaped_ = true; }
    [[nodiscard]] bool tracked() const noexcept { return tracked_; }
    void set_tracked(bool tracked) noexcept { tracked_ = tracked; }

    /// Uses that need no lock.
    [[nodiscard]] UsualUse& usual() noexcept { return usual_; }

    // Under the block's lock (ordering.hpp):

    /// The uses, but those of usual() that are in flight; what the default stream did before there
    /// were several streams counts as a write.
    std::vector<Use>& uses();
    /// Adds a use that came after all uses that it conflicts with, and forgets those that anyone
    /// who conflicts with them would wait for anyway.
    void add_use(Use use);
    /// Lets the stream of this use repeat it without a lock, if no other stream uses the block.
    void expect_again(const Use& use);
    /// Forgets uses known to be done; true if many are left.
    bool forget_complete();

private:
    void insert(Use use);
    void release_wrapped();
    void release_allocated();

    DeviceState& device_;
    MemoryKind kind_;
    bool untracked_start_;  ///< may have been used before uses were tracked
    std::atomic<bool> escaped_;
    std::atomic<bool> tracked_{true};
    void* data_;
    std::size_t size_;
    std::shared_ptr<Timeline> home_;  ///< where it was allocated; null if wrapped
    std::shared_ptr<void> owner_;
    std::vector<Use> uses_;
    UsualUse usual_;
};

}  // namespace heald::core
