#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heald::nvrtc {

/// A token of C++ source: enough to find declarations, far from a whole lexer.
struct Token {
    enum class Kind : std::uint8_t { identifier, punctuation, literal };

    Kind kind = Kind::punctuation;
    std::string_view text;  ///< into the source; literals whole, punctuation one character or "::"

    [[nodiscard]] bool is(std::string_view wanted) const noexcept { return text == wanted; }
};

/// `#include` lines, in order.
struct Include {
    std::string name;
    bool quoted = false;
};

struct Tokens {
    std::vector<Token> tokens;
    std::vector<Include> includes;
};

/// Splits source; comments and preprocessor lines go (both sides of every #if stay). Never fails:
/// what it does not understand is punctuation.
[[nodiscard]] Tokens tokenize(std::string_view source);

}  // namespace heald::nvrtc
