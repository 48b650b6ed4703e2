#include "src/jit/nvrtc/standard_headers.hpp"

#include "src/jit/nvrtc/standard_texts.hpp"

#include <algorithm>
#include <filesystem>

namespace heald::nvrtc {

std::vector<std::pair<std::string, std::string>> headers_for(const std::vector<Include>& includes,
                                                             const ProgramOptions& options) {
    std::vector<std::pair<std::string, std::string>> result = options.headers;
    if (includes.empty() && options.headers.empty()) return result;
    const auto given = [&](const std::string& name) {
        std::error_code ignored;
        return std::any_of(options.headers.begin(), options.headers.end(),
                           [&](const auto& header) { return header.first == name; }) ||
               std::any_of(options.include_paths.begin(), options.include_paths.end(),
                           [&](const std::string& folder) {
                               return std::filesystem::exists(std::filesystem::path(folder) / name,
                                                              ignored);
                           });
    };
    for (const StandardText& header : standard_texts())
        if (!given(header.name)) result.emplace_back(header.name, header.text);
    return result;
}

}  // namespace heald::nvrtc
