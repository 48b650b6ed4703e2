#include "src/core/block.hpp"

#include "src/base/check.hpp"
#include "src/core/deferred.hpp"
#include "src/core/ordering.hpp"

#include <algorithm>

namespace heald::core {

HEALD_API LazyEvaluation lazy_evaluation;

namespace {

constexpr std::size_t most_uses_of_a_stream = 8;
constexpr std::size_t many_uses = 32;

bool covers(const Use& outer, const Use& inner) {
    return outer.begin <= inner.begin && outer.end >= inner.end;
}

/// Gives memory back when it is dropped.
class LateRelease {
public:
    LateRelease(DeviceState& device, void* data, std::size_t size, MemoryKind kind,
                std::shared_ptr<QueueImpl> queue)
        : device_(device), data_(data), size_(size), kind_(kind), queue_(std::move(queue)) {}
    ~LateRelease() {
        if (device_.usable()) device_.memory().release(data_, size_, kind_, *queue_);
    }
    LateRelease(const LateRelease&) = delete;
    LateRelease& operator=(const LateRelease&) = delete;

private:
    DeviceState& device_;
    void* data_;
    std::size_t size_;
    MemoryKind kind_;
    std::shared_ptr<QueueImpl> queue_;
};

/// One hull in place of the uses of a timeline with that access.
void merge_uses(std::vector<Use>& uses, const Timeline* timeline, bool write) {
    Use* first = nullptr;
    std::erase_if(uses, [&](Use& use) {
        if (use.timeline.get() != timeline || use.write != write || use.position == Use::pending)
            return false;
        if (first == nullptr) {
            first = &use;
            return false;
        }
        first->begin = std::min(first->begin, use.begin);
        first->end = std::max(first->end, use.end);
        first->position = std::max(first->position, use.position);
        return true;
    });
}

}  // namespace

std::shared_ptr<Block> Block::allocate(std::size_t bytes, StreamState& stream, MemoryKind kind) {
    DeviceState& device = stream.device;
    std::uint64_t position = stream.timeline->enqueued();
    void* data = nullptr;
    if (bytes != 0) {
        (void)device.backend();  // refuses after a fork
        data = device.memory().allocate(bytes, kind, *stream.queue);
    }
    auto block = std::make_shared<Block>(device, kind, data, bytes, stream.timeline, nullptr);
    if (bytes != 0 && device.several_streams() && !stream.timeline->known_complete(position))
        block->uses_.push_back({stream.timeline, position, 0, bytes, true});
    return block;
}

std::shared_ptr<Block> Block::defer(std::size_t bytes, DeviceState& device,
                                    std::unique_ptr<PendingContents> contents) {
    auto block =
        std::make_shared<Block>(device, MemoryKind::device, nullptr, bytes, nullptr, nullptr);
    block->contents_ = std::move(contents);
    block->lazy_.store(pending_bit, std::memory_order_relaxed);
    return block;
}

std::unique_ptr<PendingContents> Block::settle(void* data, StreamState& stream) noexcept {
    data_ = data;
    home_ = stream.timeline;
    auto contents = std::move(contents_);
    lazy_.fetch_and(~pending_bit, std::memory_order_acq_rel);
    return contents;
}

std::shared_ptr<Block> Block::wrap(void* data, std::size_t bytes, DeviceState& device,
                                   std::shared_ptr<void> owner, MemoryKind kind) {
    auto block = std::make_shared<Block>(device, kind, data, bytes, nullptr, std::move(owner));
    block->set_escaped();
    return block;
}

Block::Block(DeviceState& device, MemoryKind kind, void* data, std::size_t size,
             std::shared_ptr<Timeline> home, std::shared_ptr<void> owner)
    : device_(device),
      kind_(kind),
      untracked_start_(!device.several_streams()),
      escaped_(false),
      data_(data),
      size_(size),
      home_(std::move(home)),
      owner_(std::move(owner)) {}

Block::~Block() {
    if (data_ == nullptr && owner_ == nullptr) return;
    if (!device_.usable()) {
        // After a fork or at exit: leak rather than call a library that may be gone.
        (void)std::make_unique<std::shared_ptr<void>>(std::move(owner_)).release();
        return;
    }
    without_throwing("Buffer.close",
                     [this] { wrapped() ? release_wrapped() : release_allocated(); });
}

void Block::release_allocated() {
    Timeline* timeline = home_.get();
    std::shared_ptr<QueueImpl> queue = home_->queue();
    if (queue == nullptr) {  // the stream was closed: the default stream does it
        const auto& standard = device_.default_stream();
        timeline = standard->timeline.get();
        queue = standard->queue;
    }
    if (device_.several_streams()) {
        std::vector<Use> uses;
        {
            const OrderingLock lock(*this);
            uses = std::move(this->uses());
        }
        try {
            for (const Use& use : uses) wait_for(*timeline, *queue, *use.timeline, use.position);
        } catch (...) {
            // Within a host function a device takes no work: later, once all uses are over.
            std::vector<Position> waits;
            for (const Use& use : uses) waits.push_back({use.timeline, use.position});
            keep_until(std::move(waits), std::make_shared<LateRelease>(device_, data_, size_, kind_,
                                                                       std::move(queue)));
            return;
        }
    }
    device_.memory().release(data_, size_, kind_, *queue);
}

void Block::release_wrapped() {
    if (owner_ == nullptr) return;
    std::vector<Position> waits;
    {
        const OrderingLock lock(*this);
        for (const Use& use : uses())
            if (!use.timeline->known_complete(use.position))
                waits.push_back({use.timeline, use.position});
    }
    if (untracked_start_ && !device_.several_streams()) {
        const auto& standard = device_.default_stream();
        waits.push_back({standard->timeline, standard->timeline->enqueued()});
    }
    std::erase_if(waits,
                  [](const Position& wait) { return wait.timeline->is_complete(wait.position); });
    if (!waits.empty()) keep_until(std::move(waits), std::move(owner_));
}

std::vector<Use>& Block::uses() {
    if (untracked_start_ && device_.several_streams()) {
        untracked_start_ = false;
        const auto& timeline = device_.default_stream()->timeline;
        const std::uint64_t position = device_.untracked_position();
        if (!timeline->known_complete(position))
            uses_.push_back({timeline, position, 0, size_, true});
    }
    usual_.take([this](Use use) { insert(std::move(use)); });
    return uses_;
}

void Block::add_use(Use use) {
    (void)uses();
    insert(std::move(use));
}

void Block::expect_again(const Use& use) {
    const auto own = [&](const Use& other) { return other.timeline == use.timeline; };
    if (usual_.is_free() && std::all_of(uses_.begin(), uses_.end(), own)) usual_.give(use);
}

void Block::insert(Use use) {
    std::size_t same_stream = 0;
    std::erase_if(uses_, [&](const Use& other) {
        if (other.position == Use::pending) return false;
        const bool same = other.timeline == use.timeline;
        if (covers(use, other) && (use.write || (same && !other.write))) return true;
        same_stream += same;
        return false;
    });
    const Timeline* timeline = use.timeline.get();
    uses_.push_back(std::move(use));
    if (same_stream >= most_uses_of_a_stream) {
        merge_uses(uses_, timeline, false);
        merge_uses(uses_, timeline, true);
    }
}

bool Block::forget_complete() {
    if (uses_.size() < many_uses) return false;
    std::erase_if(uses_, [](const Use& use) {
        return use.position != Use::pending && use.timeline->known_complete(use.position);
    });
    return uses_.size() >= many_uses;
}

}  // namespace heald::core
