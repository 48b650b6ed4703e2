#include "src/array/lazy/plan.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace heald::array {
namespace {

// Of one kernel: more are spread over several.
constexpr std::size_t most_pointers = 40;
constexpr std::size_t most_scalars = 100;
constexpr std::size_t most_nodes = 128;

struct Consumer {
    std::size_t node = 0;
    bool in_place = false;
};

struct Planned {
    const Node* node = nullptr;
    std::vector<Consumer> consumers;
    int level = 0;  ///< kernels that must have run before
    bool written = false;
};

class Planner {
public:
    Planner(std::span<const std::shared_ptr<core::Block>> blocks,
            std::span<const std::shared_ptr<core::Block>> roots)
        : all_(blocks.size()) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            all_[i].node = node_of(*blocks[i]);
            index_.emplace(all_[i].node, i);
        }
        // One reference is that of `blocks`; one each those of the nodes that read it.
        std::vector<long> references(blocks.size(), 1);
        for (std::size_t i = 0; i < blocks.size(); ++i)
            for (const Operand& operand : all_[i].node->operands)
                if (const auto source = find(operand)) {
                    ++references[*source];
                    if (!is_range(*source))
                        all_[*source].consumers.push_back({i, is_in_place(operand, i)});
                }
        for (std::size_t i = 0; i < blocks.size(); ++i)
            all_[i].written = blocks[i].use_count() > references[i];
        for (const auto& root : roots)
            if (root->is_pending())
                if (const auto found = index_.find(node_of(*root)); found != index_.end())
                    all_[found->second].written = true;
    }

    std::vector<Group> one_by_one() const {
        Group all;
        for (const Planned& own : all_) {
            all.nodes.push_back(own.node);
            if (own.written) all.outputs.push_back(own.node);
        }
        return array::one_by_one(all);
    }

    std::vector<Group> fused() {
        set_levels();
        delay();
        for (Planned& own : all_)
            for (const Consumer& consumer : own.consumers)
                own.written |= !consumer.in_place || all_[consumer.node].level != own.level;
        connect();
        return collected();
    }

private:
    bool is_range(std::size_t i) const { return all_[i].node->kind == NodeKind::range; }

    /// The node that an operand waits for. A range is computed where it is read: nobody waits.
    std::optional<std::size_t> pending_source(const Operand& operand) const {
        const auto source = find(operand);
        return source && is_range(*source) ? std::nullopt : source;
    }

    std::optional<std::size_t> find(const Operand& operand) const {
        if (!operand.is_array()) return std::nullopt;
        const core::Block& block = *operand.array.buffer().block();
        if (!block.is_pending()) return std::nullopt;
        const auto found = index_.find(node_of(block));
        if (found == index_.end()) return std::nullopt;
        return found->second;
    }

    bool is_in_place(const Operand& operand, std::size_t consumer) const {
        return all_[consumer].node->stream == node_of(*operand.array.buffer().block())->stream &&
               reads_in_place(operand, all_[consumer].node->iteration);
    }

    void set_levels() {
        for (std::size_t i = 0; i < all_.size(); ++i)
            for (const Operand& operand : all_[i].node->operands)
                if (const auto source = pending_source(operand))
                    all_[i].level =
                        std::max(all_[i].level, all_[*source].level + !is_in_place(operand, i));
    }

    /// What only a later kernel needs is computed there, if it can stay in a register.
    void delay() {
        for (std::size_t i = all_.size(); i-- > 0;) {
            Planned& own = all_[i];
            if (own.written || own.consumers.empty() || own.node->kind == NodeKind::reduction)
                continue;
            int latest = std::numeric_limits<int>::max();
            for (const Consumer& consumer : own.consumers)
                latest =
                    consumer.in_place ? std::min(latest, all_[consumer.node].level) : own.level;
            own.level = std::max(own.level, latest);
        }
    }

    std::size_t root_of(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

    /// Nodes of one level and shape belong together if one reads the other, or both read the same.
    void connect() {
        parent_.resize(all_.size());
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
        std::map<std::pair<const core::Block*, int>, std::vector<std::size_t>> readers;
        for (std::size_t i = 0; i < all_.size(); ++i)
            for (const Operand& operand : all_[i].node->operands) {
                if (!operand.is_array()) continue;
                const auto source = pending_source(operand);
                if (source && is_in_place(operand, i) && all_[*source].level == all_[i].level) {
                    parent_[root_of(*source)] = root_of(i);
                    continue;
                }
                auto& same = readers[{operand.array.buffer().block().get(), all_[i].level}];
                for (const std::size_t other : same)
                    if (can_share(*all_[other].node, *all_[i].node)) {
                        parent_[root_of(other)] = root_of(i);
                        break;
                    }
                same.push_back(i);
            }
    }

    static bool can_share(const Node& a, const Node& b) {
        return a.iteration == b.iteration && a.stream == b.stream && a.axes == b.axes;
    }

    std::vector<Group> collected() {
        std::map<std::pair<int, std::size_t>, std::vector<std::size_t>> members;
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (!is_range(i) || all_[i].written) members[{all_[i].level, root_of(i)}].push_back(i);
        std::vector<Group> groups;
        for (const auto& [key, list] : members) add_group(groups, list);
        return groups;
    }

    /// One kernel, or as many as it takes: operands come before consumers, so the first half can
    /// run first.
    void add_group(std::vector<Group>& groups, std::span<const std::size_t> list) {
        if (list.size() > 1 && !fits(list)) {
            const auto first = list.first(list.size() / 2),
                       second = list.last(list.size() - first.size());
            for (const std::size_t i : first)
                for (const Consumer& consumer : all_[i].consumers)
                    all_[i].written |= std::ranges::find(second, consumer.node) != second.end();
            add_group(groups, first);
            add_group(groups, second);
            return;
        }
        Group group;
        for (const std::size_t i : list) {
            group.nodes.push_back(all_[i].node);
            if (all_[i].written || all_[i].node->kind == NodeKind::reduction)
                group.outputs.push_back(all_[i].node);
        }
        groups.push_back(std::move(group));
    }

    bool fits(std::span<const std::size_t> list) const {
        std::vector<const Operand*> arrays, scalars;
        std::size_t outputs = 0;
        const std::vector<int>* axes = nullptr;
        for (const std::size_t i : list) {
            const Node& node = *all_[i].node;
            for (const Operand& operand : node.operands) {
                const auto source = pending_source(operand);
                if (source && is_in_place(operand, i)) continue;
                auto& known = operand.is_array() ? arrays : scalars;
                const bool is_new = std::ranges::none_of(
                    known, [&](const Operand* other) { return is_same(*other, operand); });
                if (is_new) known.push_back(&operand);
            }
            outputs += all_[i].written;
            if (node.kind != NodeKind::reduction) continue;
            if (axes != nullptr && *axes != node.axes) return false;
            axes = &node.axes;
        }
        return arrays.size() + outputs <= most_pointers && scalars.size() <= most_scalars &&
               list.size() <= most_nodes;
    }

    static bool is_same(const Operand& a, const Operand& b) {
        if (!a.is_array()) return a.dtype == b.dtype && a.value.bytes == b.value.bytes;
        return a.array.buffer().block() == b.array.buffer().block() &&
               a.array.buffer().offset() == b.array.buffer().offset() &&
               a.array.offset() == b.array.offset() && a.array.strides() == b.array.strides();
    }

    std::vector<Planned> all_;
    std::unordered_map<const Node*, std::size_t> index_;
    std::vector<std::size_t> parent_;
};

}  // namespace

std::vector<Group> one_by_one(const Group& group) {
    std::vector<Group> groups;
    for (const Node* node : group.nodes)
        // A range is computed where it is read.
        if (node->kind != NodeKind::range ||
            std::ranges::find(group.outputs, node) != group.outputs.end())
            groups.push_back({{node}, {node}});
    return groups;
}

bool reads_in_place(const Operand& operand, const Shape& iteration) noexcept {
    const Node* source = node_of(*operand.array.buffer().block());
    return source != nullptr && source->kind == NodeKind::elementwise &&
           operand.array.offset() == 0 && operand.array.buffer().offset() == 0 &&
           operand.dtype == source->result && source->shape == iteration &&
           operand.array.shape() == iteration && operand.array.strides() == source->strides;
}

std::vector<Group> plan_groups(std::span<const std::shared_ptr<core::Block>> blocks,
                               std::span<const std::shared_ptr<core::Block>> roots, bool fuse) {
    // The usual case by itself: one node, which somebody wants.
    if (blocks.size() == 1) {
        std::vector<Group> groups(1);
        groups[0].nodes.push_back(node_of(*blocks[0]));
        groups[0].outputs = groups[0].nodes;
        return groups;
    }
    Planner planner(blocks, roots);
    return fuse ? planner.fused() : planner.one_by_one();
}

}  // namespace heald::array
