#include "src/core/ordering.hpp"

#include "src/base/check.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <memory>
#include <thread>

namespace heald::core {
namespace {

// Locks of blocks, shared by address: few, so that fork can wait for all of them. A set of them is
// taken in ascending order.
constexpr std::size_t stripe_count = 64;
// Each on a cache line of its own: threads on streams of their own must not slow each other down.
struct alignas(64) Stripe {
    ForkMutex mutex;
};
using Stripes = std::array<Stripe, stripe_count>;
using StripeSet = std::uint64_t;

Stripes& stripes() {
    static Stripes& all = *std::make_unique<Stripes>().release();
    return all;
}

std::size_t stripe_of(const Block& block) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(&block);
    return (address * 0x9E3779B97F4A7C15ULL) >> (64 - 6);
}

class StripesLock {
public:
    explicit StripesLock(StripeSet set) : set_(set) {
        for (StripeSet rest = set_; rest != 0; rest &= rest - 1)
            stripes()[lowest(rest)].mutex.lock();
    }
    ~StripesLock() {
        for (StripeSet rest = set_; rest != 0; rest &= rest - 1)
            stripes()[lowest(rest)].mutex.unlock();
    }
    StripesLock(const StripesLock&) = delete;
    StripesLock& operator=(const StripesLock&) = delete;

private:
    static std::size_t lowest(StripeSet set) noexcept {
        return static_cast<std::size_t>(std::countr_zero(set));
    }
    StripeSet set_;
};

StripeSet stripes_of(std::span<const MemoryUse> uses) noexcept {
    StripeSet set = 0;
    for (const MemoryUse& use : uses) set |= StripeSet{1} << stripe_of(*use.block);
    return set;
}

bool conflicts(const Use& earlier, const MemoryUse& use) noexcept {
    return (earlier.write || use.write) && earlier.begin < use.end && use.begin < earlier.end;
}

void add_wait(std::vector<Position>& waits, const Use& use) {
    for (Position& wait : waits) {
        if (wait.timeline != use.timeline) continue;
        wait.position = std::max(wait.position, use.position);
        return;
    }
    waits.push_back({use.timeline, use.position});
}

/// Asks devices which uses are done where a block has many, as memory read by ever new streams.
void forget_finished(Block& block) {
    std::vector<Position> asked;
    {
        const OrderingLock lock(block);
        for (const Use& use : block.uses())
            if (use.position != Use::pending) add_wait(asked, use);
    }
    for (const Position& entry : asked) (void)entry.timeline->is_complete(entry.position);
    const OrderingLock lock(block);
    block.forget_complete();
}

}  // namespace

void evaluate_pending(std::span<const MemoryUse> uses) {
    for (const MemoryUse& use : uses) {
        if (use.block->is_pending()) lazy_evaluation.evaluate(*use.block);
        if (use.write && use.block->has_readers()) lazy_evaluation.evaluate_readers(*use.block);
    }
}

OrderingLock::OrderingLock(const Block& block) : mutex_(stripes()[stripe_of(block)].mutex) {
    mutex_.lock();
}
OrderingLock::~OrderingLock() {
    mutex_.unlock();
}

bool OrderedOperation::try_begin(std::vector<Position>& waits) {
    const Timeline* own = stream_.timeline.get();
    const StripesLock lock(stripes_of(uses_));
    for (const MemoryUse& use : uses_) {
        if (!is_tracked(use)) continue;
        const std::vector<Use>& uses = use.block->uses();
        if (use.block->usual().holds_up(*own, use)) return false;
        for (const Use& earlier : uses) {
            if (earlier.timeline.get() == own || !conflicts(earlier, use)) continue;
            if (earlier.position == Use::pending) return false;
            if (!earlier.timeline->known_complete(earlier.position)) add_wait(waits, earlier);
        }
    }
    for (const MemoryUse& use : uses_)
        if (is_tracked(use))
            use.block->uses().push_back(
                {stream_.timeline, Use::pending, use.begin, use.end, use.write});
    return true;
}

OrderedOperation::OrderedOperation(StreamState& stream, std::span<const MemoryUse> uses)
    : stream_(stream), uses_(uses) {
    std::vector<Position> waits;
    // Another thread is enqueuing a conflicting operation on another stream: it goes first. Nobody
    // holds one pending use while waiting for another, so this ends when that call returns.
    for (int attempt = 0; !try_begin(waits); ++attempt) {
        waits.clear();
        if (attempt < 64)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    try {
        for (const Position& wait : waits) wait_for(stream, *wait.timeline, wait.position);
    } catch (...) {
        end(Use::pending);
        throw;
    }
}

OrderedOperation::~OrderedOperation() {
    if (!finished_) end(Use::pending);
}

void OrderedOperation::finish(std::uint64_t position) {
    finished_ = true;
    end(position);
}

void OrderedOperation::end(std::uint64_t position) {
    Block* crowded = nullptr;
    {
        const StripesLock lock(stripes_of(uses_));
        for (const MemoryUse& use : uses_) {
            std::vector<Use>& uses = use.block->uses();
            const auto mine = std::find_if(uses.begin(), uses.end(), [&](const Use& entry) {
                return entry.position == Use::pending && entry.timeline == stream_.timeline &&
                       entry.begin == use.begin && entry.end == use.end && entry.write == use.write;
            });
            if (mine == uses.end()) continue;
            uses.erase(mine);
            if (position == Use::pending) continue;
            const Use done{stream_.timeline, position, use.begin, use.end, use.write};
            use.block->add_use(done);
            use.block->expect_again(done);
            if (use.block->forget_complete()) crowded = use.block;
        }
    }
    if (crowded != nullptr) without_throwing("Buffer", [&] { forget_finished(*crowded); });
}

void add_uses(StreamState& stream, std::span<const MemoryUse> uses, std::uint64_t position) {
    const StripesLock lock(stripes_of(uses));
    for (const MemoryUse& use : uses)
        if (is_tracked(use))
            use.block->add_use({stream.timeline, position, use.begin, use.end, use.write});
}

void wait_on_host_for_writes(const MemoryUse& range) {
    const MemoryUse read{range.block, range.begin, range.end, false};
    std::vector<Position> waits;
    {
        const OrderingLock lock(*range.block);
        for (const Use& earlier : range.block->uses())
            if (earlier.position != Use::pending && conflicts(earlier, read))
                add_wait(waits, earlier);
    }
    for (const Position& wait : waits) wait.timeline->wait_on_host(wait.position);
}

void track_all(StreamState& stream, std::span<const MemoryUse> uses) {
    stream.device.track_streams();
    for (const MemoryUse& use : uses) use.block->device().track_streams();
}

}  // namespace heald::core
