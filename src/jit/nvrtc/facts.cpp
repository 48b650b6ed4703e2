#include "src/jit/nvrtc/facts.hpp"

#include "src/base/hash.hpp"
#include "src/base/settings.hpp"
#include "src/base/text.hpp"
#include "src/jit/disk_cache.hpp"
#include "src/jit/nvrtc/api.hpp"
#include "src/jit/nvrtc/include_folders.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace heald::nvrtc {
namespace {

/// "size time" of a file; "" if there is none.
std::string stamp_of(const std::string& path) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0) return {};
    return text(status.st_size, " ", status.st_mtim.tv_sec, ".", status.st_mtim.tv_nsec);
}

/// Everything that decides which file the search finds.
Hash128 key_of_environment() {
    KeyBuilder key;
    key.add("NVRTC facts 1");
    for (const char* variable : {name_of(Setting::nvrtc_path), "CONDA_PREFIX", "CUDA_HOME",
                                 "CUDA_PATH", "LD_LIBRARY_PATH"}) {
        const char* value = std::getenv(variable);
        key.add(value != nullptr ? value : "");
    }
    key.add_all(package_folders());
    for (const std::string& folder : package_folders()) key.add(stamp_of(folder + "/nvidia"));
    key.add(stamp_of("/etc/ld.so.cache"));
    return key.hash();
}

/// The compile cache's folder, with counters of its own.
jit::DiskCache& store() {
    static jit::DiskCache* const cache =
        new jit::DiskCache(jit::DiskCache::shared().folder(), UINT64_MAX);
    return *cache;
}

std::string to_text(const Facts& facts) {
    std::string result = text(facts.path, "\n", stamp_of(facts.path), "\n", facts.major, " ",
                              facts.minor, "\n", join(facts.architectures, " "), "\n");
    for (const std::string& folder : facts.include_folders) result += folder + "\n";
    return result;
}

/// The text up to the next separator, which goes too.
std::string_view next_part(std::string_view& rest, char separator) {
    const std::size_t end = rest.find(separator);
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return part;
}

int number_of(std::string_view digits) {
    int number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

std::optional<Facts> from_text(std::string_view rest) {
    Facts facts;
    facts.path = next_part(rest, '\n');
    const std::string_view stamp = next_part(rest, '\n');
    if (stamp.empty() || stamp != stamp_of(facts.path)) return std::nullopt;
    std::string_view version = next_part(rest, '\n');
    facts.major = number_of(next_part(version, ' '));
    facts.minor = number_of(version);
    for (std::string_view list = next_part(rest, '\n'); !list.empty();)
        facts.architectures.push_back(number_of(next_part(list, ' ')));
    while (!rest.empty()) {
        facts.include_folders.emplace_back(next_part(rest, '\n'));
        if (stamp_of(facts.include_folders.back()).empty()) return std::nullopt;
    }
    return facts;
}

/// An NVRTC that somebody in this process has opened is the one that heald takes.
bool open_in_process() {
    for (const std::string& soname : library().spec().sonames)
        if (void* handle = dlopen(soname.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
            dlclose(handle);
            return true;
        }
    return false;
}

Facts find(const std::string& operation) {
    const Hash128 key = key_of_environment();
    if (!open_in_process())
        if (const auto remembered = store().load(key))
            if (auto facts = from_text(*remembered)) return std::move(*facts);
    const Api& nvrtc = api(operation);
    Facts facts{library().path(), nvrtc.major, nvrtc.minor, nvrtc.architectures,
                cuda_include_folders()};
    store().store(key, to_text(facts));
    return facts;
}

}  // namespace

const Facts& facts(const std::string& operation) {
    static std::mutex mutex;
    static const Facts* known = nullptr;
    const std::lock_guard lock(mutex);
    if (known == nullptr) known = new Facts(find(operation));  // a failure is tried again
    return *known;
}

}  // namespace heald::nvrtc
