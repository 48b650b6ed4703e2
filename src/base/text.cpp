#include "src/base/text.hpp"

#include <array>
#include <charconv>
#include <cstdio>

namespace heald {

void detail::append_part(std::string& text, double part) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), part).ptr;
    text.append(buffer.data(), end);
}

void detail::append_part(std::string& text, const void* part) {
    std::array<char, 24> buffer;
    const int length = std::snprintf(buffer.data(), buffer.size(), "%p", part);
    text.append(buffer.data(), static_cast<std::size_t>(length));
}

std::string bytes_text(std::uint64_t bytes) {
    static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    auto value = static_cast<double>(bytes);
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    std::array<char, 40> buffer;
    const char* format = unit == 0 || value >= 100 ? "%.0f %s"
                         : value >= 10             ? "%.1f %s"
                                                   : "%.2f %s";
    const int length = std::snprintf(buffer.data(), buffer.size(), format, value, units[unit]);
    return {buffer.data(), static_cast<std::size_t>(length)};
}

std::string_view trimmed(std::string_view text) noexcept {
    constexpr std::string_view space = " \t\r\n";
    const auto begin = text.find_first_not_of(space);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

}  // namespace heald
