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

}  // namespace

Evaluating::Evaluating() noexcept {
    ++evaluations;
}
Evaluating::~Evaluating() {
    --evaluations;
}

bool fusion_wanted() {
    static const bool wanted = [] {
        const std::string value = setting_or(Setting::fusion, "wait");
        if (value != "off" && value != "wait")
            warn(text("HEALD_FUSION is '", value, "': expected wait or off; it is taken as wait"));
        return value != "off";
    }();
    return wanted;
}

void evaluate(std::span<const std::shared_ptr<core::Block>> blocks) {
    const Evaluating scope;
    Claim claim(blocks);
    if (claim.blocks().empty()) return;
    for (const Group& group : plan_groups(claim.blocks(), blocks, fusion_wanted()))
        for (const Written& output : launch_group(group))
            claim.settle(*output.block, output.data, *group.nodes.front()->stream);
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
