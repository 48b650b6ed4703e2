#include "src/jit/nvrtc/log_parser.hpp"

#include "src/base/text.hpp"
#include "src/jit/nvrtc/signature_tags.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace heald::nvrtc {
namespace {

constexpr std::string_view name_map = "__nv_name_map";
constexpr std::string_view name_pragma = "#pragma nv_mangled_name ";

struct Head {
    std::string_view file;
    int line = 0;
    Diagnostic::Severity severity = Diagnostic::Severity::error;
    std::string_view message;
};

/// "k.cu(12): error: …", "k.cu(3): warning #177-D: …", "k.cu(1): catastrophic error: …",
/// "ptxas …, line 21; error   : …".
std::optional<Head> parse_head(std::string_view line) {
    struct Word {
        std::string_view text;
        Diagnostic::Severity severity;
    };
    constexpr Word words[] = {
        {"catastrophic error", Diagnostic::Severity::error},
        {"internal error", Diagnostic::Severity::error},
        {"error", Diagnostic::Severity::error},
        {"warning", Diagnostic::Severity::warning},
        {"remark", Diagnostic::Severity::note},
        {"note", Diagnostic::Severity::note},
    };
    Head head;
    if (line.starts_with("ptxas")) {
        if (line.find("error") == std::string_view::npos &&
            line.find("fatal") == std::string_view::npos)
            return std::nullopt;
        head.message = line;
        return head;
    }
    const std::size_t close = line.find("): ");
    if (close == std::string_view::npos) {
        // "nvrtc: error: invalid value for --gpu-architecture (-arch)"
        if (!line.starts_with("nvrtc") || line.find("error:") == std::string_view::npos)
            return std::nullopt;
        head.message = line;
        return head;
    }
    const std::size_t open = line.rfind('(', close);
    if (open == std::string_view::npos || open == 0) return std::nullopt;
    const char* const end = line.data() + close;
    const auto [stop, status] = std::from_chars(line.data() + open + 1, end, head.line);
    if (status != std::errc() || stop != end) return std::nullopt;
    head.file = line.substr(0, open);
    std::string_view rest = line.substr(close + 3);
    for (const Word& word : words) {
        if (!rest.starts_with(word.text)) continue;
        const std::size_t colon = rest.find(": ");
        if (colon == std::string_view::npos) return std::nullopt;
        head.severity = word.severity;
        head.message = rest.substr(colon + 2);
        return head;
    }
    return std::nullopt;
}

bool is_summary(std::string_view line) {
    return line.find(" detected in the compilation of ") != std::string_view::npos ||
           line.starts_with("Compilation terminated") || line.starts_with("Remark: The warnings");
}

}  // namespace

bool ParsedLog::has_errors() const noexcept {
    return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) {
        return d.severity == Diagnostic::Severity::error;
    });
}

ParsedLog parse_log(std::string_view log) {
    ParsedLog result;
    enum class Belongs { user, names, appended } belongs = Belongs::user;
    std::string first_message;  // of the name that is being read
    while (!log.empty()) {
        const std::size_t newline = log.find('\n');
        const std::string_view line = log.substr(0, newline);
        log.remove_prefix(newline == std::string_view::npos ? log.size() : newline + 1);
        if (const auto head = parse_head(line)) {
            belongs = head->file == name_map     ? Belongs::names
                      : head->file == tag_file() ? Belongs::appended
                                                 : Belongs::user;
            if (belongs == Belongs::user)
                result.diagnostics.push_back({head->severity, std::string(head->file), head->line,
                                              0, std::string(head->message)});
            if (belongs == Belongs::names) first_message = head->message;
            if (belongs == Belongs::appended && head->severity == Diagnostic::Severity::error)
                result.blames_appended_text = true;
        } else if (belongs == Belongs::names) {
            const std::string_view body = trimmed(line);
            if (body.starts_with(name_pragma)) {
                std::string expression(trimmed(body.substr(name_pragma.size())));
                if (result.bad_names.empty() || result.bad_names.back().expression != expression)
                    result.bad_names.push_back({std::move(expression), first_message});
            }
        } else if (belongs == Belongs::user && trimmed(line) == "^" &&
                   !result.diagnostics.empty() && result.diagnostics.back().column == 0) {
            // The source line above it is indented by two.
            const auto caret = static_cast<int>(line.find('^'));
            if (caret >= 2) result.diagnostics.back().column = caret - 1;
        }
        if (belongs == Belongs::user && !is_summary(line)) result.user_log.append(line) += '\n';
    }
    const auto end = result.user_log.find_last_not_of('\n');
    result.user_log.resize(end == std::string::npos ? 0 : end + 1);
    return result;
}

}  // namespace heald::nvrtc
