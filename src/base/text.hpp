#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace heald {

namespace detail {

inline void append_part(std::string& text, std::string_view part) {
    text += part;
}
inline void append_part(std::string& text, const std::string& part) {
    text += part;
}
inline void append_part(std::string& text, const char* part) {
    text += part;
}
inline void append_part(std::string& text, char part) {
    text += part;
}
inline void append_part(std::string& text, bool part) {
    text += part ? "true" : "false";
}
void append_part(std::string& text, double part);
void append_part(std::string& text, const void* part);
template <std::integral T>
void append_part(std::string& text, T part) {
    text += std::to_string(part);
}

}  // namespace detail

/// The parts one after another: text(3, " of ", 4) is "3 of 4".
template <class... Parts>
[[nodiscard]] std::string text(const Parts&... parts) {
    std::string result;
    (detail::append_part(result, parts), ...);
    return result;
}

/// "1.5 GiB", "512 B".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

/// Items with ", " between them.
template <class Range>
[[nodiscard]] std::string join(const Range& items, std::string_view separator = ", ") {
    std::string result;
    bool first = true;
    for (const auto& item : items) {
        if (!first) result += separator;
        first = false;
        detail::append_part(result, item);
    }
    return result;
}

[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

}  // namespace heald
