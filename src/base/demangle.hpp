#pragma once

#include <string>
#include <string_view>

namespace heald {

/// The C++ name that an Itanium-mangled one stands for; other names as they are.
[[nodiscard]] std::string demangle(std::string_view mangled);

}  // namespace heald
