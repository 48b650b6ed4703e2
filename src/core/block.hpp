#pragma once

#include <heald/export.hpp>

#include "src/core/device_state.hpp"
#include "src/core/usual_use.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heald::core {

class Block;

/// An operation that is known but not enqueued yet, and gives a block its contents.
class PendingContents {
public:
    virtual ~PendingContents() = default;
};

/// How blocks with pending contents are evaluated; set by the layer that makes them.
struct LazyEvaluation {
    void (*evaluate)(Block& block) = nullptr;
    /// Evaluates whatever is pending and reads the block.
    void (*evaluate_readers)(Block& block) = nullptr;
};
extern HEALD_API LazyEvaluation lazy_evaluation;

/// An allocation, or memory of someone else, and the uses of it that others may have to wait for.
/// The uses are guarded by a lock that blocks share (ordering.hpp).
class Block : public std::enable_shared_from_this<Block> {
public:
    /// Allocates on `stream`.
    static std::shared_ptr<Block> allocate(std::size_t bytes, StreamState& stream, MemoryKind kind);

    /// Memory that is allocated and written when somebody needs it: lazy_evaluation does it.
    static std::shared_ptr<Block> defer(std::size_t bytes, DeviceState& device,
                                        std::unique_ptr<PendingContents> contents);

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
    /// Evaluates pending contents.
    [[nodiscard]] void* data() {
        if (is_pending()) [[unlikely]]
            lazy_evaluation.evaluate(*this);
        return data_;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool wrapped() const noexcept { return home_ == nullptr; }

    [[nodiscard]] bool escaped() const noexcept { return escaped_; }
    /// Shared with another library from now on. What is pending and reads it is evaluated.
    void set_escaped() {
        escaped_ = true;
        if (has_readers()) lazy_evaluation.evaluate_readers(*this);
    }
    [[nodiscard]] bool tracked() const noexcept { return tracked_; }
    void set_tracked(bool tracked) noexcept { tracked_ = tracked; }

    // Pending contents. Readers are pending operations that read this block.
    [[nodiscard]] bool is_pending() const noexcept {
        return (lazy_.load(std::memory_order_acquire) & pending_bit) != 0;
    }
    [[nodiscard]] bool has_readers() const noexcept {
        return (lazy_.load(std::memory_order_acquire) & ~pending_bit) != 0;
    }
    /// Neither pending nor read by anything pending.
    [[nodiscard]] bool is_plain() const noexcept {
        return lazy_.load(std::memory_order_acquire) == 0;
    }
    void add_reader() noexcept { lazy_.fetch_add(1, std::memory_order_acq_rel); }
    void remove_reader() noexcept { lazy_.fetch_sub(1, std::memory_order_acq_rel); }
    [[nodiscard]] PendingContents* contents() const noexcept { return contents_.get(); }
    /// The contents were enqueued on `stream`, into `data`; gives back what described them.
    std::unique_ptr<PendingContents> settle(void* data, StreamState& stream) noexcept;

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
    static constexpr std::uint32_t pending_bit = 1U << 31;
    std::atomic<std::uint32_t> lazy_{0};  ///< number of readers, and pending_bit
    void* data_;
    std::size_t size_;
    std::shared_ptr<Timeline> home_;  ///< where it was allocated; null if wrapped
    std::shared_ptr<void> owner_;
    std::vector<Use> uses_;
    UsualUse usual_;
    std::unique_ptr<PendingContents> contents_;  ///< null unless pending
};

}  // namespace heald::core
