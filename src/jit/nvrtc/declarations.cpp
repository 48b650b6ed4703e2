#include "src/jit/nvrtc/declarations.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace heald::nvrtc {
namespace {

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Walks the tokens scope by scope. Only namespaces and extern "C" blocks are entered; bodies of
/// functions and classes are skipped.
class Walker {
public:
    explicit Walker(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    Declarations run() {
        while (at_ < tokens_.size()) declaration();
        return std::move(result_);
    }

private:
    [[nodiscard]] bool is(std::size_t at, std::string_view text) const noexcept {
        return at < tokens_.size() && tokens_[at].is(text);
    }

    /// The index after the bracket that closes the one at `at`.
    [[nodiscard]] std::size_t after_bracket(std::size_t at) const noexcept {
        const std::string_view open = tokens_[at].text;
        const std::string_view close = open == "(" ? ")" : open == "{" ? "}" : "]";
        int depth = 0;
        for (; at < tokens_.size(); ++at) {
            if (tokens_[at].is(open)) ++depth;
            if (tokens_[at].is(close) && --depth == 0) return at + 1;
        }
        return at;
    }

    /// The index after the '>' that closes the '<' at `at`.
    [[nodiscard]] std::size_t after_angle(std::size_t at) const noexcept {
        int depth = 0;
        while (at < tokens_.size()) {
            const Token& token = tokens_[at];
            if (token.is("(") || token.is("{") || token.is("[")) {
                at = after_bracket(at);
                continue;
            }
            if (token.is("<")) ++depth;
            if (token.is(">") && --depth == 0) return at + 1;
            if (token.is(";")) return at;
            ++at;
        }
        return at;
    }

    /// One declaration, or the head or end of a scope.
    void declaration() {
        if (is(at_, "}")) {
            if (!scopes_.empty()) scopes_.pop_back();
            ++at_;
            return;
        }
        const std::size_t begin = at_;
        if (is(at_, "inline") && is(at_ + 1, "namespace")) ++at_;
        if (is(at_, "namespace")) return enter_namespace();
        if (is(at_, "extern") && at_ + 2 < tokens_.size() &&
            tokens_[at_ + 1].kind == Token::Kind::literal && is(at_ + 2, "{")) {
            scopes_.emplace_back();
            at_ += 3;
            return;
        }
        at_ = begin;
        plain_declaration();
    }

    void enter_namespace() {
        std::string name;
        for (++at_; at_ < tokens_.size() && !is(at_, "{"); ++at_) {
            if (is(at_, ";") || is(at_, "=")) {  // an alias
                while (at_ < tokens_.size() && !is(at_, ";")) ++at_;
                ++at_;
                return;
            }
            if (tokens_[at_].is("inline") || tokens_[at_].is("[") || tokens_[at_].is("]")) continue;
            name += tokens_[at_].text;
        }
        scopes_.push_back(name);
        ++at_;
    }

    void plain_declaration() {
        Head head;
        for (; at_ < tokens_.size(); ++at_) {
            const Token& token = tokens_[at_];
            if (token.is(";")) break;
            if (token.is("}")) return;  // something went wrong: let the scope end
            if (token.is("template") && is(at_ + 1, "<")) {
                head.is_template = true;
                at_ = after_angle(at_ + 1) - 1;
            } else if (token.is("__global__")) {
                head.is_kernel = true;
            } else if (token.is("__device__") || token.is("__managed__")) {
                head.is_device = true;
            } else if (token.is("__constant__")) {
                head.is_constant = true;
            } else if (token.is("const") || token.is("constexpr")) {
                head.is_const = true;
            } else if (one_of(token.text, {"class", "struct", "union", "enum", "using", "typedef",
                                           "static_assert", "friend"})) {
                head.is_type = head.is_type || !token.is("using");
            } else if (token.is("(")) {
                if (parenthesis(head)) return;
            } else if (token.is("{")) {
                if (head.is_type && !head.has_call) {  // a class; a variable may follow it
                    at_ = after_bracket(at_) - 1;
                    continue;
                }
                note_variable(head);
                skip_body();
                if (is(at_, ";")) ++at_;
                return;
            } else if (token.is("=") || token.is("[")) {
                note_variable(head);
                head.noted = true;
                if (token.is("[")) at_ = after_bracket(at_) - 1;
            } else if (token.kind == Token::Kind::identifier) {
                head.last_name = at_;
            }
        }
        note_variable(head);
        ++at_;
    }

    struct Head {
        bool is_template = false;
        bool is_kernel = false;
        bool is_device = false;
        bool is_constant = false;
        bool is_const = false;
        bool is_type = false;
        bool has_call = false;
        bool noted = false;
        std::size_t last_name = std::string_view::npos;
    };

    /// True if the declaration is over.
    bool parenthesis(Head& head) {
        const std::size_t open = at_;
        const std::size_t after = after_bracket(open);
        const bool attribute =
            open > 0 && one_of(tokens_[open - 1].text,
                               {"__launch_bounds__", "__cluster_dims__", "__maxnreg__",
                                "__block_size__", "__align__", "__attribute__", "alignas",
                                "decltype", "sizeof", "noexcept", "requires", "__grid_constant__"});
        if (attribute || head.has_call) {
            at_ = after - 1;
            return false;
        }
        if (!head.is_kernel || open == 0 || tokens_[open - 1].kind != Token::Kind::identifier) {
            head.has_call = true;
            at_ = after - 1;
            return false;
        }
        Declarations::Kernel kernel;
        kernel.name = qualified(tokens_[open - 1].text);
        kernel.is_template = head.is_template;
        kernel.parameters = parameter_names(open + 1, after - 1);
        // Behind the parameters: attributes, a body or a semicolon.
        at_ = after;
        while (at_ < tokens_.size() && !is(at_, "{") && !is(at_, ";") && !is(at_, "}")) ++at_;
        const bool is_definition = is(at_, "{");
        if (is_definition)
            skip_body();
        else if (is(at_, ";"))
            ++at_;
        add(std::move(kernel), is_definition);
        return true;
    }

    void skip_body() {
        const std::size_t after = after_bracket(at_);
        for (std::size_t i = at_; i < after; ++i)
            if (tokens_[i].is("static") && !is(i + 1, "const") && !is(i + 1, "constexpr"))
                result_.has_mutable_globals = true;  // a static variable of the function
        at_ = after;
    }

    void add(Declarations::Kernel kernel, bool is_definition) {
        for (auto& known : result_.kernels) {
            if (known.name != kernel.name) continue;
            if (is_definition) known = std::move(kernel);
            return;
        }
        result_.kernels.push_back(std::move(kernel));
    }

    void note_variable(Head& head) {
        if (head.noted || head.is_kernel || head.has_call || !(head.is_device || head.is_constant))
            return;
        if (head.last_name == std::string_view::npos) return;
        head.noted = true;
        if (!head.is_const || head.is_constant) result_.has_mutable_globals = true;
        if (head.is_template) return;
        const std::string_view name = tokens_[head.last_name].text;
        if (name.starts_with("__")) return;
        result_.variables.push_back({qualified(name), head.is_constant});
    }

    [[nodiscard]] std::string qualified(std::string_view name) const {
        std::string result;
        for (const std::string& scope : scopes_)
            if (!scope.empty()) result += scope + "::";
        return result += name;
    }

    [[nodiscard]] std::vector<std::string> parameter_names(std::size_t begin,
                                                           std::size_t end) const {
        std::vector<std::string> names;
        if (begin >= end || (end - begin == 1 && is(begin, "void"))) return names;
        std::string_view last;
        bool in_default = false;
        std::size_t words = 0;
        const auto finish = [&] {
            // A lone word is a type: "int" in "f(int)".
            names.emplace_back(words > 1 && !is_type_word(last) ? last : std::string_view());
            last = {};
            in_default = false;
            words = 0;
        };
        for (std::size_t i = begin; i < end;) {
            const Token& token = tokens_[i];
            if (token.is(",")) {
                finish();
            } else if (token.is("<") && !in_default) {
                i = after_angle(i);
                continue;
            } else if (token.is("(") || token.is("[") || token.is("{")) {
                i = after_bracket(i);
                continue;
            } else if (token.is("=")) {
                in_default = true;
            } else if (token.is("*") || token.is("&")) {
                ++words;  // "int*" may be followed by a name
                last = {};
            } else if (token.kind == Token::Kind::identifier && !in_default &&
                       !one_of(token.text, {"const", "__restrict__", "__restrict", "volatile",
                                            "__grid_constant__"})) {
                ++words;
                last = token.text;
            }
            ++i;
        }
        finish();
        return names;
    }

    static bool is_type_word(std::string_view word) {
        return one_of(word, {"int", "unsigned", "signed", "long", "short", "char", "float",
                             "double", "bool", "void"});
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    std::vector<std::string> scopes_;  // namespace names; "" for extern "C" and anonymous ones
    Declarations result_;
};

}  // namespace

Declarations find_declarations(std::string_view source) {
    Tokens split = tokenize(source);
    Declarations result = Walker(std::move(split.tokens)).run();
    result.includes = std::move(split.includes);
    return result;
}

}  // namespace heald::nvrtc
