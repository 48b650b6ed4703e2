#include "src/jit/dependency.hpp"

#include <sys/stat.h>
#include <ctime>
#include <fstream>
#include <iterator>

namespace heald::jit {
namespace {

constexpr std::int64_t second_ns = 1'000'000'000;

std::int64_t nanoseconds(const timespec& time) noexcept {
    return time.tv_sec * second_ns + time.tv_nsec;
}

std::optional<Hash128> content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) return std::nullopt;
    return hash_bytes(bytes);
}

}  // namespace

std::int64_t file_clock_now() noexcept {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return nanoseconds(now);
}

std::optional<Dependency> dependency_on(const std::string& path, std::int64_t not_after) {
    struct stat facts{};
    if (stat(path.c_str(), &facts) != 0 || nanoseconds(facts.st_ctim) > not_after)
        return std::nullopt;
    const auto content = content_of(path);
    if (!content) return std::nullopt;
    Dependency result{path, *content};
    // File times have the grain of a clock tick, on some file systems of two seconds: a change soon
    // after the last one may not show in them.
    if (file_clock_now() - nanoseconds(facts.st_ctim) > 3 * second_ns) {
        result.size = static_cast<std::uint64_t>(facts.st_size);
        result.modified_ns = nanoseconds(facts.st_mtim);
        result.changed_ns = nanoseconds(facts.st_ctim);
        result.inode = facts.st_ino;
    }
    return result;
}

bool is_unchanged(const Dependency& dependency) {
    struct stat facts{};
    if (stat(dependency.path.c_str(), &facts) != 0) return false;
    if (dependency.changed_ns != 0 &&
        dependency.size == static_cast<std::uint64_t>(facts.st_size) &&
        dependency.modified_ns == nanoseconds(facts.st_mtim) &&
        dependency.changed_ns == nanoseconds(facts.st_ctim) && dependency.inode == facts.st_ino)
        return true;
    return content_of(dependency.path) == dependency.content;
}

}  // namespace heald::jit
