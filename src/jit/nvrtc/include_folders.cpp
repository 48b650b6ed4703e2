#include "src/jit/nvrtc/include_folders.hpp"

#include "src/base/log.hpp"
#include "src/jit/nvrtc/api.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace heald::nvrtc {
namespace {

namespace fs = std::filesystem;

bool present(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

class Search {
public:
    /// Adds the folder if it has a header that is still wanted; CCCL may lie below it.
    void look_into(const fs::path& folder) {
        if (!has_runtime_ && present(folder / "cuda_fp16.h")) {
            has_runtime_ = true;
            add(folder);
        }
        if (!has_cccl_) {
            for (const fs::path& place : {folder / "cccl", folder})
                if (present(place / "cuda" / "std" / "version")) {
                    has_cccl_ = true;
                    add(place);
                    break;
                }
        }
    }

    [[nodiscard]] bool complete() const noexcept { return has_runtime_ && has_cccl_; }
    std::vector<std::string> folders;

private:
    void add(const fs::path& folder) {
        if (std::find(folders.begin(), folders.end(), folder.string()) == folders.end())
            folders.push_back(folder.string());
    }

    bool has_runtime_ = false;
    bool has_cccl_ = false;
};

std::vector<std::string> find_folders() {
    Search search;
    std::error_code ignored;
    // The headers that came with this NVRTC fit best: nvidia/cu13/{lib,include},
    // nvidia/{cuda_nvrtc,cuda_runtime,cuda_cccl}/include, cuda-13.0/{lib64,include},
    // cuda-13.0/targets/x86_64-linux/{lib,include}.
    const fs::path library_path = fs::weakly_canonical(library().path(), ignored);
    const fs::path root = library_path.parent_path().parent_path();
    search.look_into(root / "include");
    search.look_into(root.parent_path() / "cuda_runtime" / "include");
    search.look_into(root.parent_path() / "cuda_cccl" / "include");
    const auto package_roots = package_folders();
    for (const fs::path package : package_roots)
        for (const char* below : {"nvidia/cu13/include", "nvidia/cuda_runtime/include",
                                  "nvidia/cuda_cccl/include", "nvidia/cu12/include"})
            if (!search.complete()) search.look_into(package / below);
    for (const char* variable : {"CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH"}) {
        const char* value = std::getenv(variable);
        if (value == nullptr || *value == '\0' || search.complete()) continue;
        search.look_into(fs::path(value) / "targets/x86_64-linux/include");
        search.look_into(fs::path(value) / "targets/sbsa-linux/include");
        search.look_into(fs::path(value) / "include");
    }
    if (!search.complete()) search.look_into("/usr/local/cuda/include");
    for (const std::string& folder : search.folders)
        log(LogLevel::debug, "CUDA headers in ", folder);
    return std::move(search.folders);
}

}  // namespace

const std::vector<std::string>& cuda_include_folders() {
    static const auto* const folders = new std::vector<std::string>(find_folders());
    return *folders;
}

}  // namespace heald::nvrtc
