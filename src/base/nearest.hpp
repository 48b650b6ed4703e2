#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heald {

/// Insertions, deletions, replacements and swaps of neighbours that make `a` into `b`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// Up to `limit` candidates that look like `name`, nearest first.
[[nodiscard]] std::vector<std::string> nearest(std::string_view name,
                                               const std::vector<std::string>& candidates,
                                               std::size_t limit = 3);

/// ": did you mean 'scale' or 'scale2'?", or "" if nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view name,
                                       const std::vector<std::string>& candidates);

}  // namespace heald
