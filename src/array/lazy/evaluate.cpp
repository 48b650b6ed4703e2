#include "src/array/lazy/evaluate.hpp"

#include "src/array/lazy/launch_group.hpp"
#include "src/array/lazy/pending.hpp"
#include "src/array/lazy/plan.hpp"
#include "src/base/log.hpp"
#include "src/base/settings.hpp"
#include "src/base/text.hpp"

#include <string>

namespace heald::array {
namespace {

thread_local int evaluations = 0;

void settle(Claim& claim, const Group& group, const std::vector<Written>& outputs) {
    for (const Written& output : outputs)
        claim.settle(*output.block, output.data, *group.nodes.front()->stream);
}

/// Bytes of what a fused kernel keeps in registers: beyond this, time to compile it is short
/// beside that of writing and reading them.
constexpr std::size_t most_aside = std::size_t{64} << 20;

bool is_large(const Group& group) {
    std::size_t bytes = 0;
    for (const Node* node : group.nodes) bytes += node->block->size();
    return bytes > most_aside;
}

/// Launches the group's kernel if it is there. If it is not, but those of single operations are,
/// these answer while it is compiled in the background. False: neither is there.
bool launch_or_answer(Claim& claim, const Group& group) {
    const bool alone = group.nodes.size() == 1 || is_large(group);
    if (alone) return false;
    if (const auto fused = launch_group(group, Missing::give_up)) {
        settle(claim, group, *fused);
        return true;
    }
    const std::vector<Group> singles = one_by_one(group);
    const auto first = launch_group(singles.front(), Missing::give_up);
    if (!first) return false;
    (void)launch_group(group, Missing::compile_later);
    settle(claim, singles.front(), *first);
    for (const Group& single : std::span(singles).subspan(1))
        settle(claim, single, *launch_group(single, Missing::compile));
    return true;
}

}  // namespace

Evaluating::Evaluating() noexcept {
    ++evaluations;
}
Evaluating::~Evaluating() {
    --evaluations;
}

Fusion fusion() {
    static const Fusion chosen = [] {
        const std::string value = setting_or(Setting::fusion, "eager");
        if (value == "off") return Fusion::off;
        if (value == "wait") return Fusion::wait;
        if (value != "eager")
            warn(text("HEALD_FUSION is '", value,
                      "': expected eager, wait or off; it is taken as eager"));
        return Fusion::eager;
    }();
    return chosen;
}

void evaluate(std::span<const std::shared_ptr<core::Block>> blocks) {
    const Evaluating scope;
    Claim claim(blocks);
    if (claim.blocks().empty()) return;
    if (claim.blocks().size() == 1) {
        const Node& node = *node_of(*claim.blocks().front());
        if (const auto written = launch_flat(node)) {
            claim.settle(*written->block, written->data, *node.stream);
            return;
        }
    }
    for (const Group& group : plan_groups(claim.blocks(), blocks, fusion() != Fusion::off))
        if (fusion() != Fusion::eager || !launch_or_answer(claim, group))
            settle(claim, group, *launch_group(group, Missing::compile));
}

void evaluate_block(core::Block& block) {
    // A block that is being evaluated here is used by its own launch.
    if (evaluations > 0) return;
    const auto shared = block.shared_from_this();
    evaluate({&shared, 1});
}

void evaluate_readers(core::Block& block) {
    if (evaluations > 0) return;
    const auto readers = pending_readers(block);
    evaluate(readers);
}

}  // namespace heald::array
