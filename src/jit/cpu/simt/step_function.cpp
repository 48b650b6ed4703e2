#include "src/jit/cpu/simt/step_function.hpp"

#include "src/jit/cpu/simt/live_values.hpp"
#include "src/jit/cpu/simt/suspend.hpp"
#include "src/jit/cpu/simt/warp_frame.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <optional>
#include <vector>

namespace heald::cpu::simt {
namespace {

// A place where the warp stops: `before` ends with the marker, `resume` goes on after it.
struct Stop {
    llvm::BasicBlock* before;
    llvm::BasicBlock* resume;
};

struct Reload {
    llvm::BasicBlock* block;
    llvm::Value* value;
};

class StepBuilder {
public:
    explicit StepBuilder(llvm::Function& warp)
        : warp_(warp), module_(*warp.getParent()), builder_(warp.getContext()) {}

    StepFunction build() {
        split_at_markers();
        std::vector<llvm::BasicBlock*> resumes;
        for (const Stop& stop : stops_) resumes.push_back(stop.resume);
        live_ = live_at_start(warp_, resumes);
        take_body();
        lay_out_frame();
        for (unsigned i = 0; i < stops_.size(); ++i) suspend_and_resume(i);
        end_returns();
        for (llvm::Instruction* value : order_) repair(*value, reloads_[value]);
        result_.frame_bytes = frame_->size();
        warp_.deleteBody();
        return result_;
    }

private:
    void split_at_markers() {
        for (const SuspendPoint& point : suspend_points(warp_)) {
            (point.kind == SuspendKind::barrier ? result_.barriers : result_.yields) += 1;
            llvm::Instruction* next = point.marker->getNextNode();
            llvm::BasicBlock* resume = llvm::SplitBlock(point.marker->getParent(), next);
            stops_.push_back({nullptr, resume});
            point.marker->eraseFromParent();
        }
        for (Stop& stop : stops_) stop.before = stop.resume->getUniquePredecessor();
    }

    // The step function gets the warp's blocks behind an entry that switches on the state.
    void take_body() {
        std::vector<llvm::Type*> parameters;
        for (const llvm::Argument& argument : warp_.args()) {
            parameters.push_back(argument.getType());
        }
        parameters.push_back(builder_.getPtrTy());
        parameters.push_back(builder_.getInt32Ty());
        auto* type = llvm::FunctionType::get(builder_.getInt32Ty(), parameters, false);
        step_ = llvm::Function::Create(type, llvm::Function::InternalLinkage,
                                       warp_.getName() + ".step", module_);
        step_->copyAttributesFrom(&warp_);
        step_->removeFnAttr(llvm::Attribute::AlwaysInline);
        step_->splice(step_->begin(), &warp_);
        for (unsigned i = 0; i < warp_.arg_size(); ++i) {
            warp_.getArg(i)->replaceAllUsesWith(step_->getArg(i));
        }
        llvm::BasicBlock* start = &step_->getEntryBlock();
        auto* entry = llvm::BasicBlock::Create(warp_.getContext(), "step", step_, start);
        builder_.SetInsertPoint(entry);
        const unsigned arguments = static_cast<unsigned>(warp_.arg_size());
        switch_ = builder_.CreateSwitch(step_->getArg(arguments + 1), start,
                                        static_cast<unsigned>(stops_.size()));
        for (unsigned i = 0; i < stops_.size(); ++i) {
            switch_->addCase(builder_.getInt32(i + 1), stops_[i].resume);
        }
        frame_.emplace(module_.getDataLayout(), step_->getArg(arguments));
        result_.function = step_;
        move_variables(*start);
    }

    bool is_live_somewhere(llvm::Instruction* value) {
        for (auto& [block, values] : live_) {
            if (values.contains(value)) return true;
        }
        return false;
    }

    // Variables that outlive a stop move into the frame; so do those whose address is kept
    // somewhere, because it may be used after the stop.
    void move_variables(llvm::BasicBlock& start) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(start)) {
            auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
            if (!variable) continue;
            if (!is_live_somewhere(variable) &&
                !llvm::PointerMayBeCaptured(variable, false, true)) {
                variable->moveBefore(switch_);
                continue;
            }
            frame_->reserve(variable, variable->getAllocatedType(), variable->getAlign());
            builder_.SetInsertPoint(switch_);
            llvm::Value* address = frame_->address_of(builder_, variable);
            for (auto& [block, values] : live_) values.remove(variable);
            variable->replaceAllUsesWith(address);
            variable->eraseFromParent();
        }
    }

    void lay_out_frame() {
        for (const Stop& stop : stops_) {
            for (llvm::Instruction* value : live_[stop.resume]) {
                if (frame_->holds(value) || is_rematerialisable(value)) continue;
                frame_->reserve(value, value->getType());
            }
        }
    }

    void suspend_and_resume(unsigned index) {
        const Stop& stop = stops_[index];
        llvm::Instruction* terminator = stop.before->getTerminator();
        builder_.SetInsertPoint(terminator);
        for (llvm::Instruction* value : live_[stop.resume]) {
            if (frame_->holds(value)) frame_->store(builder_, value);
        }
        builder_.CreateRet(builder_.getInt32(index + 1));
        terminator->eraseFromParent();

        builder_.SetInsertPoint(&*stop.resume->getFirstInsertionPt());
        llvm::DenseMap<llvm::Value*, llvm::Value*> again;
        for (llvm::Instruction* value : live_[stop.resume]) {
            llvm::Value* restored =
                frame_->holds(value) ? frame_->load(builder_, value) : rematerialise(value, again);
            if (!reloads_.contains(value)) order_.push_back(value);
            reloads_[value].push_back({stop.resume, restored});
        }
    }

    llvm::Value* rematerialise(llvm::Value* value,
                               llvm::DenseMap<llvm::Value*, llvm::Value*>& again) {
        auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
        if (!instruction || instruction->getParent() == &step_->getEntryBlock()) return value;
        if (llvm::Value* known = again.lookup(value)) return known;
        llvm::Instruction* copy = instruction->clone();
        for (unsigned i = 0; i < copy->getNumOperands(); ++i) {
            copy->setOperand(i, rematerialise(copy->getOperand(i), again));
        }
        builder_.Insert(copy);
        again[value] = copy;
        return copy;
    }

    void end_returns() {
        for (llvm::BasicBlock& block : *step_) {
            auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
            if (!end || end->getReturnValue()) continue;
            builder_.SetInsertPoint(end);
            builder_.CreateRet(builder_.getInt32(result_.done()));
            end->eraseFromParent();
        }
    }

    // Every use gets the definition or the reload that reaches it.
    void repair(llvm::Instruction& value, const std::vector<Reload>& reloads) {
        llvm::SSAUpdater updater;
        updater.Initialize(value.getType(), value.getName());
        updater.AddAvailableValue(value.getParent(), &value);
        llvm::SmallPtrSet<const llvm::Value*, 8> own;
        for (const Reload& reload : reloads) {
            updater.AddAvailableValue(reload.block, reload.value);
            own.insert(reload.value);
        }
        llvm::SmallVector<llvm::Use*, 16> uses;
        for (llvm::Use& use : value.uses()) uses.push_back(&use);
        for (llvm::Use* use : uses) {
            auto* user = llvm::cast<llvm::Instruction>(use->getUser());
            if (own.contains(user)) continue;
            auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
            llvm::BasicBlock* at = phi ? phi->getIncomingBlock(*use) : user->getParent();
            if (at == value.getParent()) continue;
            llvm::Value* here = nullptr;
            for (const Reload& reload : reloads) {
                if (reload.block == at) here = reload.value;
            }
            if (here) {
                use->set(here);
            } else {
                updater.RewriteUse(*use);
            }
        }
    }

    llvm::Function& warp_;
    llvm::Module& module_;
    llvm::IRBuilder<> builder_;
    llvm::Function* step_ = nullptr;
    llvm::SwitchInst* switch_ = nullptr;
    std::optional<WarpFrame> frame_;
    std::vector<Stop> stops_;
    llvm::DenseMap<const llvm::BasicBlock*, LiveValues> live_;
    std::vector<llvm::Instruction*> order_;
    llvm::DenseMap<llvm::Instruction*, std::vector<Reload>> reloads_;
    StepFunction result_;
};

}  // namespace

StepFunction make_step_function(llvm::Function& warp) {
    return StepBuilder(warp).build();
}

}  // namespace heald::cpu::simt
