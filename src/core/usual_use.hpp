#pragma once

#include <heald/kernel.hpp>

#include "src/core/use.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace heald::core {

/// The use that one stream makes of one range of a block again and again, as launches in a loop do:
/// begun and ended without the block's lock. A stream has it as long as no other stream uses the
/// block: whoever looks at the block's uses takes it away first.
class UsualUse {
public:
    // From any thread, without a lock:

    /// Begins a use if the stream has it for that range; then end() must follow.
    [[nodiscard]] bool try_begin(std::uint64_t timeline_id, const MemoryUse& use) noexcept {
        const std::uint64_t unit = use.write ? one_write : one_read;
        const std::uint64_t most = unit * field_mask;
        std::uint64_t word = word_.load(std::memory_order_relaxed);
        std::uint64_t next = 0;
        do {
            if (word >> taken_shift != timeline_id << 1 || (word & most) == most) return false;
            next = word + unit;
            if ((word & in_flight) != 0) next |= crowded;
        } while (!word_.compare_exchange_weak(word, next, std::memory_order_acquire,
                                              std::memory_order_relaxed));
        if (use.begin == begin_ && use.end == end_) [[likely]]
            return true;
        word_.fetch_sub(unit, std::memory_order_release);
        return false;
    }
    /// `position` of the operation, or Use::pending if it failed.
    void end(const MemoryUse& use, std::uint64_t position) noexcept {
        if (position != Use::pending)
            positions_[use.write].store(position, std::memory_order_relaxed);
        word_.fetch_sub(use.write ? one_write : one_read, std::memory_order_release);
    }

    // Under the block's lock:

    [[nodiscard]] bool is_free() const noexcept {
        return word_.load(std::memory_order_relaxed) == 0;
    }
    /// Gives it to the stream whose use, its last of the block, this is. It is free.
    void give(const Use& use) noexcept {
        begin_ = use.begin;
        end_ = use.end;
        timeline_ = use.timeline;
        positions_[use.write].store(use.position, std::memory_order_relaxed);
        positions_[!use.write].store(0, std::memory_order_relaxed);
        word_.store(use.timeline->id() << id_shift, std::memory_order_release);
    }
    /// Takes it from whoever has it, and once none of its uses is in flight tells `add` of the last
    /// of them.
    template <class Add>
    void take(Add&& add) {
        std::uint64_t word = word_.load(std::memory_order_relaxed);
        if (word == 0) return;
        word = word_.fetch_or(taken, std::memory_order_acquire);
        if ((word & in_flight) != 0) return;
        for (const bool write : {false, true}) {
            std::uint64_t position = positions_[write].load(std::memory_order_relaxed);
            if (position == 0) continue;
            // Threads that ended their uses at once may have left the older position.
            if ((word & crowded) != 0) position = timeline_->enqueued();
            add(Use{timeline_, position, begin_, end_, write});
        }
        timeline_ = nullptr;
        word_.store(0, std::memory_order_relaxed);
    }
    /// True if a use that was taken away is still in flight, on another stream, and conflicts.
    [[nodiscard]] bool holds_up(const Timeline& timeline, const MemoryUse& use) const noexcept {
        const std::uint64_t word = word_.load(std::memory_order_relaxed);
        const std::uint64_t conflicting = use.write ? in_flight : field_mask * one_write;
        return (word & conflicting) != 0 && timeline_.get() != &timeline && begin_ < use.end &&
               use.begin < end_;
    }

private:
    // The word, from its low end: writes and reads in flight; whether uses were in flight together;
    // whether it was taken away; whose it is.
    static constexpr unsigned field_bits = 10;
    static constexpr std::uint64_t field_mask = (1U << field_bits) - 1;
    static constexpr std::uint64_t one_write = 1;
    static constexpr std::uint64_t one_read = 1U << field_bits;
    static constexpr std::uint64_t in_flight = (1U << 2 * field_bits) - 1;
    static constexpr std::uint64_t crowded = 1U << 2 * field_bits;
    static constexpr unsigned taken_shift = 2 * field_bits + 1;
    static constexpr std::uint64_t taken = std::uint64_t{1} << taken_shift;
    static constexpr unsigned id_shift = taken_shift + 1;

    std::atomic<std::uint64_t> word_{0};
    std::array<std::atomic<std::uint64_t>, 2>
        positions_{};  ///< of the last read and write; 0: none
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::shared_ptr<Timeline> timeline_;
};

}  // namespace heald::core
