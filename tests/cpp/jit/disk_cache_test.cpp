// The disk cache under damage, crowding and death of its writers.

#include "src/jit/disk_cache.hpp"

#include <heald/settings.hpp>

#include "tests/cpp/jit/temporary_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

namespace heald::jit {
namespace {

namespace fs = std::filesystem;

Hash128 key_of(int n) {
    return hash_bytes("key " + std::to_string(n));
}

std::string bytes_of(int n, std::size_t size = 1000) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    return bytes;
}

std::vector<fs::path> files_of(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    return files;
}

class DiskCacheTest : public ::testing::Test {
protected:
    TemporaryFolder folder;
    fs::path place = folder.path() / "a" / "cache";
    DiskCache cache{place, 1 << 20};
};

TEST_F(DiskCacheTest, KeepsAndForgets) {
    EXPECT_EQ(cache.load(key_of(1)), std::nullopt);
    cache.store(key_of(1), bytes_of(1));
    cache.store(key_of(2), "");
    EXPECT_EQ(cache.load(key_of(1)), bytes_of(1));
    EXPECT_EQ(cache.load(key_of(2)), "");
    cache.store(key_of(1), bytes_of(3));
    EXPECT_EQ(cache.load(key_of(1)), bytes_of(3));
    DiskCache other(place, 1 << 20);
    EXPECT_EQ(other.load(key_of(1)), bytes_of(3));
    cache.remove(key_of(1));
    EXPECT_EQ(cache.load(key_of(1)), std::nullopt);
    cache.clear();
    EXPECT_TRUE(files_of(place).empty());
}

TEST_F(DiskCacheTest, OnlyTheOwnerReads) {
    cache.store(key_of(1), bytes_of(1));
    for (const auto& file : files_of(place)) {
        struct stat facts{};
        ASSERT_EQ(stat(file.c_str(), &facts), 0);
        EXPECT_EQ(facts.st_mode & 0777, 0600u);
        ASSERT_EQ(stat(file.parent_path().c_str(), &facts), 0);
        EXPECT_EQ(facts.st_mode & 0777, 0700u);
    }
}

TEST_F(DiskCacheTest, EveryDamagedByteIsNoticed) {
    const std::string bytes = bytes_of(1, 200);
    cache.store(key_of(1), bytes);
    const fs::path file = files_of(place).at(0);
    const auto size = fs::file_size(file);
    for (std::uintmax_t at = 0; at < size; ++at) {
        cache.store(key_of(1), bytes);
        {
            std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
            stream.seekg(static_cast<std::streamoff>(at));
            const char c = static_cast<char>(stream.get() ^ 0x10);
            stream.seekp(static_cast<std::streamoff>(at));
            stream.put(c);
        }
        EXPECT_EQ(cache.load(key_of(1)), std::nullopt) << "byte " << at;
    }
    EXPECT_EQ(cache.counters().rejected, size);
}

TEST_F(DiskCacheTest, TruncatedAndForeignFilesAreRejected) {
    cache.store(key_of(1), bytes_of(1));
    const fs::path file = files_of(place).at(0);
    const auto size = fs::file_size(file);
    for (const std::uintmax_t length : {std::uintmax_t{0}, std::uintmax_t{7}, size / 2, size - 1}) {
        cache.store(key_of(1), bytes_of(1));
        fs::resize_file(file, length);
        EXPECT_EQ(cache.load(key_of(1)), std::nullopt) << length;
        EXPECT_FALSE(fs::exists(file));  // dropped, so that it can be made anew
    }
    cache.store(key_of(1), bytes_of(1));
    fs::resize_file(file, size + 10);
    EXPECT_EQ(cache.load(key_of(1)), std::nullopt);
    // An entry of another key under this name.
    cache.store(key_of(2), bytes_of(2));
    cache.store(key_of(1), bytes_of(1));
    for (const auto& other : files_of(place))
        if (other != file) fs::copy_file(other, file, fs::copy_options::overwrite_existing);
    EXPECT_EQ(cache.load(key_of(1)), std::nullopt);
    // A link, and a file that others may write.
    fs::create_symlink("/etc/passwd", file);
    EXPECT_EQ(cache.load(key_of(1)), std::nullopt);
    cache.store(key_of(1), bytes_of(1));
    chmod(file.c_str(), 0666);
    EXPECT_EQ(cache.load(key_of(1)), std::nullopt);
    EXPECT_EQ(cache.counters().rejected, 8u);
    cache.store(key_of(1), bytes_of(1));
    EXPECT_EQ(cache.load(key_of(1)), bytes_of(1));
}

TEST_F(DiskCacheTest, SizeIsBoundedAndTheOldestGoFirst) {
    DiskCache small(place, 64 << 10);
    const timespec old[2] = {{1'000'000, 0}, {1'000'000, 0}};
    small.store(key_of(0), bytes_of(0));
    for (const auto& file : files_of(place)) utimensat(AT_FDCWD, file.c_str(), old, 0);
    EXPECT_TRUE(small.load(key_of(0)).has_value());  // used: no longer the oldest
    for (int i = 1; i < 20; ++i) small.store(key_of(i), bytes_of(i));
    const auto files = files_of(place);
    for (const auto& file : files)
        if (fs::file_size(file) > 900 && file != files.front())
            utimensat(AT_FDCWD, file.c_str(), old, 0);
    for (int i = 20; i < 400; ++i) {
        small.store(key_of(i), bytes_of(i));
        std::uintmax_t total = 0;
        for (const auto& file : files_of(place)) total += fs::file_size(file);
        ASSERT_LE(total, (64u << 10) + (64u << 10) / 16 + 2048);
    }
    EXPECT_TRUE(small.load(key_of(399)).has_value());
    EXPECT_FALSE(small.load(key_of(5)).has_value());
    small.store(key_of(1000), bytes_of(1000, 65 << 10));  // more than the whole
    EXPECT_FALSE(small.load(key_of(1000)).has_value());
}

TEST_F(DiskCacheTest, UnusableFoldersWarnOnce) {
    static int warnings;
    warnings = 0;
    set_warning_handler([](const char*) { ++warnings; });
    std::ofstream(folder.path() / "file") << "in the way";
    DiskCache blocked(folder.path() / "file" / "cache", 1 << 20);
    for (int i = 0; i < 5; ++i) {
        blocked.store(key_of(i), bytes_of(i));
        EXPECT_FALSE(blocked.load(key_of(i)).has_value());
    }
    EXPECT_EQ(warnings, 1);
    DiskCache none({}, 1 << 20);
    none.store(key_of(1), bytes_of(1));
    EXPECT_FALSE(none.load(key_of(1)).has_value());
    none.clear();
    EXPECT_EQ(warnings, 1);
    set_warning_handler(nullptr);
}

TEST_F(DiskCacheTest, ThreadsShareIt) {
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 200; ++i) {
                const int n = (i * 7 + t) % 20;
                if (const auto bytes = cache.load(key_of(n)))
                    wrong += *bytes != bytes_of(n);
                else
                    cache.store(key_of(n), bytes_of(n));
                if (i % 50 == 0) cache.remove(key_of(n));
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(cache.counters().rejected, 0u);
}

TEST_F(DiskCacheTest, FourProcessesShareItAndOneIsKilled) {
    std::vector<pid_t> children;
    for (int child = 0; child < 4; ++child) {
        const pid_t pid = fork();
        ASSERT_GE(pid, 0);
        if (pid == 0) {
            DiskCache own(place, 256 << 10);  // small: they evict each other's entries too
            const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(700);
            for (int i = child; child == 3 || std::chrono::steady_clock::now() < end; ++i) {
                const int n = i % 50;
                const std::string expected = bytes_of(n, 8000);
                const auto bytes = own.load(key_of(n));
                if (bytes && *bytes != expected) _exit(1);
                if (!bytes || i % 3 == 0) own.store(key_of(n), expected);
            }
            _exit(own.counters().rejected == 0 ? 0 : 2);
        }
        children.push_back(pid);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill(children[3], SIGKILL);
    for (std::size_t i = 0; i < children.size(); ++i) {
        int status = 0;
        ASSERT_EQ(waitpid(children[i], &status, 0), children[i]);
        if (i == 3) {
            EXPECT_TRUE(WIFSIGNALED(status));
        } else {
            EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
        }
    }
    for (int n = 0; n < 50; ++n)
        EXPECT_EQ(cache.load(key_of(n)).value_or(bytes_of(n, 8000)), bytes_of(n, 8000));
    EXPECT_EQ(cache.counters().rejected, 0u);
}

TEST_F(DiskCacheTest, LeftTemporaryFilesGo) {
    cache.store(key_of(1), bytes_of(1));
    const fs::path left = files_of(place).at(0).string() + ".123.0.tmp";
    std::ofstream(left) << "half";
    DiskCache young(place, 1 << 20);
    young.store(key_of(2), bytes_of(2));
    EXPECT_TRUE(fs::exists(left));  // its writer may live
    const timespec old[2] = {{1'000'000, 0}, {1'000'000, 0}};
    utimensat(AT_FDCWD, left.c_str(), old, 0);
    utimensat(AT_FDCWD, place.c_str(), old, 0);  // nobody looked for long
    DiskCache fresh(place, 1 << 20);
    fresh.store(key_of(3), bytes_of(3));
    EXPECT_FALSE(fs::exists(left));
}

}  // namespace
}  // namespace heald::jit
