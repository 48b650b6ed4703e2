#include "src/jit/cache_file.hpp"

#include "src/base/text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace heald::jit {
namespace {

/// In front of the bytes.
struct Header {
    std::array<char, 8> magic;
    Hash128 key;
    Hash128 checksum;
    std::uint64_t size;
};

constexpr std::array<char, 8> magic{'H', 'E', 'A', 'L', 'D', 'C', '0', '1'};

class File {
public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
    [[nodiscard]] int get() const { return descriptor_; }

    bool read_all(void* to, std::size_t bytes) const {
        auto* at = static_cast<char*>(to);
        while (bytes > 0) {
            const ssize_t got = ::read(descriptor_, at, bytes);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return false;
            at += got;
            bytes -= static_cast<std::size_t>(got);
        }
        return true;
    }
    [[nodiscard]] bool write_all(std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(put));
        }
        return true;
    }

private:
    int descriptor_;
};

}  // namespace

CacheFile read_cache_file(const std::filesystem::path& path, const Hash128& key) {
    CacheFile result;
    const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file.is_open()) {
        if (errno == ELOOP) result.outcome = CacheFile::Outcome::rejected;
        return result;
    }
    result.outcome = CacheFile::Outcome::rejected;
    struct stat facts{};
    if (fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return result;
    // Code that someone else could have written is not run.
    if (facts.st_uid != geteuid() || (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0) return result;
    Header header{};
    if (!file.read_all(&header, sizeof header)) return result;
    if (header.magic != magic || header.key != key) return result;
    if (header.size != static_cast<std::uint64_t>(facts.st_size) - sizeof header) return result;
    std::string bytes(header.size, '\0');
    if (!file.read_all(bytes.data(), bytes.size())) return result;
    if (hash_bytes(bytes) != header.checksum) return result;
    result.bytes = std::move(bytes);
    result.modified = facts.st_mtime;
    result.outcome = CacheFile::Outcome::good;
    return result;
}

bool write_cache_file(const std::filesystem::path& path, const Hash128& key,
                      std::string_view bytes) {
    static std::atomic<unsigned> number{0};
    const std::string temporary = text(path.string(), ".", ::getpid(), ".", number++, ".tmp");
    const Header header{magic, key, hash_bytes(bytes), bytes.size()};
    {
        const File file(
            ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!file.is_open()) return false;
        const std::string_view head(reinterpret_cast<const char*>(&header), sizeof header);
        if (!file.write_all(head) || !file.write_all(bytes)) {
            const int why = errno;
            ::unlink(temporary.c_str());
            errno = why;
            return false;
        }
    }
    if (::rename(temporary.c_str(), path.c_str()) == 0) return true;
    const int why = errno;
    ::unlink(temporary.c_str());
    errno = why;
    return false;
}

bool is_cache_file(const std::filesystem::path& path) {
    const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    std::array<char, magic.size()> start{};
    return file.is_open() && file.read_all(start.data(), start.size()) && start == magic;
}

}  // namespace heald::jit
