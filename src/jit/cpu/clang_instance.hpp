#pragma once

// A clang::CompilerInstance ready to run an action.

#include "src/jit/cpu/diagnostics.hpp"

#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <memory>
#include <string>
#include <vector>

namespace heald::cpu {

struct ClangInstance {
    std::unique_ptr<DiagnosticCollector> collector;
    std::unique_ptr<llvm::raw_ostream> nowhere;  // for what clang prints beside diagnostics
    std::unique_ptr<clang::CompilerInstance> compiler;
};

/// Throws Error(compile) if clang does not understand `arguments`.
ClangInstance make_clang(const std::vector<std::string>& arguments,
                         llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                         unsigned user_bytes);

}  // namespace heald::cpu
