#include "src/jit/cpu/kernel_discovery.hpp"

#include "src/jit/cpu/ast_signature.hpp"
#include "src/jit/cpu/name_expressions.hpp"
#include "src/jit/cpu/simt/simt.hpp"
#include "src/jit/cpu/thunk.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Sema/Sema.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace heald::cpu {
namespace {

class Discovery final : public clang::ASTConsumer {
public:
    Discovery(clang::CompilerInstance& instance, clang::CodeGenerator& generator,
              const CompileInput& input, Discovered& result)
        : instance_(instance), generator_(generator), input_(input), result_(result) {}

    bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
        for (clang::Decl* declaration : group) visit(declaration);
        return true;
    }

    void HandleTranslationUnit(clang::ASTContext& context) override {
        if (context.getDiagnostics().hasErrorOccurred()) return;
        llvm::Module* module = generator_.GetModule();
        if (module == nullptr) return;
        tag_shared(*module);
        add_kernels(*module);
        add_globals(*module, context);
    }

private:
    void visit(clang::Decl* declaration) {
        if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
            visit_function(function);
        } else if (auto* alias = llvm::dyn_cast<clang::TypeAliasDecl>(declaration)) {
            visit_alias(alias);
        } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(
                       declaration)) {
            for (clang::Decl* inner : llvm::cast<clang::DeclContext>(declaration)->decls()) {
                visit(inner);
            }
        }
    }

    void visit_function(clang::FunctionDecl* function) {
        if (!function->hasAttr<clang::CUDAGlobalAttr>() || function->isDependentContext()) return;
        if (!function->isThisDeclarationADefinition()) return;
        for (const clang::ParmVarDecl* parameter : function->parameters()) {
            if (!parameter->getType()->isReferenceType()) continue;
            clang::DiagnosticsEngine& diagnostics = instance_.getDiagnostics();
            diagnostics.Report(parameter->getLocation(),
                               diagnostics.getCustomDiagID(
                                   clang::DiagnosticsEngine::Error,
                                   "parameter %0 of kernel %1 is a reference: a kernel takes its "
                                   "parameters by value or by pointer"))
                << parameter << function;
        }
        const auto same = [&](const clang::FunctionDecl* other) {
            return other->getCanonicalDecl() == function->getCanonicalDecl();
        };
        if (std::any_of(kernels_.begin(), kernels_.end(), same)) return;
        kernels_.push_back(function);
        // Also kernels with internal linkage that nothing calls are wanted.
        generator_.GetAddrOfGlobal(clang::GlobalDecl(function), false);
    }

    /// `using __heald_name_3 = __heald_name<ns::scale<float>>;`
    void visit_alias(clang::TypeAliasDecl* alias) {
        llvm::StringRef name = alias->getName();
        unsigned index = 0;
        if (!name.consume_front(
                llvm::StringRef(name_alias_prefix.data(), name_alias_prefix.size())) ||
            name.getAsInteger(10, index) || index >= input_.names.size()) {
            return;
        }
        auto* record = alias->getUnderlyingType()->getAsCXXRecordDecl();
        auto* instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
        clang::FunctionDecl* function = nullptr;
        if (instance != nullptr && instance->getTemplateArgs().size() == 1 &&
            instance->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Declaration) {
            function =
                llvm::dyn_cast<clang::FunctionDecl>(instance->getTemplateArgs()[0].getAsDecl());
        }
        clang::DiagnosticsEngine& diagnostics = instance_.getDiagnostics();
        if (function == nullptr || !function->hasAttr<clang::CUDAGlobalAttr>()) {
            if (diagnostics.hasErrorOccurred()) return;
            diagnostics.Report(alias->getLocation(),
                               diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                           "'%0' is not a __global__ function"))
                << trimmed_expression(input_.names[index]);
            return;
        }
        // Instantiates the body, as a use would.
        instance_.getSema().MarkFunctionReferenced(alias->getLocation(), function);
        instance_.getSema().PerformPendingInstantiations();
        if (const clang::FunctionDecl* definition = function->getDefinition()) {
            function = const_cast<clang::FunctionDecl*>(definition);
        }
        wanted_.emplace_back(function->getCanonicalDecl(), input_.names[index]);
        visit_function(function);
    }

    void tag_shared(llvm::Module& module) {
        for (llvm::GlobalVariable& variable : module.globals()) {
            if (variable.isConstant() || variable.getName().starts_with("llvm.")) continue;
            bool shared =
                !variable.isDeclaration() && llvm::isa<llvm::UndefValue>(variable.getInitializer());
            if (variable.isDeclaration()) {
                const clang::Decl* declaration =
                    generator_.GetDeclForMangledName(variable.getName());
                shared = declaration == nullptr || declaration->hasAttr<clang::CUDASharedAttr>();
            }
            if (!shared) continue;
            variable.setSection(simt::shared_section);
            if (!variable.isDeclaration()) {
                variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
            }
            variable.setComdat(nullptr);
            variable.setThreadLocal(false);
        }
    }

    static std::uint32_t launch_bound(const clang::FunctionDecl& kernel) {
        const auto* bounds = kernel.getAttr<clang::CUDALaunchBoundsAttr>();
        if (bounds == nullptr || bounds->getMaxThreads() == nullptr) return 0;
        const auto value = bounds->getMaxThreads()->getIntegerConstantExpr(kernel.getASTContext());
        return value && value->getActiveBits() <= 32
                   ? static_cast<std::uint32_t>(value->getZExtValue())
                   : 0;
    }

    void add_kernels(llvm::Module& module) {
        for (clang::FunctionDecl* kernel : kernels_) {
            const std::string mangled = generator_.GetMangledName(clang::GlobalDecl(kernel)).str();
            llvm::Function* function = module.getFunction(mangled);
            if (function == nullptr || function->isDeclaration()) continue;
            if (module.getFunction(entry_name(mangled)) != nullptr) continue;
            KernelRecord record;
            record.name = mangled;
            record.display_name = display_name_of(*kernel);
            record.signature = signature_of(*kernel);
            record.max_threads_per_block = launch_bound(*kernel);
            build_entry(generator_, *kernel, *function);
            bool named = false;
            for (const auto& [declaration, expression] : wanted_) {
                if (declaration != kernel->getCanonicalDecl()) continue;
                record.expression = expression;
                result_.kernels.push_back(record);
                named = true;
            }
            if (!named) result_.kernels.push_back(std::move(record));
        }
    }

    void add_globals(llvm::Module& module, const clang::ASTContext& context) {
        for (llvm::GlobalVariable& variable : module.globals()) {
            if (variable.getSection() == simt::shared_section || variable.isDeclaration() ||
                variable.getName().starts_with("llvm.")) {
                continue;
            }
            const clang::Decl* declaration = generator_.GetDeclForMangledName(variable.getName());
            const auto* source = llvm::dyn_cast_or_null<clang::VarDecl>(declaration);
            const bool tagged_constant =
                source != nullptr && source->hasAttr<clang::CUDAConstantAttr>();
            // Tables and strings stay private to the code that reads them.
            if (variable.isConstant() && !variable.isExternallyInitialized() && !tagged_constant) {
                continue;
            }
            GlobalRecord record;
            record.name = variable.getName().str();
            record.display_name = source != nullptr ? display_name_of(*source) : record.name;
            record.type_name = source != nullptr ? type_text(context, source->getType()) : "";
            record.size = module.getDataLayout().getTypeAllocSize(variable.getValueType());
            record.is_constant = tagged_constant;
            result_.globals.push_back(std::move(record));
        }
    }

    clang::CompilerInstance& instance_;
    clang::CodeGenerator& generator_;
    const CompileInput& input_;
    Discovered& result_;
    std::vector<clang::FunctionDecl*> kernels_;
    std::vector<std::pair<const clang::FunctionDecl*, std::string>> wanted_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> make_discovery(clang::CompilerInstance& instance,
                                                   clang::CodeGenerator& generator,
                                                   const CompileInput& input, Discovered& result) {
    return std::make_unique<Discovery>(instance, generator, input, result);
}

}  // namespace heald::cpu
