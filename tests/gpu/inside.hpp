#pragma once

// What the tests look at beneath the public API.

#include <heald/stream.hpp>

#include <cstddef>

namespace gpu_check {

/// Executable graphs that repeated launches hold on a stream.
[[nodiscard]] std::size_t graphs_of(const heald::Stream& stream);

/// False under HEALD_LAUNCH_PATH=plain and under tools such as compute-sanitizer.
[[nodiscard]] bool launches_are_automatic();

/// Bytes of this process in memory.
[[nodiscard]] std::size_t resident_bytes();

/// The context that is current on this thread, or null.
[[nodiscard]] void* current_context();
/// Makes it current; null: none.
void set_current_context(void* context);
/// The primary context of a device.
[[nodiscard]] void* primary_context(int ordinal);

/// A capture of a stream by somebody who has its handle.
class Capture {
public:
    enum class Mode : int { global = 0, thread = 1, relaxed = 2 };

    explicit Capture(const heald::Stream& stream, Mode mode = Mode::thread);
    ~Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    void end();
    [[nodiscard]] std::size_t nodes() const;
    void launch();

private:
    void* stream_;
    void* graph_ = nullptr;
    void* executable_ = nullptr;
};

}  // namespace gpu_check
