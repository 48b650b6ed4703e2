#pragma once

// The entry of a kernel: `void(ptr argv)`, which loads the parameters from where argv points and
// calls the kernel. After inlining the entry is the kernel, and how the platform passes structures
// no longer matters.

#include <string>

namespace clang {
class CodeGenerator;
class FunctionDecl;
}  // namespace clang
namespace llvm {
class Function;
}

namespace heald::cpu {

/// Name of the entry of the kernel with that mangled name.
std::string entry_name(const std::string& mangled);

/// Builds the entry of `kernel`, whose code `function` is. Throws Error(compile) for a parameter
/// that is passed in a way which is not known here.
llvm::Function* build_entry(clang::CodeGenerator& generator, const clang::FunctionDecl& kernel,
                            llvm::Function& function);

}  // namespace heald::cpu
