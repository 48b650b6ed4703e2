#pragma once

#include <span>

namespace heald::nvrtc {

struct StandardText {
    const char* name;
    const char* text;
};

/// Written for any C++17 compiler of device code; NVRTC itself has size_t, printf, assert, memcpy,
/// malloc and the C math functions.
[[nodiscard]] std::span<const StandardText> standard_texts() noexcept;

}  // namespace heald::nvrtc
