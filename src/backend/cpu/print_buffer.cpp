#include "src/backend/cpu/print_buffer.hpp"

#include <cstdio>

namespace heald::cpu {
namespace {

constexpr std::size_t flush_at = std::size_t{64} << 10;

}  // namespace

int PrintBuffer::format(const char* text, std::va_list arguments) {
    std::va_list again;
    va_copy(again, arguments);
    char small[512];
    const int length = std::vsnprintf(small, sizeof small, text, arguments);
    if (length > 0) {
        const auto size = static_cast<std::size_t>(length);
        if (size < sizeof small) {
            text_.append(small, size);
        } else {
            const std::size_t before = text_.size();
            text_.resize(before + size + 1);
            std::vsnprintf(text_.data() + before, size + 1, text, again);
            text_.resize(before + size);
        }
    }
    va_end(again);
    if (text_.size() >= flush_at) flush();
    return length;
}

void PrintBuffer::flush() noexcept {
    if (text_.empty()) return;
    std::fwrite(text_.data(), 1, text_.size(), stdout);
    std::fflush(stdout);
    text_.clear();
}

}  // namespace heald::cpu
