#include "src/jit/nvrtc/tokens.hpp"

#include <cctype>
#include <utility>

namespace heald::nvrtc {
namespace {

bool starts_identifier(char c) noexcept {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
}
bool continues_identifier(char c) noexcept {
    return starts_identifier(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Splitter {
public:
    explicit Splitter(std::string_view source) : source_(source) {}

    Tokens run() {
        while (at_ < source_.size()) step();
        return std::move(result_);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const noexcept {
        return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
    }

    void add(Token::Kind kind, std::size_t begin) {
        result_.tokens.push_back({kind, source_.substr(begin, at_ - begin)});
    }

    void step() {
        const char c = peek();
        if (c == '\n') {
            at_line_start_ = true;
            ++at_;
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at_;
        } else if (c == '/' && peek(1) == '/') {
            skip_line();
        } else if (c == '/' && peek(1) == '*') {
            const std::size_t end = source_.find("*/", at_ + 2);
            at_ = end == std::string_view::npos ? source_.size() : end + 2;
        } else if (c == '#' && at_line_start_) {
            directive();
        } else {
            at_line_start_ = false;
            token(c);
        }
    }

    /// To the end of the line, over backslash-newlines.
    void skip_line() {
        while (at_ < source_.size() && source_[at_] != '\n') {
            if (source_[at_] == '\\' && peek(1) == '\n') ++at_;
            ++at_;
        }
    }

    void directive() {
        const std::size_t begin = ++at_;
        // A comment that begins on the line may go on after it.
        while (at_ < source_.size() && source_[at_] != '\n') {
            if (source_[at_] == '\\' && peek(1) == '\n') {
                at_ += 2;
            } else if (source_[at_] == '/' && peek(1) == '*') {
                const std::size_t end = source_.find("*/", at_ + 2);
                at_ = end == std::string_view::npos ? source_.size() : end + 2;
            } else {
                ++at_;
            }
        }
        include(source_.substr(begin, at_ - begin));
    }

    void include(std::string_view line) {
        const auto skip_blanks = [&line] {
            while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
        };
        skip_blanks();
        if (!line.starts_with("include")) return;
        line.remove_prefix(7);
        skip_blanks();
        if (line.empty() || (line[0] != '<' && line[0] != '"')) return;
        const std::size_t end = line.find(line[0] == '<' ? '>' : '"', 1);
        if (end == std::string_view::npos) return;
        result_.includes.push_back({std::string(line.substr(1, end - 1)), line[0] == '"'});
    }

    void token(char c) {
        const std::size_t begin = at_;
        if (starts_identifier(c)) {
            while (continues_identifier(peek())) ++at_;
            const std::string_view word = source_.substr(begin, at_ - begin);
            if (peek() == '"' &&
                (word == "R" || word == "u8R" || word == "LR" || word == "uR" || word == "UR")) {
                raw_string();
                add(Token::Kind::literal, begin);
            } else {
                add(Token::Kind::identifier, begin);
            }
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            // Digit separators are part of the number: 1'000.
            while (continues_identifier(peek()) || peek() == '.' ||
                   (peek() == '\'' && continues_identifier(peek(1))))
                ++at_;
            add(Token::Kind::literal, begin);
        } else if (c == '"' || c == '\'') {
            quoted(c);
            add(Token::Kind::literal, begin);
        } else {
            at_ += c == ':' && peek(1) == ':' ? 2 : 1;
            add(Token::Kind::punctuation, begin);
        }
    }

    void quoted(char quote) {
        ++at_;
        while (at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n')
            at_ += source_[at_] == '\\' ? 2 : 1;
        if (at_ < source_.size() && source_[at_] == quote) ++at_;
        if (at_ > source_.size()) at_ = source_.size();
    }

    void raw_string() {
        const std::size_t open = source_.find('(', at_);
        if (open == std::string_view::npos) {
            ++at_;
            return;
        }
        std::string close = ")";
        close += source_.substr(at_ + 1, open - at_ - 1);
        close += '"';
        const std::size_t end = source_.find(close, open);
        at_ = end == std::string_view::npos ? source_.size() : end + close.size();
    }

    std::string_view source_;
    std::size_t at_ = 0;
    bool at_line_start_ = true;
    Tokens result_;
};

}  // namespace

Tokens tokenize(std::string_view source) {
    return Splitter(source).run();
}

}  // namespace heald::nvrtc
