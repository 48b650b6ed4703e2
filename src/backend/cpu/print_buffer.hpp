#pragma once

#include <cstdarg>
#include <cstddef>
#include <string>

namespace heald::cpu {

/// What a kernel printed on one thread and nobody has seen yet. Kernels never touch stdio, whose
/// locks a fault would leave locked.
class PrintBuffer {
public:
    void append(const char* text, std::size_t bytes);
    /// Appends what printf would print, `bytes` bytes.
    void append_formatted(std::size_t bytes, const char* format, std::va_list arguments);

    [[nodiscard]] bool empty() const noexcept { return text_.empty(); }

    /// Writes everything to standard output, whole, after what the process itself printed.
    void flush() noexcept;

private:
    std::string text_;
};

}  // namespace heald::cpu
