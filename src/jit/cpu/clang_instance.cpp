#include "src/jit/cpu/clang_instance.hpp"

#include <clang/Frontend/CompilerInvocation.h>

namespace heald::cpu {

ClangInstance make_clang(const std::vector<std::string>& arguments,
                         llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                         unsigned user_bytes) {
    std::vector<const char*> raw;
    raw.reserve(arguments.size());
    for (const std::string& argument : arguments) raw.push_back(argument.c_str());

    auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
    options->ErrorLimit = 100;
    ClangInstance made;
    made.collector = std::make_unique<DiagnosticCollector>(options.get(), user_bytes);
    auto engine = llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
        llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options, made.collector.get(), false);
    engine->setErrorLimit(100);

    auto invocation = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, raw, *engine)) {
        throw Error(ErrorKind::compile, "the compiler rejected its options: " +
                                            summary("options", made.collector->diagnostics()));
    }
    // The memory of a compile is given back when it is over.
    invocation->getFrontendOpts().DisableFree = false;
    invocation->getCodeGenOpts().DisableFree = false;
    clang::ProcessWarningOptions(*engine, invocation->getDiagnosticOpts(), false);

    made.compiler = std::make_unique<clang::CompilerInstance>();
    made.nowhere = std::make_unique<llvm::raw_null_ostream>();
    made.compiler->setVerboseOutputStream(*made.nowhere);
    made.compiler->setInvocation(std::move(invocation));
    made.compiler->setDiagnostics(engine.get());
    made.compiler->createFileManager(std::move(files));
    return made;
}

}  // namespace heald::cpu
