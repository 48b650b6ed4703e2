#pragma once

#include <heald/export.hpp>
#include "src/array/lazy/node.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace heald::array {

/// Pending nodes that this thread has claimed to evaluate: those that `roots` need, operands before
/// consumers. Nobody else touches a claimed node; what other threads have claimed is waited for
/// first. The claim ends with this object: nodes not settled by then are pending as before.
class Claim {
public:
    explicit Claim(std::span<const std::shared_ptr<core::Block>> roots);
    ~Claim();
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

    [[nodiscard]] const std::vector<std::shared_ptr<core::Block>>& blocks() const noexcept {
        return blocks_;
    }
    /// The contents of one of blocks() were enqueued on `stream`, into `data`.
    void settle(core::Block& block, void* data, core::StreamState& stream);

private:
    /// A node that another thread has claimed.
    struct Other {
        std::shared_ptr<core::Block> block;
        std::uint64_t number = 0;

        void wait() const;
    };

    void collect(const std::shared_ptr<core::Block>& root);
    void release() noexcept;

    std::uint64_t number_ = 0;
    std::vector<std::shared_ptr<core::Block>> blocks_;
    std::vector<Other> others_;
    std::vector<std::unique_ptr<core::PendingContents>> finished_;
};

/// The pending blocks that nothing else pending reads: with what they need, all that is pending.
[[nodiscard]] std::vector<std::shared_ptr<core::Block>> pending_blocks();
/// Pending blocks whose nodes read `block`.
[[nodiscard]] HEALD_API std::vector<std::shared_ptr<core::Block>> pending_readers(
    const core::Block& block);
/// The pending blocks that `root` needs, itself included.
[[nodiscard]] std::vector<const core::Block*> pending_needs(
    const std::shared_ptr<core::Block>& root);

}  // namespace heald::array
