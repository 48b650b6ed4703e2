#include "src/jit/cpu/parameter_copies.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heald::cpu {
namespace {

/// A pointer that was loaded from `argv`, or a constant distance from one.
bool is_parameter_memory(const llvm::Value* pointer, const llvm::Function& entry) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(pointer->stripInBoundsConstantOffsets());
    return load != nullptr && load->hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
           load->getPointerOperand()->stripInBoundsConstantOffsets() == entry.getArg(0);
}

/// How a private copy is used.
struct Uses {
    llvm::MemCpyInst* fill = nullptr;  // the one write
    llvm::SmallVector<llvm::Instruction*, 4> markers;
    llvm::SmallVector<llvm::LoadInst*, 16> loads;
    llvm::SmallVector<llvm::MemCpyInst*, 4> copies_out;
};

bool collect(llvm::AllocaInst& variable, Uses& uses) {
    llvm::SmallVector<llvm::Value*, 16> pointers{&variable};
    llvm::SmallPtrSet<llvm::Value*, 16> seen;
    while (!pointers.empty()) {
        llvm::Value* pointer = pointers.pop_back_val();
        if (!seen.insert(pointer).second) continue;
        for (llvm::Use& use : pointer->uses()) {
            auto* user = llvm::cast<llvm::Instruction>(use.getUser());
            if (llvm::isa<llvm::GetElementPtrInst>(user)) {
                pointers.push_back(user);
            } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
                if (load->isVolatile() || load->isAtomic()) return false;
                uses.loads.push_back(load);
            } else if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(user)) {
                if (copy->isVolatile()) return false;
                if (use.getOperandNo() == 1) {
                    uses.copies_out.push_back(copy);
                } else if (pointer == &variable && uses.fill == nullptr) {
                    uses.fill = copy;
                } else {
                    return false;
                }
            } else if (auto* marker = llvm::dyn_cast<llvm::IntrinsicInst>(user);
                       marker != nullptr && marker->isLifetimeStartOrEnd()) {
                uses.markers.push_back(marker);
            } else {
                return false;
            }
        }
    }
    return uses.fill != nullptr;
}

bool remove_copy(llvm::AllocaInst& variable, llvm::Function& entry,
                 const llvm::DominatorTree& dominators) {
    Uses uses;
    if (!collect(variable, uses)) return false;
    if (!is_parameter_memory(uses.fill->getSource(), entry)) return false;
    const auto after_fill = [&](const llvm::Instruction* reader) {
        return dominators.dominates(uses.fill, reader);
    };
    if (!std::all_of(uses.loads.begin(), uses.loads.end(), after_fill) ||
        !std::all_of(uses.copies_out.begin(), uses.copies_out.end(), after_fill)) {
        return false;
    }
    // The pointer must be known where addresses in the copy are computed.
    llvm::Value* source = uses.fill->getSource();
    const auto* definition = llvm::dyn_cast<llvm::Instruction>(source);
    for (const llvm::User* user : variable.users()) {
        const auto* instruction = llvm::cast<llvm::Instruction>(user);
        if (definition != nullptr && llvm::isa<llvm::GetElementPtrInst>(instruction) &&
            !dominators.dominates(definition, instruction)) {
            return false;
        }
    }
    const llvm::Align alignment = uses.fill->getSourceAlign().valueOrOne();
    for (llvm::LoadInst* load : uses.loads) {
        load->setAlignment(std::min(load->getAlign(), alignment));
    }
    for (llvm::MemCpyInst* copy : uses.copies_out) {
        copy->setSourceAlignment(std::min(copy->getSourceAlign().valueOrOne(), alignment));
    }
    for (llvm::Instruction* marker : uses.markers) marker->eraseFromParent();
    uses.fill->eraseFromParent();
    variable.replaceAllUsesWith(source);
    variable.eraseFromParent();
    return true;
}

}  // namespace

bool remove_parameter_copies(llvm::Function& entry) {
    llvm::SmallVector<llvm::AllocaInst*, 8> variables;
    for (llvm::Instruction& instruction : llvm::instructions(entry)) {
        if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
            variables.push_back(variable);
        }
    }
    bool changed = false;
    for (llvm::AllocaInst* variable : variables) {
        const llvm::DominatorTree dominators(entry);
        changed |= remove_copy(*variable, entry, dominators);
    }
    return changed;
}

}  // namespace heald::cpu
