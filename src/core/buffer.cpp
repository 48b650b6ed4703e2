#include <heald/buffer.hpp>

#include "src/base/check.hpp"
#include "src/core/block.hpp"
#include "src/core/deferred.hpp"
#include "src/core/ordering.hpp"
#include "src/core/transfer.hpp"

#include <array>

namespace heald {

Buffer::Buffer(std::size_t bytes, const Stream& stream, MemoryKind kind)
    : block_(core::Block::allocate(bytes, stream.state(), kind)), size_(bytes) {}

Buffer::Buffer(std::shared_ptr<core::Block> block)
    : block_(std::move(block)), size_(block_->size()) {}

Buffer Buffer::from_host(const void* data, std::size_t bytes, const Stream& stream) {
    Buffer result(bytes, stream);
    result.copy_from_host(data, bytes, stream);
    return result;
}

Buffer Buffer::wrap(void* data, std::size_t bytes, const Device& device,
                    std::shared_ptr<void> owner, bool read_only, MemoryKind kind) {
    HEALD_EXPECTS(data != nullptr || bytes == 0, invalid_value,
                  "[Buffer.wrap] the address is null, "
                  "the size ",
                  bytes, " bytes");
    Buffer result;
    result.block_ = core::Block::wrap(data, bytes, device.state(), std::move(owner), kind);
    result.size_ = bytes;
    result.read_only_ = read_only;
    return result;
}

const std::shared_ptr<core::Block>& Buffer::block() const {
    HEALD_EXPECTS(!closed_, closed, "[Buffer] this buffer was closed: its memory was given back");
    return block_;
}

void* Buffer::data() const {
    const auto& own = block();
    if (own == nullptr || size_ == 0) return nullptr;
    return static_cast<std::byte*>(own->data()) + offset_;
}

Device Buffer::device() const {
    HEALD_EXPECTS(block() != nullptr, invalid_value, "[Buffer.device] the buffer has no memory");
    return Device(block_->device().shared_from_this());
}

MemoryKind Buffer::kind() const {
    return block() != nullptr ? block_->kind() : MemoryKind::device;
}
bool Buffer::escaped() const {
    return block() != nullptr && block_->escaped();
}
bool Buffer::tracked() const {
    return block() == nullptr || block_->tracked();
}

void Buffer::set_escaped() const {
    if (block() != nullptr) block_->set_escaped();
}

void Buffer::set_tracked(bool tracked) const {
    if (block() != nullptr) block_->set_tracked(tracked);
}

Buffer Buffer::slice(std::size_t offset, std::size_t bytes) const {
    HEALD_EXPECTS(offset <= size_ && bytes <= size_ - offset, invalid_value,
                  "[Buffer.slice] bytes [", offset, ", ", offset, " + ", bytes,
                  ") are not within a buffer of ", size_, " bytes");
    Buffer result(*this);
    (void)block();
    result.offset_ = offset_ + offset;
    result.size_ = bytes;
    return result;
}

void Buffer::copy_from(const Buffer& source, const Stream& stream) const {
    HEALD_EXPECTS(source.size_ == size_, invalid_value, "[Buffer.copy_from] the source has ",
                  source.size_, " bytes, the destination ", size_);
    HEALD_EXPECTS(!read_only_, invalid_value, "[Buffer.copy_from] the destination is read-only");
    (void)block();
    (void)source.block();
    if (size_ != 0) core::copy(*this, source, stream.state());
}

void Buffer::copy_from_host(const void* data, std::size_t bytes, const Stream& stream) const {
    HEALD_EXPECTS(bytes == size_, invalid_value, "[Buffer.copy_from_host] the host memory has ",
                  bytes, " bytes, the buffer ", size_);
    HEALD_EXPECTS(!read_only_, invalid_value, "[Buffer.copy_from_host] the buffer is read-only");
    (void)block();
    if (size_ != 0) core::copy_from_host(*this, data, stream.state());
}

void Buffer::copy_to_host(void* data, std::size_t bytes, const Stream& stream) const {
    HEALD_EXPECTS(bytes == size_, invalid_value, "[Buffer.copy_to_host] the host memory has ",
                  bytes, " bytes, the buffer ", size_);
    (void)block();
    if (size_ != 0) core::copy_to_host(data, *this, stream.state());
}

void Buffer::copy_from_host_async(const void* data, std::size_t bytes, std::shared_ptr<void> owner,
                                  const Stream& stream) const {
    HEALD_EXPECTS(bytes == size_, invalid_value,
                  "[Buffer.copy_from_host_async] the host memory has ", bytes,
                  " bytes, the buffer ", size_);
    HEALD_EXPECTS(!read_only_, invalid_value,
                  "[Buffer.copy_from_host_async] the buffer is read-only");
    (void)block();
    if (size_ != 0) core::copy_from_host_async(*this, data, std::move(owner), stream.state());
}

void Buffer::copy_to_host_async(void* data, std::size_t bytes, std::shared_ptr<void> owner,
                                const Stream& stream) const {
    HEALD_EXPECTS(bytes == size_, invalid_value, "[Buffer.copy_to_host_async] the host memory has ",
                  bytes, " bytes, the buffer ", size_);
    (void)block();
    if (size_ != 0) core::copy_to_host_async(data, *this, std::move(owner), stream.state());
}

void Buffer::fill(std::uint64_t pattern, unsigned pattern_bytes, const Stream& stream) const {
    HEALD_EXPECTS(
        pattern_bytes == 1 || pattern_bytes == 2 || pattern_bytes == 4 || pattern_bytes == 8,
        invalid_value, "[Buffer.fill] a pattern has 1, 2, 4 or 8 bytes, got ", pattern_bytes);
    HEALD_EXPECTS(size_ % pattern_bytes == 0, invalid_value, "[Buffer.fill] a buffer of ", size_,
                  " bytes is not a whole number of patterns of ", pattern_bytes, " bytes");
    HEALD_EXPECTS(!read_only_, invalid_value, "[Buffer.fill] the buffer is read-only");
    (void)block();
    if (size_ != 0) core::fill(*this, pattern, pattern_bytes, stream.state());
}

void Buffer::use(const Stream& stream, bool write) const {
    core::StreamState& on = stream.state();
    if (block() == nullptr || size_ == 0) return;
    const std::array uses{MemoryUse{block_.get(), offset_, offset_ + size_, write}};
    core::enqueue(on, uses, [](core::QueueImpl&) {});
}

void Buffer::close() {
    closed_ = true;
    block_.reset();
    size_ = 0;
    offset_ = 0;
}

}  // namespace heald
