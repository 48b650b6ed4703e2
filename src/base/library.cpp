#include "src/base/library.hpp"

#include <heald/settings.hpp>

#include "src/base/check.hpp"
#include "src/base/log.hpp"

#include <dlfcn.h>
#include <link.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace heald {
namespace {

namespace fs = std::filesystem;

std::mutex folders_mutex;
std::vector<std::string> folders_set;  // NOLINT: guarded by folders_mutex

bool exists(const std::string& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

/// The folders that `pattern` names below `root`, with '*' for one component.
std::vector<std::string> expand(const std::string& root, const std::string& pattern) {
    const auto star = pattern.find('*');
    if (star == std::string::npos) return {root + "/" + pattern};
    std::vector<std::string> result;
    std::error_code ignored;
    const std::string before = root + "/" + pattern.substr(0, star);
    const std::string after = pattern.substr(star + 1);
    for (const auto& entry : fs::directory_iterator(before, ignored))
        if (exists(entry.path().string() + after)) result.push_back(entry.path().string() + after);
    std::sort(result.begin(), result.end());
    return result;
}

std::vector<std::string> toolkit_folders(const std::string& root) {
#if defined(__aarch64__)
    return {root + "/lib64", root + "/lib", root + "/targets/sbsa-linux/lib"};
#else
    return {root + "/lib64", root + "/lib", root + "/targets/x86_64-linux/lib"};
#endif
}

/// Newest first: /usr/local/cuda, then /usr/local/cuda-13.0, /usr/local/cuda-12.8, …
std::vector<std::string> installed_toolkits() {
    std::vector<std::string> result;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/usr/local", ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("cuda-")) result.push_back(entry.path().string());
    }
    std::sort(result.rbegin(), result.rend());
    result.insert(result.begin(), "/usr/local/cuda");
    return result;
}

std::string path_of(void* handle) {
    link_map* map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
    return map->l_name;
}

}  // namespace

void set_package_folders(std::vector<std::string> folders) {
    const std::lock_guard lock(folders_mutex);
    folders_set = std::move(folders);
}

std::vector<std::string> package_folders() {
    const std::lock_guard lock(folders_mutex);
    return folders_set;
}

std::string own_folder() {
    static const char anchor = 0;
    Dl_info info{};
    if (dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr) return ".";
    std::error_code ignored;
    const fs::path path = fs::absolute(info.dli_fname, ignored);
    return path.parent_path().string();
}

bool Library::try_open(const std::string& file, bool only_if_loaded) {
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | (only_if_loaded ? RTLD_NOLOAD : 0));
    if (handle == nullptr) {
        const char* why = dlerror();
        if (!only_if_loaded && first_failure_.empty() && exists(file))
            first_failure_ = why != nullptr ? why : "";
        return false;
    }
    if (!spec_.must_define.empty() && dlsym(handle, spec_.must_define.c_str()) == nullptr) {
        dlclose(handle);
        if (first_failure_.empty()) first_failure_ = text(file, " has no ", spec_.must_define);
        return false;
    }
    handle_ = handle;
    path_ = path_of(handle);
    if (path_.empty()) path_ = file;
    log(LogLevel::debug, spec_.name, " is ", path_);
    return true;
}

bool Library::try_folder(const std::string& folder) {
    if (!exists(folder)) return false;
    tried_.push_back(folder);
    for (const std::string& soname : spec_.sonames) {
        const std::string file = folder + "/" + soname;
        if (exists(file) && try_open(file, false)) return true;
    }
    return false;
}

bool Library::try_place(const std::string& place) {
    std::error_code ignored;
    if (fs::is_directory(place, ignored)) {
        if (try_folder(place)) return true;
        for (const std::string& folder : toolkit_folders(place))
            if (try_folder(folder)) return true;
        return false;
    }
    tried_.push_back(place);
    return try_open(place, false);
}

void Library::search() {
    if (spec_.path_setting) {
        if (const auto place = setting(*spec_.path_setting)) {
            // The user insists on this one: no other will do in its place.
            if (!try_place(*place) && first_failure_.empty())
                first_failure_ =
                    text(name_of(*spec_.path_setting), "=", *place, " does not hold it");
            return;
        }
    }
    tried_.push_back("libraries that the process has open");
    for (const std::string& soname : spec_.sonames)
        if (try_open(soname, true)) return;
    if (spec_.beside_heald)
        for (const char* below : {"", "/../lib", "/lib"})
            if (try_folder(own_folder() + below)) return;
    if (!spec_.only_system) {
        for (const std::string& root : package_folders())
            for (const std::string& pattern : spec_.package_folders)
                for (const std::string& folder : expand(root, pattern))
                    if (try_folder(folder)) return;
        for (const char* variable : {"CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH"}) {
            const char* root = std::getenv(variable);
            if (root == nullptr || *root == '\0') continue;
            for (const std::string& folder : toolkit_folders(root))
                if (try_folder(folder)) return;
        }
    }
    tried_.push_back("the system's library path (LD_LIBRARY_PATH, ldconfig)");
    for (const std::string& soname : spec_.sonames)
        if (try_open(soname, false)) return;
    if (!spec_.only_system)
        for (const std::string& root : installed_toolkits())
            for (const std::string& folder : toolkit_folders(root))
                if (try_folder(folder)) return;
}

void Library::open_once() {
    std::call_once(once_, [this] { search(); });
}

bool Library::available() {
    open_once();
    return handle_ != nullptr;
}

void* Library::symbol(const char* name) {
    return available() ? dlsym(handle_, name) : nullptr;
}

std::string Library::too_old(std::string_view symbol) {
    return text(path(), " has no ", symbol, ": it is too old. To get a newer one: ", spec_.remedy);
}

void Library::fail_too_old(const char* symbol) {
    fail(ErrorKind::unavailable, "[", spec_.name, "] ", too_old(symbol));
}

const std::string& Library::path() {
    open_once();
    return path_;
}

std::string Library::why_missing() {
    if (available()) return {};
    std::string reason = text(spec_.name, " (", spec_.purpose, ") was not found: looked for ",
                              join(spec_.sonames), " in ", join(tried_, "; "));
    if (!first_failure_.empty()) reason += text(". ", first_failure_);
    if (!spec_.remedy.empty()) reason += text(". To get it: ", spec_.remedy);
    return reason;
}

void Library::require(const std::string& operation) {
    if (!available()) fail(ErrorKind::unavailable, "[", operation, "] ", why_missing());
}

LibraryReport Library::report() {
    LibraryReport result;
    result.name = spec_.name;
    result.purpose = spec_.purpose;
    result.found = available();
    result.path = path_;
    result.tried = tried_;
    if (!first_failure_.empty()) result.tried.push_back(first_failure_);
    if (!result.found) result.remedy = spec_.remedy;
    return result;
}

}  // namespace heald
