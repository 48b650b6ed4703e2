#include "src/jit/cpu/front_end.hpp"

#include "src/jit/cpu/clang_instance.hpp"
#include "src/jit/cpu/device_by_default.hpp"
#include "src/jit/cpu/front_end_arguments.hpp"
#include "src/jit/cpu/kernel_discovery.hpp"
#include "src/jit/cpu/name_expressions.hpp"
#include "src/jit/cpu/precompiled.hpp"
#include "src/jit/cpu/virtual_files.hpp"

#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <filesystem>

namespace heald::cpu {
namespace {

struct IncludeReport {
    std::vector<std::string> missing;
    std::vector<std::string> files;  // the user's, on disk
};

class IncludeWatcher final : public clang::PPCallbacks {
public:
    IncludeWatcher(const clang::SourceManager& sources, const CompileInput& input,
                   IncludeReport& report)
        : sources_(sources), input_(input), report_(report) {}

    bool FileNotFound(llvm::StringRef name) override {
        report_.missing.push_back(name.str());
        return false;
    }

    void FileChanged(clang::SourceLocation location, FileChangeReason reason,
                     clang::SrcMgr::CharacteristicKind kind, clang::FileID) override {
        if (reason != EnterFile || kind != clang::SrcMgr::C_User) return;
        const std::string name = sources_.getFilename(location).str();
        if (name.empty() || name == input_.name || is_internal_path(name)) return;
        if (name.starts_with(user_header_root) || name.starts_with(source_root)) return;
        if (name.front() == '<') return;
        std::error_code error;
        auto path = std::filesystem::absolute(name, error).lexically_normal().string();
        const auto same = [&](const auto& header) { return header.first == name; };
        if (std::any_of(input_.headers.begin(), input_.headers.end(), same)) return;
        auto& files = report_.files;
        if (std::find(files.begin(), files.end(), path) == files.end()) {
            files.push_back(std::move(path));
        }
    }

private:
    const clang::SourceManager& sources_;
    const CompileInput& input_;
    IncludeReport& report_;
};

class ParseAction final : public clang::ASTFrontendAction {
public:
    ParseAction(const CompileInput& input, bool device_by_default, llvm::LLVMContext& context,
                Discovered& discovered, IncludeReport& includes)
        : input_(input),
          device_by_default_(device_by_default),
          context_(context),
          discovered_(discovered),
          includes_(includes) {}

    std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }

protected:
    bool BeginSourceFileAction(clang::CompilerInstance& instance) override {
        instance.getPreprocessor().addPPCallbacks(
            std::make_unique<IncludeWatcher>(instance.getSourceManager(), input_, includes_));
        return true;
    }

    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                          llvm::StringRef file) override {
        generator_ = clang::CreateLLVMCodeGen(
            instance.getDiagnostics(), file, &instance.getVirtualFileSystem(),
            instance.getHeaderSearchOpts(), instance.getPreprocessorOpts(),
            instance.getCodeGenOpts(), context_);
        std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
        if (device_by_default_) consumers.push_back(variables_by_default());
        consumers.emplace_back(generator_);
        consumers.push_back(make_discovery(instance, *generator_, input_, discovered_));
        return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
    }

    void EndSourceFileAction() override {
        if (getCompilerInstance().getDiagnostics().hasErrorOccurred()) return;
        module_.reset(generator_->ReleaseModule());
    }

private:
    const CompileInput& input_;
    const bool device_by_default_;
    llvm::LLVMContext& context_;
    Discovered& discovered_;
    IncludeReport& includes_;
    clang::CodeGenerator* generator_ = nullptr;  // owned by the consumer
    std::unique_ptr<llvm::Module> module_;
};

/// One of the headers that were not found is one of the C++ library.
bool wants_system_headers(const IncludeReport& includes) {
    const auto installed = [](const std::string& name) {
        for (const auto* folders : {&system_headers().cxx, &system_headers().c}) {
            for (const std::string& folder : *folders) {
                if (std::filesystem::exists(folder + "/" + name)) return true;
            }
        }
        return false;
    };
    return std::any_of(includes.missing.begin(), includes.missing.end(), installed);
}

struct Attempt {
    ParsedSource source;
    std::vector<Diagnostic> diagnostics;
    bool retry_with_system_headers = false;
};

Attempt attempt(const CompileInput& input, const std::string& text, bool with_system_headers,
                bool device_by_default) {
    const ParseMode mode = parse_mode(input, with_system_headers);
    const std::string_view precompiled = precompiled_prelude(mode);
    std::string defines = define_lines(input);
    if (device_by_default) defines += functions_by_default;
    VirtualFiles files;
    files.main_text = text;
    files.defines = defines;
    files.precompiled = precompiled;

    std::vector<std::string> arguments = mode_arguments(mode);
    const auto more = source_arguments(input, mode, !precompiled.empty());
    arguments.insert(arguments.end(), more.begin(), more.end());
    ClangInstance clang = make_clang(arguments, make_file_system(input, files),
                                     static_cast<unsigned>(input.source.size()));

    Attempt result;
    ParsedSource& source = result.source;
    source.context = std::make_unique<llvm::LLVMContext>();
    Discovered discovered;
    IncludeReport includes;
    ParseAction action(input, device_by_default, *source.context, discovered, includes);
    const bool ok = clang.compiler->ExecuteAction(action);
    source.module = action.take_module();
    source.kernels = std::move(discovered.kernels);
    source.globals = std::move(discovered.globals);
    source.dependencies = std::move(includes.files);
    source.log = clang.collector->log();
    result.diagnostics = clang.collector->diagnostics();
    if (!ok || source.module == nullptr) {
        source.module.reset();
        result.retry_with_system_headers = !with_system_headers && wants_system_headers(includes);
        if (!includes.missing.empty() && !system_headers().present()) {
            Diagnostic hint;
            hint.severity = Diagnostic::Severity::note;
            hint.message =
                "headers of the C++ library beyond those that heald brings need an "
                "installed libstdc++ (Debian: apt install libstdc++-12-dev)";
            source.log += "note: " + hint.message + "\n";
            result.diagnostics.push_back(std::move(hint));
        }
    } else if (with_system_headers && !system_headers().stamp.empty()) {
        source.dependencies.push_back(system_headers().stamp);
    }
    return result;
}

/// The kernel uses what is declared without an execution space.
bool uses_host_code(const Attempt& failed) {
    return failed.source.log.find("__host__ ") != std::string::npos;
}

Attempt attempt(const CompileInput& input, const std::string& text) {
    Attempt result = attempt(input, text, false, false);
    bool with_system_headers = result.retry_with_system_headers;
    if (with_system_headers) result = attempt(input, text, true, false);
    if (result.source.module != nullptr || !uses_host_code(result)) return result;
    // Only now, so that host code which no kernel uses may be what no device could run.
    result = attempt(input, text, with_system_headers, true);
    if (result.retry_with_system_headers) result = attempt(input, text, true, true);
    return result;
}

}  // namespace

ParsedSource parse(const CompileInput& input) {
    const std::string text = append_name_requests(input);
    Attempt result = attempt(input, text);
    if (result.source.module == nullptr && text.size() != input.source.size()) {
        // Mistakes of the source itself are reported as if no names had been asked for.
        Attempt plain = attempt(input, input.source);
        if (plain.source.module == nullptr) result = std::move(plain);
    }
    if (result.source.module == nullptr) {
        throw_compile_error(input.name, std::move(result.diagnostics),
                            std::move(result.source.log));
    }
    result.source.warnings = std::move(result.diagnostics);
    resolve_plain_names(input, result.source.kernels);
    return std::move(result.source);
}

}  // namespace heald::cpu
