// As with NVRTC's -default-device: what is declared without an execution or memory space belongs to
// the device.

#include "src/jit/cpu/device_by_default.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ASTMutationListener.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>

namespace heald::cpu {
namespace {

bool has_space(const clang::VarDecl& variable) {
    return variable.hasAttr<clang::CUDADeviceAttr>() ||
           variable.hasAttr<clang::CUDAConstantAttr>() ||
           variable.hasAttr<clang::CUDASharedAttr>() || variable.hasAttr<clang::HIPManagedAttr>();
}

class VariablesByDefault final : public clang::ASTConsumer, public clang::ASTMutationListener {
public:
    clang::ASTMutationListener* GetASTMutationListener() override { return this; }

    // Attributes are there by now, uses are not.
    void AddedVisibleDecl(const clang::DeclContext* context, const clang::Decl* declared) override {
        if (declared->isFromASTFile()) return;
        if (const auto* function = declared->getAsFunction()) keep_on_host(*function);
        if (!context->isFileContext()) return;
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
        if (variable == nullptr || !variable->hasGlobalStorage() || has_space(*variable)) return;
        // Constants are their values.
        if (variable->isConstexpr()) return;
        auto& mine = const_cast<clang::VarDecl&>(*variable);
        mine.addAttr(clang::CUDADeviceAttr::CreateImplicit(mine.getASTContext()));
    }

private:
    /// The default would make a function that was declared for the host one of the device too.
    static void keep_on_host(const clang::FunctionDecl& function) {
        const auto* host = function.getAttr<clang::CUDAHostAttr>();
        const auto* device = function.getAttr<clang::CUDADeviceAttr>();
        if (host == nullptr || device == nullptr || host->isImplicit() || !device->isImplicit())
            return;
        const_cast<clang::FunctionDecl&>(function).dropAttr<clang::CUDADeviceAttr>();
    }
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> variables_by_default() {
    return std::make_unique<VariablesByDefault>();
}

}  // namespace heald::cpu
