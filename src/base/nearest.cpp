#include "src/base/nearest.hpp"

#include "src/base/text.hpp"

#include <algorithm>
#include <cctype>

namespace heald {
namespace {

/// Letters of either case count as near, so compare without case and break ties by case.
std::string folded(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above[b.size()];
}

std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates,
                                 std::size_t limit) {
    struct Scored {
        std::size_t distance;
        const std::string* candidate;
    };
    const std::string wanted = folded(name);
    std::vector<Scored> scored;
    for (const std::string& candidate : candidates) {
        const std::string given = folded(candidate);
        const std::size_t allowed =
            std::max<std::size_t>(2, std::min(wanted.size(), given.size()) / 3);
        // A name within the other ("scale" in "ns::scale<float>") is near, whatever its length.
        const bool within =
            wanted.size() >= 3 && given.size() >= 3 &&
            (given.find(wanted) != std::string::npos || wanted.find(given) != std::string::npos);
        const std::size_t distance = edit_distance(wanted, given);
        if (distance <= allowed || within) scored.push_back({within ? 0 : distance, &candidate});
    }
    std::stable_sort(scored.begin(), scored.end(),
                     [](const Scored& a, const Scored& b) { return a.distance < b.distance; });
    std::vector<std::string> result;
    for (const Scored& entry : scored) {
        if (result.size() == limit) break;
        if (std::find(result.begin(), result.end(), *entry.candidate) == result.end())
            result.push_back(*entry.candidate);
    }
    return result;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
    const auto near = nearest(name, candidates);
    if (near.empty()) return {};
    std::string result = ": did you mean ";
    for (std::size_t i = 0; i < near.size(); ++i)
        result += text(i == 0 ? "" : i + 1 == near.size() ? " or " : ", ", "'", near[i], "'");
    return result + "?";
}

}  // namespace heald
