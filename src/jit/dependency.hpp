#pragma once

#include "src/base/hash.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace heald::jit {

/// A file that a compilation read, and what it held then.
struct Dependency {
    std::string path;
    Hash128 content;
    // If all of these are as they were, the content is, without reading it. 0: not to be trusted,
    // because the file was changed just before.
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;
    std::int64_t changed_ns = 0;
    std::uint64_t inode = 0;
};

/// Nanoseconds since 1970, as files have them.
[[nodiscard]] std::int64_t file_clock_now() noexcept;

/// The file as it is. nullopt if it cannot be read or was changed after `not_after`: what a
/// compilation read of it is unknown then.
[[nodiscard]] std::optional<Dependency> dependency_on(const std::string& path,
                                                      std::int64_t not_after);

[[nodiscard]] bool is_unchanged(const Dependency& dependency);

}  // namespace heald::jit
