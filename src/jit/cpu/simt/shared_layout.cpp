#include "src/jit/cpu/simt/shared_layout.hpp"

#include "src/jit/cpu/simt/simt.hpp"
#include "src/jit/cpu/simt/special_calls.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <string>

namespace heald::cpu::simt {
namespace {

constexpr std::size_t variable_alignment = 16;
constexpr std::size_t dynamic_alignment = 64;
/// Attribute of a global: the offset that lower_out_of_line gave it.
constexpr const char* offset_attribute = "heald-shared-offset";

std::size_t alignment_of(const llvm::GlobalVariable& variable) {
    return std::max<std::size_t>(variable_alignment, variable.getAlign().valueOrOne().value());
}

std::size_t size_of(const llvm::GlobalVariable& variable) {
    const llvm::DataLayout& layout = variable.getParent()->getDataLayout();
    return layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
}

bool mentions_shared(const llvm::Constant* constant) {
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
        return is_shared(*variable);
    }
    return std::any_of(constant->op_begin(), constant->op_end(), [](const llvm::Use& operand) {
        const auto* part = llvm::dyn_cast<llvm::Constant>(operand);
        return part && !llvm::isa<llvm::GlobalValue>(part) ? mentions_shared(part)
               : llvm::isa<llvm::GlobalVariable>(operand)  ? mentions_shared(part)
                                                           : false;
    });
}

bool expand_operand(llvm::Instruction& user, llvm::Use& operand) {
    auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(operand);
    if (!expression || !mentions_shared(expression)) return false;
    llvm::Instruction* place = &user;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&user)) {
        place = phi->getIncomingBlock(operand)->getTerminator();
    }
    llvm::Instruction* instruction = expression->getAsInstruction();
    instruction->insertBefore(place);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&user)) {
        phi->setIncomingValueForBlock(place->getParent(), instruction);
    } else {
        operand.set(instruction);
    }
    return true;
}

bool is_used_in(const llvm::GlobalVariable& variable, const llvm::Function& function) {
    return std::any_of(variable.user_begin(), variable.user_end(), [&](const llvm::User* user) {
        const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
        return instruction && instruction->getFunction() == &function;
    });
}

bool calls_out_of_line(const llvm::Function& entry) {
    for (const llvm::Instruction& instruction : llvm::instructions(entry)) {
        if (special_call(instruction).kind == SpecialCall::Kind::lane_context) return true;
    }
    return false;
}

}  // namespace

bool is_shared(const llvm::GlobalVariable& variable) {
    return variable.getSection() == shared_section;
}

bool points_to_shared(const llvm::Value* pointer) {
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer));
    return variable && is_shared(*variable);
}

void expand_shared_constants(llvm::Function& function) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (llvm::BasicBlock& block : function) {
            for (llvm::Instruction& user : block) {
                for (llvm::Use& operand : user.operands()) changed |= expand_operand(user, operand);
            }
        }
    }
}

SharedLayout::SharedLayout(const llvm::Function& entry) {
    const llvm::Module& module = *entry.getParent();
    const bool out_of_line = calls_out_of_line(entry);
    for (const llvm::GlobalVariable& variable : module.globals()) {
        if (!is_shared(variable) || !has_out_of_line_offset(variable)) continue;
        offsets_[&variable] = out_of_line_offset(variable);
        if (!out_of_line && !is_used_in(variable, entry)) continue;
        static_bytes_ = std::max(static_bytes_, out_of_line_offset(variable) + size_of(variable));
    }
    for (const llvm::GlobalVariable& variable : module.globals()) {
        if (is_shared(variable) && !variable.isDeclaration() && !offsets_.contains(&variable) &&
            is_used_in(variable, entry)) {
            place(variable);
        }
    }
    static_bytes_ = llvm::alignTo(static_bytes_, dynamic_alignment);
    for (const llvm::GlobalVariable& variable : module.globals()) {
        if (!is_shared(variable) || !variable.isDeclaration()) continue;
        offsets_[&variable] = static_bytes_;
        has_dynamic_ |= is_used_in(variable, entry);
    }
}

void SharedLayout::place(const llvm::GlobalVariable& variable) {
    static_bytes_ = llvm::alignTo(static_bytes_, alignment_of(variable));
    offsets_[&variable] = static_bytes_;
    static_bytes_ += size_of(variable);
}

bool has_out_of_line_offset(const llvm::GlobalVariable& variable) {
    return variable.hasAttribute(offset_attribute);
}

std::size_t set_out_of_line_offset(llvm::GlobalVariable& variable, std::size_t least) {
    const std::size_t offset = llvm::alignTo(least, alignment_of(variable));
    variable.addAttribute(offset_attribute, std::to_string(offset));
    return offset + size_of(variable);
}

std::size_t out_of_line_offset(const llvm::GlobalVariable& variable) {
    std::size_t offset = 0;
    variable.getAttribute(offset_attribute).getValueAsString().getAsInteger(10, offset);
    return offset;
}

}  // namespace heald::cpu::simt
