#include "src/array/lazy/pending.hpp"

#include "src/array/lazy/evaluate.hpp"
#include "src/array/shape.hpp"
#include "src/base/fork.hpp"

#include <chrono>
#include <thread>
#include <unordered_set>
#include <utility>

namespace heald::array {
namespace {

// Pending nodes are few (bounds of record()), and recording is far shorter than any operation: one
// list serves all devices.
struct PendingList {
    ForkMutex mutex;
    Node* first = nullptr;
    std::size_t count = 0;

    void add(Node& node) noexcept {
        node.next = first;
        node.previous = nullptr;
        if (first != nullptr) first->previous = &node;
        first = &node;
        ++count;
    }
    void remove(Node& node) noexcept {
        if (node.previous == nullptr && node.next == nullptr && first != &node) return;
        (node.previous != nullptr ? node.previous->next : first) = node.next;
        if (node.next != nullptr) node.next->previous = node.previous;
        node.previous = node.next = nullptr;
        --count;
    }
};

PendingList& pending_list() {
    static PendingList& list = *std::make_unique<PendingList>().release();
    return list;
}

/// Number of the newest claim; under the list's lock.
std::uint64_t last_claim = 0;

constexpr std::size_t most_pending = 120;  // about what a kernel takes (plan.cpp)

bool is_claimed(const Node& node) noexcept {
    return node.claim != 0 && node.claim_generation == fork_generation();
}

template <class Wanted>
std::vector<std::shared_ptr<core::Block>> blocks_where(const Wanted& wanted) {
    std::vector<std::shared_ptr<core::Block>> found;
    PendingList& list = pending_list();
    const std::lock_guard lock(list.mutex);
    for (Node* node = list.first; node != nullptr; node = node->next)
        if (wanted(*node))
            if (auto block = node->block->weak_from_this().lock())
                found.push_back(std::move(block));
    return found;
}

}  // namespace

Node::~Node() {
    if (block == nullptr) return;  // it was never recorded
    {
        PendingList& list = pending_list();
        const std::lock_guard lock(list.mutex);
        list.remove(*this);
    }
    for (const Operand& operand : operands)
        if (operand.is_array()) operand.array.buffer().block()->remove_reader();
}

Array record(std::unique_ptr<Node> node) {
    static const bool hooked = [] {
        core::lazy_evaluation = {evaluate_block, evaluate_readers};
        return true;
    }();
    (void)hooked;
    Node& own = *node;
    std::int64_t size = 1;
    for (const std::int64_t extent : own.shape) size *= extent;
    const bool elsewhere = own.destination.buffer().block() != nullptr;
    const std::size_t bytes = elsewhere ? 0 : static_cast<std::size_t>(size) * size_of(own.result);
    bool at_once = false;
    bool crowded = false;
    auto block = core::Block::defer(bytes, own.stream->device, std::move(node));
    own.block = block.get();
    for (const Operand& operand : own.operands) {
        if (!operand.is_array()) continue;
        core::Block& source = *operand.array.buffer().block();
        source.add_reader();
        at_once |= source.escaped();
    }
    {
        PendingList& list = pending_list();
        const std::lock_guard lock(list.mutex);
        list.add(own);
        crowded = list.count > most_pending;
    }
    Array result = elsewhere ? Array(Buffer(block), {0}, own.result)
                             : Array(Buffer(block), own.shape, own.result, own.strides);
    if (crowded)
        evaluate(pending_blocks());
    else if (at_once)
        evaluate({&block, 1});
    return result;
}

// Nobody waits for others while holding claims, so waits cannot be circular: either everything that
// is needed is claimed at once, or nothing is, and the wait is for claims that end by themselves.
Claim::Claim(std::span<const std::shared_ptr<core::Block>> roots) {
    for (;;) {
        {
            const std::lock_guard lock(pending_list().mutex);
            number_ = ++last_claim;
            for (const auto& root : roots) collect(root);
            if (others_.empty()) return;
            release();
        }
        blocks_.clear();
        for (const Other& other : others_) other.wait();
        others_.clear();
    }
}

void Claim::Other::wait() const {
    const auto is_over = [this] {
        const std::lock_guard lock(pending_list().mutex);
        return !block->is_pending() || !is_claimed(*node_of(*block)) ||
               node_of(*block)->claim != number;
    };
    for (int attempt = 0; block->is_pending() && !is_over(); ++attempt)
        if (attempt < 64)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(50));
}

/// Under the list's lock.
void Claim::release() noexcept {
    for (const auto& block : blocks_) {
        if (!block->is_pending()) continue;
        auto& node = static_cast<Node&>(*block->contents());
        if (node.claim == number_) node.claim = 0;
    }
}

// Depth first without recursion: chains may be long.
void Claim::collect(const std::shared_ptr<core::Block>& root) {
    std::vector<std::pair<std::shared_ptr<core::Block>, std::size_t>> stack;
    const auto enter = [&](const std::shared_ptr<core::Block>& block) {
        if (!block->is_pending()) return;
        auto& node = static_cast<Node&>(*block->contents());
        if (is_claimed(node)) {
            if (node.claim != number_) others_.push_back({block, node.claim});
            return;
        }
        node.claim = number_;
        node.claim_generation = fork_generation();
        stack.emplace_back(block, 0);
    };
    enter(root);
    while (!stack.empty()) {
        const auto& operands = node_of(*stack.back().first)->operands;
        std::size_t& at = stack.back().second;
        if (at == operands.size()) {
            blocks_.push_back(std::move(stack.back().first));
            stack.pop_back();
            continue;
        }
        const Operand& operand = operands[at++];
        if (operand.is_array()) enter(operand.array.buffer().block());
    }
}

void Claim::settle(core::Block& block, void* data, core::StreamState& stream) {
    const std::lock_guard lock(pending_list().mutex);
    auto& node = static_cast<Node&>(*block.contents());
    pending_list().remove(node);
    finished_.push_back(block.settle(data, stream));
}

Claim::~Claim() {
    const std::lock_guard lock(pending_list().mutex);
    release();
}

std::vector<std::shared_ptr<core::Block>> pending_blocks() {
    return blocks_where([](const Node& node) { return !node.block->has_readers(); });
}

std::vector<std::shared_ptr<core::Block>> pending_readers(const core::Block& block) {
    return blocks_where([&](const Node& node) {
        for (const Operand& operand : node.operands)
            if (operand.is_array() && operand.array.buffer().block().get() == &block) return true;
        return false;
    });
}

std::vector<const core::Block*> pending_needs(const std::shared_ptr<core::Block>& root) {
    std::vector<const core::Block*> found;
    const std::lock_guard lock(pending_list().mutex);
    std::vector<const core::Block*> open{root.get()};
    std::unordered_set<const core::Block*> seen;
    while (!open.empty()) {
        const core::Block* block = open.back();
        open.pop_back();
        if (!block->is_pending() || !seen.insert(block).second) continue;
        found.push_back(block);
        for (const Operand& operand : node_of(*block)->operands)
            if (operand.is_array()) open.push_back(operand.array.buffer().block().get());
    }
    return found;
}

}  // namespace heald::array
