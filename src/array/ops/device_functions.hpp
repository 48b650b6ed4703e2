#pragma once

#include <heald/export.hpp>

#include <span>
#include <string_view>

namespace heald::array {

/// CUDA C++ that expressions of ufuncs call, in namespace heald_. A kernel has only what it needs:
/// the front end's time is part of every first use.
struct DeviceFunctions {
    std::string_view name;
    std::string_view needs;  ///< names of others, separated by blanks
    std::string_view source;
};

[[nodiscard]] HEALD_API std::span<const DeviceFunctions> device_functions() noexcept;

// The families, each a file in device/.
[[nodiscard]] std::span<const DeviceFunctions> format_functions() noexcept;
[[nodiscard]] std::span<const DeviceFunctions> integer_functions() noexcept;
[[nodiscard]] std::span<const DeviceFunctions> real_functions() noexcept;
[[nodiscard]] std::span<const DeviceFunctions> complex_arithmetic() noexcept;
[[nodiscard]] std::span<const DeviceFunctions> complex_functions() noexcept;
[[nodiscard]] std::span<const DeviceFunctions> philox_functions() noexcept;   // in random/
[[nodiscard]] std::span<const DeviceFunctions> variate_functions() noexcept;  // in random/

}  // namespace heald::array
