#pragma once

#include "src/base/hash.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace heald::jit {

/// Bytes by key, in files that several processes share. Entries are written to a temporary file and
/// renamed, readable by the owner only, verified by checksum when read, and bounded in total: the
/// least recently used go first. Nothing here throws: a cache that cannot be used holds nothing.
class DiskCache {
public:
    struct Counters {
        std::atomic<std::uint64_t> hits{0};
        std::atomic<std::uint64_t> misses{0};
        std::atomic<std::uint64_t> stores{0};
        std::atomic<std::uint64_t> rejected{0};  ///< damaged or foreign files
    };

    /// An empty folder: no cache.
    DiskCache(std::filesystem::path folder, std::uint64_t limit_bytes);

    /// The process's cache, as HEALD_CACHE, HEALD_CACHE_DIR and HEALD_CACHE_SIZE say at first use.
    static DiskCache& shared();

    [[nodiscard]] std::optional<std::string> load(const Hash128& key) noexcept;
    void store(const Hash128& key, std::string_view bytes) noexcept;
    void remove(const Hash128& key) noexcept;
    void clear() noexcept;

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }
    [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

private:
    [[nodiscard]] std::filesystem::path path_of(const Hash128& key) const;
    bool prepare(const std::filesystem::path& folder) noexcept;
    void reject(const std::filesystem::path& file) noexcept;
    [[nodiscard]] bool is_unmeasured() noexcept;
    void shrink() noexcept;

    std::filesystem::path folder_;
    std::uint64_t limit_;
    Counters counters_;
    std::atomic<bool> broken_;  ///< cannot be written
    std::atomic<bool> measured_{false};
    std::atomic<std::uint64_t> stored_since_shrink_{0};
    std::mutex shrink_mutex_;
};

}  // namespace heald::jit
