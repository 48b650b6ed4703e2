#pragma once

#include <heald/device.hpp>
#include <heald/export.hpp>
#include <heald/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace heald {

namespace core {
class Block;
}

enum class MemoryKind : std::uint8_t {
    device,   ///< the device's own memory
    pinned,   ///< host memory that the device reads and writes by DMA
    managed,  ///< one address on host and device, migrated by the driver
};

/// Untyped memory of one device: a range of an allocation, which it keeps alive. Copies are cheap
/// handles of the same memory.
///
/// The memory is safe across streams: an operation waits for the earlier operations on other
/// streams that it must not overtake (reads wait for writes, writes for both, by byte range), and
/// freed memory is reused only after every stream that used it is done with it.
class HEALD_API Buffer {
public:
    Buffer() = default;

    /// Uninitialised memory, usable at once on `stream` and, ordered, on any other.
    explicit Buffer(std::size_t bytes, const Stream& stream = Stream::current(),
                    MemoryKind kind = MemoryKind::device);

    /// A copy of `bytes` bytes of host memory, which may be changed as soon as this returns.
    static Buffer from_host(const void* data, std::size_t bytes,
                            const Stream& stream = Stream::current());

    /// Memory of someone else, kept alive by `owner`.
    static Buffer wrap(void* data, std::size_t bytes, const Device& device,
                       std::shared_ptr<void> owner, bool read_only = false,
                       MemoryKind kind = MemoryKind::device);

    [[nodiscard]] void* data() const;  ///< an address of the device; null if empty
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] Device device() const;
    [[nodiscard]] MemoryKind kind() const;
    [[nodiscard]] bool read_only() const noexcept { return read_only_; }
    [[nodiscard]] bool escaped() const;  ///< shared with another library
    void set_escaped() const;

    /// False: operations on the allocation do not wait for each other across streams, and whoever
    /// said so orders them. True at first.
    [[nodiscard]] bool tracked() const;
    void set_tracked(bool tracked) const;

    /// Bytes [offset, offset + bytes) of this buffer.
    [[nodiscard]] Buffer slice(std::size_t offset, std::size_t bytes) const;

    /// Enqueued copies. Sizes must agree.
    void copy_from(const Buffer& source, const Stream& stream = Stream::current()) const;

    /// The host memory may be changed as soon as this returns.
    void copy_from_host(const void* data, std::size_t bytes,
                        const Stream& stream = Stream::current()) const;

    /// Returns when the data are there.
    void copy_to_host(void* data, std::size_t bytes,
                      const Stream& stream = Stream::current()) const;

    /// Enqueued: `owner` keeps the host memory alive until the copy is done.
    void copy_from_host_async(const void* data, std::size_t bytes, std::shared_ptr<void> owner,
                              const Stream& stream = Stream::current()) const;
    void copy_to_host_async(void* data, std::size_t bytes, std::shared_ptr<void> owner,
                            const Stream& stream = Stream::current()) const;

    /// Repeats the low `pattern_bytes` (1, 2, 4 or 8) bytes of `pattern` over the buffer.
    void fill(std::uint64_t pattern, unsigned pattern_bytes,
              const Stream& stream = Stream::current()) const;

    /// Orders a use of the memory that heald does not see: `stream` waits for earlier uses on other
    /// streams, and later operations on other streams wait for what is in `stream` now.
    void use(const Stream& stream, bool write) const;

    /// Gives this handle up; the memory goes back, ordered after its uses, when no other handle or
    /// view is left. Later use of this one raises Error(closed).
    void close();
    [[nodiscard]] bool closed() const noexcept { return closed_; }

    /// All of an allocation.
    explicit Buffer(std::shared_ptr<core::Block> block);

    /// The allocation, or null; throws Error(closed).
    [[nodiscard]] const std::shared_ptr<core::Block>& block() const;
    [[nodiscard]] std::size_t offset() const noexcept { return offset_; }

private:
    std::shared_ptr<core::Block> block_;
    std::size_t offset_ = 0;
    std::size_t size_ = 0;
    bool read_only_ = false;
    bool closed_ = false;
};

/// A device's memory pool.
class HEALD_API MemoryPool {
public:
    struct Statistics {
        std::size_t current_bytes = 0;  ///< in live allocations
        std::size_t peak_bytes = 0;
        std::size_t cached_bytes = 0;  ///< held for reuse
        std::size_t live_count = 0;    ///< allocations
        std::size_t total_count = 0;   ///< allocations ever made
    };

    [[nodiscard]] Statistics statistics() const;
    void reset_peak() const;

    /// Bytes that live allocations may take together; nullopt: no limit.
    [[nodiscard]] std::optional<std::size_t> limit() const;
    void set_limit(std::optional<std::size_t> bytes) const;

    /// Gives cached memory back to the system, keeping at most `keep_bytes`.
    void trim(std::size_t keep_bytes = 0) const;

    explicit MemoryPool(std::shared_ptr<core::DeviceState> state) : state_(std::move(state)) {}

private:
    std::shared_ptr<core::DeviceState> state_;
};

}  // namespace heald
