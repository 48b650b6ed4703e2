#include "src/plan/tuning_store.hpp"

#include <heald/program.hpp>

#include "src/base/check.hpp"
#include "src/base/fork.hpp"
#include "src/base/settings.hpp"

#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

namespace heald::plan {
namespace {

namespace fs = std::filesystem;
using Choices = std::map<std::string, std::string>;

constexpr const char* header = "heald tuning 1\n";

struct Store {
    ForkMutex mutex;
    bool loaded = false;
    Choices choices;
};

Store& store() {
    static auto& only = *std::make_unique<Store>().release();
    return only;
}

std::string file_path() {
    if (!setting_flag(Setting::cache, true)) return {};
    return compile_cache_directory() + "/tuning.txt";
}

/// False if there is no such file. Lines that are not `key<TAB>choice` are skipped.
bool read_file(const std::string& path, Choices& choices) {
    std::FILE* file = std::fopen(path.c_str(), "re");
    if (file == nullptr) return false;
    std::string line;
    bool first = true;
    bool good = true;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
        line += static_cast<char>(c);
        if (c != '\n') continue;
        if (first) good = line == header;
        first = false;
        const auto tab = line.find('\t');
        if (good && tab != std::string::npos)
            choices[line.substr(0, tab)] = line.substr(tab + 1, line.size() - tab - 2);
        line.clear();
    }
    std::fclose(file);
    return good && !first;
}

/// To a file of its own, then renamed: a reader sees the old or the new one whole.
bool write_file(const std::string& path, const Choices& choices) {
    const std::string temporary = text(path, ".", static_cast<long>(::getpid()));
    std::FILE* file = std::fopen(temporary.c_str(), "we");
    if (file == nullptr) return false;
    bool good = std::fputs(header, file) >= 0;
    for (const auto& [key, choice] : choices)
        good = std::fputs(text(key, "\t", choice, "\n").c_str(), file) >= 0 && good;
    good = std::fclose(file) == 0 && good;
    std::error_code failed;
    if (good) fs::rename(temporary, path, failed);
    if (!good || failed) fs::remove(temporary, failed);
    return good && !failed;
}

/// What the file holds and this process does not know. The caller holds the lock.
void load_once(Store& tuning) {
    if (tuning.loaded) return;
    tuning.loaded = true;
    const std::string path = file_path();
    Choices found;
    if (!path.empty() && read_file(path, found)) tuning.choices.merge(found);
}

}  // namespace

std::optional<std::string> find_tuning(const std::string& key) {
    Store& tuning = store();
    const std::lock_guard lock(tuning.mutex);
    load_once(tuning);
    const auto found = tuning.choices.find(key);
    if (found == tuning.choices.end()) return std::nullopt;
    return found->second;
}

void store_tuning(const std::string& key, const std::string& choice) {
    Store& tuning = store();
    const std::lock_guard lock(tuning.mutex);
    load_once(tuning);
    tuning.choices[key] = choice;
    const std::string path = file_path();
    if (path.empty()) return;
    // Other processes may have added theirs.
    Choices all = tuning.choices;
    Choices on_disk;
    if (read_file(path, on_disk)) all.merge(on_disk);
    std::error_code ignored;
    fs::create_directories(fs::path(path).parent_path(), ignored);
    static_cast<void>(write_file(path, all));  // it is measured again if this fails
}

void save_tuning(const std::string& path) {
    Store& tuning = store();
    Choices choices;
    {
        const std::lock_guard lock(tuning.mutex);
        load_once(tuning);
        choices = tuning.choices;
    }
    HEALD_EXPECTS(write_file(path, choices), device, "[tuning.save] cannot write ", path);
}

std::size_t load_tuning(const std::string& path) {
    Choices found;
    HEALD_EXPECTS(read_file(path, found), not_found, "[tuning.load] ", path,
                  " is not there or not a file of tuning.save");
    Store& tuning = store();
    const std::lock_guard lock(tuning.mutex);
    load_once(tuning);
    for (const auto& [key, choice] : found) tuning.choices[key] = choice;
    return found.size();
}

void clear_tuning() {
    Store& tuning = store();
    const std::lock_guard lock(tuning.mutex);
    tuning.loaded = true;
    tuning.choices.clear();
    std::error_code ignored;
    if (const std::string path = file_path(); !path.empty()) fs::remove(path, ignored);
}

std::size_t tuning_count() {
    Store& tuning = store();
    const std::lock_guard lock(tuning.mutex);
    load_once(tuning);
    return tuning.choices.size();
}

}  // namespace heald::plan
