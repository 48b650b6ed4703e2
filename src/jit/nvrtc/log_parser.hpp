#pragma once

#include <heald/error.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace heald::nvrtc {

/// NVRTC's log as diagnostics.
struct ParsedLog {
    std::vector<Diagnostic> diagnostics;  ///< of the user's files, and those without a file
    /// Name expressions that NVRTC did not accept, as they were given, with what it said first.
    struct BadName {
        std::string expression;
        std::string message;
    };
    std::vector<BadName> bad_names;
    bool blames_appended_text = false;  ///< errors in the text that heald appended
    std::string user_log;               ///< the log without what concerns heald's own text

    [[nodiscard]] bool has_errors() const noexcept;
};

[[nodiscard]] ParsedLog parse_log(std::string_view log);

}  // namespace heald::nvrtc
