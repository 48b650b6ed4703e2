#include "src/backend/cpu/print_buffer.hpp"

#include <cstdio>

namespace heald::cpu {
namespace {

constexpr std::size_t flush_at = std::size_t{64} << 10;

}  // namespace

void PrintBuffer::append(const char* text, std::size_t bytes) {
    text_.append(text, bytes);
    if (text_.size() >= flush_at) flush();
}

void PrintBuffer::append_formatted(std::size_t bytes, const char* format, std::va_list arguments) {
    const std::size_t before = text_.size();
    text_.resize(before + bytes + 1);
    std::vsnprintf(text_.data() + before, bytes + 1, format, arguments);
    text_.resize(before + bytes);
    if (text_.size() >= flush_at) flush();
}

void PrintBuffer::flush() noexcept {
    if (text_.empty()) return;
    std::fwrite(text_.data(), 1, text_.size(), stdout);
    std::fflush(stdout);
    text_.clear();
}

}  // namespace heald::cpu
