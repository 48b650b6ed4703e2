#include "src/jit/cpu/diagnostics.hpp"

#include "src/jit/cpu/name_expressions.hpp"
#include "src/jit/cpu/virtual_files.hpp"

#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>

#include <algorithm>

namespace heald::cpu {
namespace {

struct Place {
    std::string file;
    int line = 0;
    int column = 0;
    bool internal = false;  // inside heald's headers
    bool scaffold = false;  // inside the text appended to the source, outside the expressions
};

Place place_of(const clang::Diagnostic& diagnostic, unsigned user_bytes) {
    Place place;
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return place;
    const clang::SourceManager& sources = diagnostic.getSourceManager();
    const clang::SourceLocation location = sources.getExpansionLoc(diagnostic.getLocation());
    const clang::PresumedLoc presumed = sources.getPresumedLoc(location);
    if (presumed.isInvalid()) return place;
    const std::string_view file = presumed.getFilename();
    place.internal = is_internal_path(file);
    place.file = user_path(file);
    place.line = static_cast<int>(presumed.getLine());
    place.column = static_cast<int>(presumed.getColumn());
    const auto [id, offset] = sources.getDecomposedLoc(location);
    if (id == sources.getMainFileID() && offset >= user_bytes &&
        !file.starts_with(name_expression_file_prefix)) {
        place.scaffold = true;
        place.column = 1;
    }
    return place;
}

Diagnostic::Severity severity_of(clang::DiagnosticsEngine::Level level) {
    if (level >= clang::DiagnosticsEngine::Error) return Diagnostic::Severity::error;
    if (level == clang::DiagnosticsEngine::Warning) return Diagnostic::Severity::warning;
    return Diagnostic::Severity::note;
}

const char* word_for(Diagnostic::Severity severity) {
    switch (severity) {
        case Diagnostic::Severity::error:
            return "error";
        case Diagnostic::Severity::warning:
            return "warning";
        case Diagnostic::Severity::note:
            break;
    }
    return "note";
}

void remove_all(std::string& text, std::string_view part) {
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
        text.erase(at, part.size());
    }
}

}  // namespace

std::string one_line(const Diagnostic& diagnostic) {
    std::string text;
    if (!diagnostic.file.empty()) {
        text = diagnostic.file + ":";
        if (diagnostic.line > 0) {
            text += std::to_string(diagnostic.line) + ":";
            if (diagnostic.column > 0) text += std::to_string(diagnostic.column) + ":";
        }
        text += " ";
    }
    return text + word_for(diagnostic.severity) + ": " + diagnostic.message;
}

DiagnosticCollector::DiagnosticCollector(clang::DiagnosticOptions* options, unsigned user_bytes)
    : user_bytes_(user_bytes),
      stream_(text_),
      printer_(std::make_unique<clang::TextDiagnosticPrinter>(stream_, options)) {}

void DiagnosticCollector::BeginSourceFile(const clang::LangOptions& language,
                                          const clang::Preprocessor* preprocessor) {
    printer_->BeginSourceFile(language, preprocessor);
}

void DiagnosticCollector::EndSourceFile() {
    printer_->EndSourceFile();
}

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                           const clang::Diagnostic& diagnostic) {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    const Place place = place_of(diagnostic, user_bytes_);

    Diagnostic result;
    result.severity = severity_of(level);
    result.file = place.file;
    result.line = place.line;
    result.column = place.column;
    result.message = message.str().str();
    if (result.message.find("constraint '") != std::string::npos &&
        result.message.find(" in asm") != std::string::npos) {
        result.message += " (inline PTX is for GPUs: the CPU cannot run it)";
    }
    const bool internal_note = place.internal && result.severity == Diagnostic::Severity::note;
    if (place.scaffold) {
        stream_ << one_line(result) << "\n";
    } else if (!internal_note) {
        printer_->HandleDiagnostic(level, diagnostic);
    }

    if (result.severity == Diagnostic::Severity::error) ++errors_;
    if (result.severity != Diagnostic::Severity::note) awaiting_user_place_ = -1;
    if (internal_note) return;
    if (awaiting_user_place_ >= 0 && !place.internal && place.line > 0) {
        // The first of the user's own lines on the way to a message in heald's headers.
        Diagnostic& waiting = diagnostics_[static_cast<std::size_t>(awaiting_user_place_)];
        waiting.file = result.file;
        waiting.line = result.line;
        waiting.column = result.column;
        awaiting_user_place_ = -1;
    }
    diagnostics_.push_back(std::move(result));
    if (place.internal) awaiting_user_place_ = static_cast<int>(diagnostics_.size()) - 1;
}

std::string DiagnosticCollector::log() const {
    std::string text = "\n" + text_;
    // A name that begins with - was given to clang as ./-
    for (auto at = text.find("\n./-"); at != std::string::npos; at = text.find("\n./-", at)) {
        text.erase(at + 1, 2);
    }
    text.erase(0, 1);
    remove_all(text, std::string(user_header_root) + "/");
    remove_all(text, std::string(source_root) + "/");
    return text;
}

std::string summary(const std::string& name, const std::vector<Diagnostic>& diagnostics) {
    const auto is_error = [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Diagnostic::Severity::error;
    };
    const auto first = std::find_if(diagnostics.begin(), diagnostics.end(), is_error);
    if (first == diagnostics.end()) return user_path(name) + ": error: the source was rejected";
    const auto count = std::count_if(diagnostics.begin(), diagnostics.end(), is_error);
    std::string text = one_line(*first);
    if (count > 1) text += " (" + std::to_string(count) + " errors)";
    return text;
}

void throw_compile_error(const std::string& name, std::vector<Diagnostic> diagnostics,
                         std::string log) {
    const std::string text = summary(name, diagnostics);
    throw CompileError(text, std::move(diagnostics), std::move(log));
}

void throw_compile_error(const std::string& name, const std::string& message) {
    Diagnostic diagnostic;
    diagnostic.file = user_path(name);
    diagnostic.message = message;
    const std::string text = one_line(diagnostic);
    throw CompileError(text, {diagnostic}, text + "\n");
}

}  // namespace heald::cpu
