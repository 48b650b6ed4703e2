#include "src/array/lazy/evaluate.hpp"

#include "src/array/lazy/launch_group.hpp"
#include "src/array/lazy/pending.hpp"
#include "src/array/lazy/plan.hpp"

namespace heald::array {
namespace {

/// While a thread enqueues pending work, its own launches are not held up by what is pending.
thread_local int evaluations = 0;

class Evaluating {
public:
    Evaluating() { ++evaluations; }
    ~Evaluating() { --evaluations; }
    Evaluating(const Evaluating&) = delete;
    Evaluating& operator=(const Evaluating&) = delete;
};

}  // namespace

void evaluate(std::span<const std::shared_ptr<core::Block>> blocks) {
    const Evaluating scope;
    Claim claim(blocks);
    claim.wait_for_others();
    if (claim.blocks().empty()) return;
    for (const Group& group : plan_groups(claim.blocks(), blocks, true))
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
