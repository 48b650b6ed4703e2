#pragma once

// clang's diagnostics as heald's: the user's files and lines, and the log as clang prints it.

#include <heald/error.hpp>

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <string>
#include <vector>

namespace heald::cpu {

class DiagnosticCollector final : public clang::DiagnosticConsumer {
public:
    /// Text at or past `user_bytes` of the main file is heald's own (name_expressions.hpp).
    DiagnosticCollector(clang::DiagnosticOptions* options, unsigned user_bytes);

    void BeginSourceFile(const clang::LangOptions& language,
                         const clang::Preprocessor* preprocessor) override;
    void EndSourceFile() override;
    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic& diagnostic) override;

    /// In order of appearance; those inside heald's own headers carry the user's line that led
    /// there.
    [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
    [[nodiscard]] std::string log() const;
    [[nodiscard]] unsigned error_count() const { return errors_; }

private:
    unsigned user_bytes_;
    std::string text_;
    llvm::raw_string_ostream stream_;
    std::unique_ptr<clang::TextDiagnosticPrinter> printer_;
    std::vector<Diagnostic> diagnostics_;
    int awaiting_user_place_ = -1;  // index of a diagnostic that still lies in heald's headers
    unsigned errors_ = 0;
};

/// "kernel.cu:3:7: error: …"; a line or column of 0 is left out.
std::string one_line(const Diagnostic& diagnostic);

/// "kernel.cu:3:7: error: … (2 errors)", the text of a CompileError.
std::string summary(const std::string& name, const std::vector<Diagnostic>& diagnostics);

/// Throws the CompileError that tells of these diagnostics.
[[noreturn]] void throw_compile_error(const std::string& name, std::vector<Diagnostic> diagnostics,
                                      std::string log);

/// Throws a CompileError with a single message of heald's own.
[[noreturn]] void throw_compile_error(const std::string& name, const std::string& message);

}  // namespace heald::cpu
