#include "src/jit/disk_cache.hpp"

#include "src/base/check.hpp"
#include "src/base/log.hpp"
#include "src/base/settings.hpp"
#include "src/jit/cache_file.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace heald::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t default_limit = std::uint64_t{1} << 30;
constexpr std::time_t stale_temporary_seconds = 3600;
/// Entries are marked as used at most this often, so that a hit seldom writes.
constexpr std::time_t touch_seconds = 60;
constexpr std::time_t measure_seconds = 60;

fs::path default_folder() {
    if (const auto folder = setting(Setting::cache_dir)) return *folder;
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
        return fs::path(cache) / "heald";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / ".cache" / "heald";
    return {};  // no home: no cache
}

bool is_temporary(const fs::path& file) {
    return file.extension() == ".tmp";
}

}  // namespace

DiskCache::DiskCache(fs::path folder, std::uint64_t limit_bytes)
    : folder_(std::move(folder)), limit_(limit_bytes), broken_(folder_.empty()) {}

DiskCache& DiskCache::shared() {
    static DiskCache& cache = *[] {
        const bool wanted = setting_flag(Setting::cache, true);
        return std::make_unique<DiskCache>(wanted ? default_folder() : fs::path(),
                                           setting_bytes(Setting::cache_size, default_limit))
            .release();  // lives as long as the process
    }();
    return cache;
}

fs::path DiskCache::path_of(const Hash128& key) const {
    // 256 folders keep each of them short.
    const std::string name = key.hex();
    return folder_ / name.substr(0, 2) / name.substr(2);
}

bool DiskCache::prepare(const fs::path& folder) noexcept {
    std::error_code failure;
    if (fs::is_directory(folder, failure)) return true;
    std::vector<fs::path> missing;
    for (fs::path at = folder; !at.empty() && !fs::exists(at, failure); at = at.parent_path()) {
        missing.push_back(at);
        if (at == at.parent_path()) break;
    }
    for (auto at = missing.rbegin(); at != missing.rend(); ++at)
        if (mkdir(at->c_str(), 0700) != 0 && errno != EEXIST) break;
    return fs::is_directory(folder, failure);
}

std::optional<std::string> DiskCache::load(const Hash128& key) noexcept {
    if (folder_.empty()) return std::nullopt;
    try {
        const fs::path file = path_of(key);
        auto read = read_cache_file(file, key);
        switch (read.outcome) {
            case CacheFile::Outcome::missing:
                break;
            case CacheFile::Outcome::rejected:
                reject(file);
                break;
            case CacheFile::Outcome::good:
                if (std::time(nullptr) - read.modified > touch_seconds)
                    utimensat(AT_FDCWD, file.c_str(), nullptr, 0);
                counters_.hits.fetch_add(1, std::memory_order_relaxed);
                return std::move(read.bytes);
        }
    } catch (const std::exception& error) {
        log(LogLevel::debug, "compile cache: ", error.what());
    }
    counters_.misses.fetch_add(1, std::memory_order_relaxed);
    return std::nullopt;
}

void DiskCache::reject(const fs::path& file) noexcept {
    counters_.rejected.fetch_add(1, std::memory_order_relaxed);
    std::error_code ignored;
    fs::remove(file, ignored);
    log(LogLevel::info, "compile cache: ", file.string(),
        " is damaged or not ours, and was dropped");
}

void DiskCache::store(const Hash128& key, std::string_view bytes) noexcept {
    if (broken_.load(std::memory_order_relaxed)) return;
    try {
        if (bytes.size() > limit_) return;
        const fs::path file = path_of(key);
        const bool unmeasured = is_unmeasured();
        if (!prepare(file.parent_path()) || !write_cache_file(file, key, bytes)) {
            // A full disk or a folder that cannot be written: said once, then left alone.
            if (!broken_.exchange(true))
                warn(text("the compile cache cannot be written to ", folder_.string(), " (",
                          std::strerror(errno),
                          "): compiled code is not kept. HEALD_CACHE_DIR "
                          "names another folder, HEALD_CACHE=0 does without"));
            return;
        }
        counters_.stores.fetch_add(1, std::memory_order_relaxed);
        const std::uint64_t stored = stored_since_shrink_ += bytes.size();
        if (stored > std::max<std::uint64_t>(limit_ / 16, 1) || unmeasured) shrink();
    } catch (const std::exception& error) {
        log(LogLevel::debug, "compile cache: ", error.what());
    }
}

void DiskCache::remove(const Hash128& key) noexcept {
    if (folder_.empty()) return;
    std::error_code ignored;
    without_throwing("compile cache", [&] { fs::remove(path_of(key), ignored); });
}

/// True at a process's first store, unless some process looked at the folder's size just before
/// (the folder's time says when): that takes long where there are many files.
bool DiskCache::is_unmeasured() noexcept {
    if (measured_.exchange(true, std::memory_order_relaxed)) return false;
    struct stat facts{};
    if (stat(folder_.c_str(), &facts) == 0 && std::time(nullptr) - facts.st_mtime < measure_seconds)
        return false;
    utimensat(AT_FDCWD, folder_.c_str(), nullptr, 0);
    return true;
}

void DiskCache::shrink() noexcept {
    const std::unique_lock lock(shrink_mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return;
    stored_since_shrink_ = 0;
    struct Entry {
        fs::path path;
        std::uint64_t size;
        std::time_t modified;
    };
    without_throwing("compile cache", [&] {
        std::vector<Entry> entries;
        std::uint64_t total = 0;
        std::error_code failure;
        const std::time_t now = std::time(nullptr);
        // Other processes add and remove files meanwhile: whatever is gone is skipped.
        for (fs::recursive_directory_iterator at(folder_, failure), end; !failure && at != end;
             at.increment(failure)) {
            struct stat facts{};
            if (lstat(at->path().c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
            if (is_temporary(at->path())) {
                // A writer was killed; a living one is done within the hour.
                if (now - facts.st_mtime > stale_temporary_seconds) unlink(at->path().c_str());
                continue;
            }
            const auto size = static_cast<std::uint64_t>(facts.st_size);
            entries.push_back({at->path(), size, facts.st_mtime});
            total += size;
        }
        if (total <= limit_) return;
        std::sort(entries.begin(), entries.end(),
                  [](const Entry& a, const Entry& b) { return a.modified < b.modified; });
        // Some room, so that not every store looks at the whole folder.
        const std::uint64_t goal = limit_ - limit_ / 8;
        for (const Entry& entry : entries) {
            if (total <= goal) break;
            if (unlink(entry.path.c_str()) == 0 || errno == ENOENT) total -= entry.size;
        }
    });
}

void DiskCache::clear() noexcept {
    if (folder_.empty()) return;
    without_throwing("compile cache", [&] {
        std::error_code failure;
        std::vector<fs::path> files;
        for (fs::recursive_directory_iterator at(folder_, failure), end; !failure && at != end;
             at.increment(failure))
            if (at->is_regular_file(failure)) files.push_back(at->path());
        for (const fs::path& file : files)
            if (is_temporary(file) || is_cache_file(file)) fs::remove(file, failure);
    });
}

}  // namespace heald::jit
