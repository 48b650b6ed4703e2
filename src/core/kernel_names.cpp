#include "src/core/kernel_names.hpp"

#include "src/base/demangle.hpp"
#include "src/base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace heald::core {
namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<std::string> tokens_of(std::string_view name) {
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < name.size();) {
        if (std::isspace(static_cast<unsigned char>(name[i])) != 0) {
            ++i;
        } else if (is_word(name[i])) {
            std::size_t end = i;
            while (end < name.size() && is_word(name[end])) ++end;
            tokens.emplace_back(name.substr(i, end - i));
            i = end;
        } else {
            tokens.emplace_back(1, name[i++]);
        }
    }
    return tokens;
}

/// "4u", "4UL" are 4: the template parameter has the type.
void drop_literal_suffix(std::string& token) {
    if (std::isdigit(static_cast<unsigned char>(token[0])) == 0) return;
    if (token.size() > 1 && (token[1] == 'x' || token[1] == 'X')) return;
    while (!token.empty() && std::string_view("uUlL").find(token.back()) != std::string_view::npos)
        token.pop_back();
}

constexpr std::array<std::string_view, 4> integer_words{"unsigned", "signed", "int", "long"};

bool is_integer_word(std::string_view token) {
    return std::find(integer_words.begin(), integer_words.end(), token) != integer_words.end() ||
           token == "short";
}

/// "unsigned" is "unsigned int", "long int" and "signed long" are "long", in any order of words.
std::string canonical_integer(const std::vector<std::string>& words) {
    int longs = 0;
    bool is_unsigned = false;
    bool is_short = false;
    for (const std::string& word : words) {
        longs += word == "long";
        is_unsigned = is_unsigned || word == "unsigned";
        is_short = is_short || word == "short";
    }
    const char* base = is_short ? "short" : longs == 0 ? "int" : longs == 1 ? "long" : "long long";
    return is_unsigned ? text("unsigned ", base) : std::string(base);
}

/// "(int)4" is 4 as a template argument.
bool is_cast(const std::vector<std::string>& tokens, std::size_t open, std::size_t& next) {
    if (tokens[open] != "(" || open == 0) return false;
    const std::string& before = tokens[open - 1];
    if (before != "<" && before != ",") return false;
    std::size_t close = open;
    while (close < tokens.size() && tokens[close] != ")") ++close;
    if (close + 1 >= tokens.size()) return false;
    const std::string& after = tokens[close + 1];
    const bool value = std::isdigit(static_cast<unsigned char>(after[0])) != 0 || after == "-" ||
                       after == "true" || after == "false";
    if (!value) return false;
    next = close + 1;
    return true;
}

}  // namespace

std::string canonical_name(std::string_view name) {
    std::vector<std::string> tokens = tokens_of(name);
    if (!tokens.empty() && tokens.front() == "&") tokens.erase(tokens.begin());
    if (tokens.size() > 2 && tokens[0] == ":" && tokens[1] == ":")
        tokens.erase(tokens.begin(), tokens.begin() + 2);
    std::string result;
    const auto append = [&result](std::string_view part) {
        if (!result.empty() && is_word(result.back()) && is_word(part.front())) result += ' ';
        result += part;
    };
    for (std::size_t i = 0; i < tokens.size();) {
        std::size_t next = 0;
        if (is_cast(tokens, i, next)) {
            i = next;
        } else if (is_integer_word(tokens[i])) {
            std::vector<std::string> words;
            while (i < tokens.size() && (is_integer_word(tokens[i]) || tokens[i] == "char"))
                words.push_back(tokens[i++]);
            if (words.back() == "char")
                append(words.front() == "unsigned" ? "unsigned char" : "signed char");
            else
                append(canonical_integer(words));
        } else {
            drop_literal_suffix(tokens[i]);
            append(tokens[i++]);
        }
    }
    return result;
}

std::string declaration_of(const KernelSymbol& kernel) {
    if (!kernel.lowered.starts_with("_Z"))
        return kernel.has_signature ? text(kernel.display, to_string(kernel.signature))
                                    : kernel.display;
    std::string whole = demangle(kernel.lowered);
    // Templates have their return type in front.
    if (whole.starts_with("void ")) whole.erase(0, 5);
    return whole;
}

std::vector<const KernelSymbol*> kernels_named(const std::vector<KernelSymbol>& kernels,
                                               std::string_view name) {
    for (const KernelSymbol& kernel : kernels)
        if (kernel.lowered == name) return {&kernel};
    const std::string wanted = canonical_name(name);
    std::vector<const KernelSymbol*> found;
    for (const KernelSymbol& kernel : kernels)
        if (!kernel.expression.empty() && canonical_name(kernel.expression) == wanted)
            found.push_back(&kernel);
    if (found.size() == 1) return found;
    found.clear();
    const bool with_parameters = wanted.ends_with(")");
    for (const KernelSymbol& kernel : kernels) {
        const std::string& shown = with_parameters ? declaration_of(kernel) : kernel.display;
        if (canonical_name(shown) == wanted) found.push_back(&kernel);
    }
    return found;
}

KernelSymbol symbol_of_mangled(const std::string& lowered) {
    KernelSymbol symbol;
    symbol.lowered = lowered;
    symbol.display = function_name(demangle(lowered));
    symbol.has_signature = false;
    return symbol;
}

std::string mangled_variable(std::string_view name) {
    std::string parts;
    std::size_t count = 0;
    while (!name.empty()) {
        const auto colons = name.find("::");
        const std::string_view part = name.substr(0, colons);
        if (!part.empty()) {
            parts += text(part.size(), part);
            ++count;
        }
        name = colons == std::string_view::npos ? std::string_view() : name.substr(colons + 2);
    }
    return count == 1 ? parts.substr(parts.find_first_not_of("0123456789"))
                      : text("_ZN", parts, "E");
}

}  // namespace heald::core
