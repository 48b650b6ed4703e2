#pragma once

#include "src/base/hash.hpp"

#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>

namespace heald::jit {

/// A file of the cache as it was read.
struct CacheFile {
    enum class Outcome {
        good,
        missing,
        rejected,  ///< damaged, of another key or format, or not the user's own
    };
    Outcome outcome = Outcome::missing;
    std::string bytes;
    std::time_t modified = 0;
};

[[nodiscard]] CacheFile read_cache_file(const std::filesystem::path& file, const Hash128& key);

/// Writes a temporary file beside it and renames it: readers see all of it or nothing. False, with
/// errno, if that failed.
bool write_cache_file(const std::filesystem::path& file, const Hash128& key,
                      std::string_view bytes);

/// True if it begins as a file of the cache does.
[[nodiscard]] bool is_cache_file(const std::filesystem::path& file);

}  // namespace heald::jit
