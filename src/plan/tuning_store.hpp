#pragma once

#include <heald/export.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace heald::plan {

// Choices of algorithms that were measured, by a text that names device, library version and
// problem. Kept in a file of the cache folder, unless HEALD_CACHE=0.

[[nodiscard]] std::optional<std::string> find_tuning(const std::string& key);
/// Neither text may have tabs or line ends.
void store_tuning(const std::string& key, const std::string& choice);

/// Every choice, as lines of a text file. Throws Error(device) if it cannot be written.
HEALD_API void save_tuning(const std::string& path);
/// Adds the choices of such a file; how many. Throws Error(not_found) if it cannot be read.
HEALD_API std::size_t load_tuning(const std::string& path);
/// Forgets every choice, on disk as well.
HEALD_API void clear_tuning();
HEALD_API std::size_t tuning_count();

}  // namespace heald::plan
