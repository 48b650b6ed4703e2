// Functions that stay out of line: scalar code that gets a LaneContext from its caller.

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/jit/cpu/simt/lane_context.hpp"
#include "src/jit/cpu/simt/loop_facts.hpp"
#include "src/jit/cpu/simt/scalar_body.hpp"
#include "src/jit/cpu/simt/shared_layout.hpp"
#include "src/jit/cpu/simt/simt.hpp"
#include "src/jit/cpu/simt/unsupported.hpp"
#include "src/jit/cpu/simt/warp_function.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cstddef>

namespace heald::cpu::simt {
namespace {

/// On functions and calls that have the lane parameter already.
constexpr const char* lane_attribute = "heald-lane";

void check_is_scalar(const llvm::Function& function) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        const SpecialCall call = special_call(instruction);
        const bool is_barrier = call.kind == SpecialCall::Kind::barrier;
        if (!is_barrier && !call.is_warp_operation()) continue;
        unsupported(instruction,
                    std::string(is_barrier ? "a barrier (__syncthreads)" : "a warp operation") +
                        " in a function that cannot be inlined (recursive, or called through a "
                        "pointer) is not supported on the CPU");
    }
}

llvm::LoadInst* load_member(llvm::IRBuilder<>& builder, llvm::Value* lane, llvm::Type* type,
                            std::size_t offset) {
    return builder.CreateLoad(type, lane_context_member(builder, lane, offset));
}

llvm::Value* load_block_context(llvm::IRBuilder<>& builder, llvm::Value* lane) {
    return load_member(builder, lane, builder.getPtrTy(), offsetof(LaneContext, context));
}

llvm::Value* special_value(llvm::IRBuilder<>& builder, llvm::Value* lane, const SpecialCall& call) {
    using Kind = SpecialCall::Kind;
    const std::size_t axis = call.axis * sizeof(std::uint32_t);
    llvm::Type* index = builder.getInt32Ty();
    const auto linear = [&] {
        return load_member(builder, lane, index, offsetof(LaneContext, linear_thread));
    };
    switch (call.kind) {
        case Kind::thread_index:
            return load_member(builder, lane, index, offsetof(LaneContext, thread) + axis);
        case Kind::block_index:
            return load_member(builder, lane, index, offsetof(LaneContext, block) + axis);
        case Kind::block_dim:
            return load_block_dim(builder, load_block_context(builder, lane), call.axis);
        case Kind::grid_dim:
            return load_grid_dim(builder, load_block_context(builder, lane), call.axis);
        case Kind::lane:
            return builder.CreateAnd(linear(), 31);
        case Kind::warp:
            return builder.CreateLShr(linear(), 5);
        case Kind::dynamic_shared_bytes:
            return load_dynamic_shared_bytes(builder, load_block_context(builder, lane));
        case Kind::lane_context:
            return lane;
        default:
            return nullptr;
    }
}

llvm::Value* shared_address(llvm::IRBuilder<>& builder, llvm::Value* lane,
                            const llvm::GlobalVariable& variable) {
    llvm::Type* pointer = builder.getPtrTy();
    if (variable.isDeclaration()) {
        return load_member(builder, lane, pointer, offsetof(LaneContext, dynamic_shared));
    }
    llvm::Value* base = load_member(builder, lane, pointer, offsetof(LaneContext, shared));
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base,
                                              out_of_line_offset(variable));
}

void give_scalar_body(llvm::Function& function) {
    {
        llvm::DominatorTree dominators(function);
        llvm::LoopInfo loops(dominators);
        if (LoopFacts(function, dominators, loops).any_yield()) {
            unsupported(function,
                        "a loop that waits for other threads, in a function that cannot be "
                        "inlined (recursive, or called through a pointer), is not supported on "
                        "the CPU");
        }
    }
    llvm::Value* lane = function.getArg(0);
    instrument_back_edges(function, false, [&](llvm::IRBuilder<>& builder) {
        return load_block_context(builder, lane);
    });
    ScalarSources sources;
    sources.special = [&](llvm::IRBuilder<>& builder, const SpecialCall& call, llvm::Instruction&) {
        return special_value(builder, lane, call);
    };
    sources.shared_address = [&](llvm::IRBuilder<>& builder, const llvm::GlobalVariable& variable) {
        return shared_address(builder, lane, variable);
    };
    replace_special_values(function, sources);
}

llvm::FunctionType* with_lane_parameter(llvm::FunctionType* type) {
    llvm::SmallVector<llvm::Type*, 8> parameters{llvm::PointerType::getUnqual(type->getContext())};
    parameters.append(type->param_begin(), type->param_end());
    return llvm::FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
}

// The code reads the LaneContext and polls, whatever the original touched.
llvm::AttributeSet forget_effects(llvm::LLVMContext& context, llvm::AttributeSet attributes) {
    for (llvm::Attribute::AttrKind kind :
         {llvm::Attribute::Memory, llvm::Attribute::Speculatable, llvm::Attribute::WillReturn}) {
        attributes = attributes.removeAttribute(context, kind);
    }
    return attributes;
}

llvm::AttributeList with_lane_parameter(llvm::LLVMContext& context,
                                        const llvm::AttributeList& attributes, unsigned count) {
    llvm::SmallVector<llvm::AttributeSet, 8> parameters{llvm::AttributeSet()};
    for (unsigned i = 0; i < count; ++i) parameters.push_back(attributes.getParamAttrs(i));
    return llvm::AttributeList::get(context, forget_effects(context, attributes.getFnAttrs()),
                                    attributes.getRetAttrs(), parameters);
}

// The function with `ptr lane` in front; takes the old one's body, name and uses.
llvm::Function* add_lane_parameter(llvm::Function& function) {
    auto* replacement = llvm::Function::Create(with_lane_parameter(function.getFunctionType()),
                                               function.getLinkage(), "", function.getParent());
    const auto count = static_cast<unsigned>(function.arg_size());
    replacement->copyAttributesFrom(&function);
    replacement->setAttributes(
        with_lane_parameter(function.getContext(), function.getAttributes(), count));
    replacement->takeName(&function);
    replacement->splice(replacement->begin(), &function);
    for (unsigned i = 0; i < count; ++i) {
        function.getArg(i)->replaceAllUsesWith(replacement->getArg(i + 1));
    }
    replacement->getArg(0)->setName("lane");
    replacement->addFnAttr(lane_attribute);
    function.replaceAllUsesWith(replacement);
    function.eraseFromParent();
    return replacement;
}

bool needs_lane_argument(const llvm::CallBase& call) {
    // Not hasFnAttr, which also asks the callee.
    const bool has_it = call.getAttributes().hasFnAttr(lane_attribute);
    if (call.isInlineAsm() || has_it) return false;
    const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand());
    return !callee || callee->hasFnAttribute(lane_attribute);
}

void add_lane_argument(llvm::CallBase& call, llvm::Value* lane) {
    llvm::SmallVector<llvm::Value*, 8> arguments{lane};
    arguments.append(call.arg_begin(), call.arg_end());
    llvm::CallInst* replacement =
        llvm::CallInst::Create(with_lane_parameter(call.getFunctionType()), call.getCalledOperand(),
                               arguments, "", call.getIterator());
    replacement->setCallingConv(call.getCallingConv());
    replacement->setAttributes(with_lane_parameter(call.getContext(), call.getAttributes(),
                                                   static_cast<unsigned>(call.arg_size())));
    replacement->addFnAttr(llvm::Attribute::get(call.getContext(), lane_attribute));
    replacement->setDebugLoc(call.getDebugLoc());
    replacement->takeName(&call);
    call.replaceAllUsesWith(replacement);
    call.eraseFromParent();
}

void add_lane_arguments(llvm::Function& function) {
    llvm::SmallVector<llvm::CallBase*, 8> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call && needs_lane_argument(*call)) calls.push_back(call);
    }
    if (calls.empty()) return;
    llvm::Value* lane = nullptr;
    if (function.hasFnAttribute(lane_attribute)) {
        lane = function.getArg(0);
    } else {
        llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
        lane = builder.CreateCall(function.getParent()->getOrInsertFunction(
            lane_context_name, llvm::FunctionType::get(builder.getPtrTy(), false)));
    }
    for (llvm::CallBase* call : calls) add_lane_argument(*call, lane);
}

// Static shared variables of these functions lie first, in every kernel at the same offset.
void place_shared(llvm::Module& module, const std::vector<llvm::Function*>& functions) {
    std::size_t offset = 0;
    for (const llvm::GlobalVariable& variable : module.globals()) {
        if (is_shared(variable) && has_out_of_line_offset(variable)) {
            const auto size = module.getDataLayout().getTypeAllocSize(variable.getValueType());
            offset =
                std::max<std::size_t>(offset, out_of_line_offset(variable) + size.getFixedValue());
        }
    }
    for (llvm::GlobalVariable& variable : module.globals()) {
        if (!is_shared(variable) || variable.isDeclaration() || has_out_of_line_offset(variable)) {
            continue;
        }
        const bool is_used =
            std::any_of(variable.user_begin(), variable.user_end(), [&](const llvm::User* user) {
                const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
                return instruction && std::find(functions.begin(), functions.end(),
                                                instruction->getFunction()) != functions.end();
            });
        if (is_used) offset = set_out_of_line_offset(variable, offset);
    }
}

}  // namespace

void lower_out_of_line(llvm::Module& module, const std::vector<llvm::Function*>& entries) {
    std::vector<llvm::Function*> functions;
    for (llvm::Function& function : module) {
        const bool is_entry = std::find(entries.begin(), entries.end(), &function) != entries.end();
        if (function.isDeclaration() || is_entry || function.hasFnAttribute(lane_attribute)) {
            continue;
        }
        expand_shared_constants(function);
        check_is_scalar(function);
        functions.push_back(&function);
    }
    place_shared(module, functions);
    for (llvm::Function*& function : functions) function = add_lane_parameter(*function);
    for (llvm::Function& function : module) {
        if (!function.isDeclaration()) add_lane_arguments(function);
    }
    for (llvm::Function* function : functions) give_scalar_body(*function);
}

}  // namespace heald::cpu::simt
