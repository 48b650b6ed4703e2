#include "src/jit/nvrtc/dependencies.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

namespace heald::nvrtc {
namespace {

namespace fs = std::filesystem;

class Finder {
public:
    explicit Finder(const ProgramOptions& options) : options_(options) {}

    void follow(const std::vector<Include>& includes, const fs::path& folder) {
        for (const Include& include : includes) {
            if (const auto text = in_memory(include.name)) {
                // An in-memory header is part of the request; what it includes may not be.
                if (seen_.insert("<" + include.name).second)
                    look_at(find_declarations(*text), folder);
            } else if (const auto path = on_disk(include, folder)) {
                open(*path);
            }
        }
    }

    Dependencies result;

private:
    void look_at(const Declarations& declarations, const fs::path& folder) {
        result.has_mutable_globals = result.has_mutable_globals || declarations.has_mutable_globals;
        follow(declarations.includes, folder);
    }

    void open(const fs::path& path) {
        std::error_code ignored;
        const std::string name = fs::weakly_canonical(path, ignored).string();
        if (!seen_.insert(name).second) return;
        result.files.push_back(name);
        std::ifstream file(path, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        const std::string source = text.str();
        look_at(find_declarations(source), path.parent_path());
    }

    [[nodiscard]] const std::string* in_memory(const std::string& name) const {
        for (const auto& [header, text] : options_.headers)
            if (header == name) return &text;
        return nullptr;
    }

    [[nodiscard]] std::optional<fs::path> on_disk(const Include& include,
                                                  const fs::path& folder) const {
        std::vector<fs::path> places;
        if (include.quoted) places.push_back(folder);
        places.insert(places.end(), options_.include_paths.begin(), options_.include_paths.end());
        std::error_code ignored;
        for (const fs::path& place : places)
            if (fs::is_regular_file(place / include.name, ignored)) return place / include.name;
        return std::nullopt;
    }

    const ProgramOptions& options_;
    std::set<std::string> seen_;
};

}  // namespace

Dependencies find_dependencies(const Declarations& source, const ProgramOptions& options) {
    Finder finder(options);
    std::error_code ignored;
    finder.follow(source.includes, fs::current_path(ignored));
    return std::move(finder.result);
}

}  // namespace heald::nvrtc
