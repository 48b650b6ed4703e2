#include "src/jit/cpu/thunk.hpp"

#include <heald/error.hpp>

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/CodeGen/CGFunctionInfo.h>
#include <clang/CodeGen/CodeGenABITypes.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <vector>

namespace heald::cpu {
namespace {

using clang::CodeGen::ABIArgInfo;

class EntryBuilder {
public:
    EntryBuilder(llvm::Function& entry, const clang::ASTContext& context)
        : context_(context),
          layout_(entry.getParent()->getDataLayout()),
          argv_(entry.getArg(0)),
          builder_(llvm::BasicBlock::Create(entry.getContext(), "", &entry)) {}

    llvm::IRBuilder<>& builder() { return builder_; }
    [[nodiscard]] const std::vector<llvm::Value*>& arguments() const { return arguments_; }

    /// Adds what the call passes for parameter `index` of C++ type `type`.
    void add(unsigned index, const clang::QualType& type, const ABIArgInfo& info) {
        switch (info.getKind()) {
            case ABIArgInfo::Ignore:
                return;
            case ABIArgInfo::Direct:
            case ABIArgInfo::Extend:
                add_direct(index, type, info);
                return;
            case ABIArgInfo::Indirect:
            case ABIArgInfo::IndirectAliased:
                add_indirect(index, type, info);
                return;
            default:
                break;
        }
        throw Error(ErrorKind::compile, "parameter " + std::to_string(index + 1) +
                                            " is of a type that kernels cannot take");
    }

private:
    void mark_invariant(llvm::LoadInst* load) {
        load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                          llvm::MDNode::get(load->getContext(), {}));
    }

    llvm::Value* load(llvm::Type* type, llvm::Value* pointer, std::uint64_t alignment) {
        // A bool occupies a byte; clang passes it as i1.
        const bool is_bool = type->isIntegerTy(1);
        llvm::LoadInst* value = builder_.CreateAlignedLoad(is_bool ? builder_.getInt8Ty() : type,
                                                           pointer, llvm::Align(alignment));
        mark_invariant(value);
        return is_bool ? builder_.CreateIsNotNull(value) : value;
    }

    /// Where the value of parameter `index` is.
    llvm::Value* address(unsigned index) {
        llvm::Value* slot = builder_.CreateConstInBoundsGEP1_64(builder_.getPtrTy(), argv_, index);
        llvm::LoadInst* pointer = builder_.CreateLoad(builder_.getPtrTy(), slot);
        mark_invariant(pointer);
        return pointer;
    }

    std::uint64_t size_of(const clang::QualType& type) const {
        return static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
    }
    std::uint64_t alignment_of(const clang::QualType& type) const {
        return static_cast<std::uint64_t>(context_.getTypeAlignInChars(type).getQuantity());
    }

    llvm::Value* copy_of(llvm::Value* pointer, std::uint64_t bytes, std::uint64_t room,
                         std::uint64_t alignment) {
        llvm::AllocaInst* copy = builder_.CreateAlloca(
            llvm::ArrayType::get(builder_.getInt8Ty(), std::max(bytes, room)));
        copy->setAlignment(llvm::Align(std::max<std::uint64_t>(alignment, 8)));
        builder_.CreateMemCpy(copy, copy->getAlign(), pointer, llvm::Align(alignment), bytes);
        return copy;
    }

    void add_direct(unsigned index, const clang::QualType& type, const ABIArgInfo& info) {
        llvm::Type* passed = info.getCoerceToType();
        llvm::Value* pointer = address(index);
        std::uint64_t alignment = alignment_of(type);
        const std::uint64_t offset = info.getDirectOffset();
        if (offset != 0) {
            pointer = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), pointer, offset);
            alignment = llvm::MinAlign(alignment, offset);
        }
        const std::uint64_t needed = layout_.getTypeStoreSize(passed).getFixedValue();
        const std::uint64_t present = size_of(type) - offset;
        if (needed > present) pointer = copy_of(pointer, present, needed, alignment);
        auto* structure = llvm::dyn_cast<llvm::StructType>(passed);
        if (structure == nullptr || !info.isDirect() || !info.getCanBeFlattened()) {
            arguments_.push_back(load(passed, pointer, alignment));
            return;
        }
        const llvm::StructLayout* parts = layout_.getStructLayout(structure);
        for (unsigned i = 0; i < structure->getNumElements(); ++i) {
            const std::uint64_t at = parts->getElementOffset(i).getFixedValue();
            llvm::Value* part =
                builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), pointer, at);
            arguments_.push_back(
                load(structure->getElementType(i), part, llvm::MinAlign(alignment, at)));
        }
    }

    void add_indirect(unsigned index, const clang::QualType& type, const ABIArgInfo& info) {
        llvm::Value* pointer = address(index);
        // Without byval the callee owns what it gets: every thread needs a copy of its own.
        const bool copies_itself =
            info.getKind() == ABIArgInfo::Indirect && info.getIndirectByVal();
        if (!copies_itself) {
            pointer = copy_of(pointer, size_of(type), 0, alignment_of(type));
        }
        arguments_.push_back(pointer);
    }

    const clang::ASTContext& context_;
    const llvm::DataLayout& layout_;
    llvm::Argument* argv_;
    llvm::IRBuilder<> builder_;
    std::vector<llvm::Value*> arguments_;
};

}  // namespace

std::string entry_name(const std::string& mangled) {
    return "__heald_entry_" + mangled;
}

llvm::Function* build_entry(clang::CodeGenerator& generator, const clang::FunctionDecl& kernel,
                            llvm::Function& function) {
    llvm::Module& module = *function.getParent();
    llvm::LLVMContext& context = module.getContext();
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                         {llvm::PointerType::getUnqual(context)}, false);
    auto* entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                         entry_name(function.getName().str()), module);
    entry->addFnAttr(llvm::Attribute::Convergent);
    entry->addFnAttr(llvm::Attribute::NoUnwind);
    entry->addFnAttr(llvm::Attribute::NullPointerIsValid);
    entry->addParamAttr(0, llvm::Attribute::NoUndef);
    entry->addParamAttr(0, llvm::Attribute::ReadOnly);

    const auto prototype = kernel.getType()->getCanonicalTypeUnqualified();
    const clang::CodeGen::CGFunctionInfo& info = clang::CodeGen::arrangeFreeFunctionType(
        generator.CGM(), prototype.castAs<clang::FunctionProtoType>());
    EntryBuilder build(*entry, kernel.getASTContext());
    unsigned index = 0;
    for (const auto& argument : info.arguments()) build.add(index++, argument.type, argument.info);

    if (build.arguments().size() != function.arg_size()) {
        throw Error(ErrorKind::compile, "the parameters of kernel '" + kernel.getNameAsString() +
                                            "' are passed in a way that is not supported");
    }
    llvm::CallInst* call = build.builder().CreateCall(&function, build.arguments());
    call->setCallingConv(function.getCallingConv());
    std::vector<llvm::AttributeSet> parameters;
    for (unsigned i = 0; i < function.arg_size(); ++i) {
        parameters.push_back(function.getAttributes().getParamAttrs(i));
    }
    call->setAttributes(llvm::AttributeList::get(context, {}, {}, parameters));
    build.builder().CreateRetVoid();
    return entry;
}

}  // namespace heald::cpu
