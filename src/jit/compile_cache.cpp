#include "src/jit/compile_cache.hpp"

#include "src/base/check.hpp"
#include "src/base/fork.hpp"
#include "src/base/hash.hpp"
#include "src/base/log.hpp"
#include "src/base/lru_cache.hpp"
#include "src/core/compile.hpp"
#include "src/jit/byte_stream.hpp"
#include "src/jit/code_file.hpp"
#include "src/jit/dependency.hpp"
#include "src/jit/disk_cache.hpp"

#include <heald/version.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>

namespace heald {
namespace {

using core::CodeData;
using core::CompileRequest;

constexpr std::size_t memory_limit = std::size_t{128} << 20;  // bytes

/// Code, and the files that it was made from.
struct Entry {
    std::shared_ptr<const CodeData> code;
    std::vector<jit::Dependency> dependencies;
};

/// A compilation that some thread does now; others that want the same wait for it.
struct InFlight {
    ForkOnce once;
    Entry entry;
};

struct Cache {
    ForkMutex mutex;  ///< guards the two tables
    LruCache<Hash128, Entry, Hash128Hasher> memory{memory_limit};
    std::map<Hash128, std::shared_ptr<InFlight>> in_flight;
    std::atomic<std::uint64_t> memory_hits{0};
    std::atomic<std::uint64_t> disk_hits{0};
    std::atomic<std::uint64_t> misses{0};
};

Cache& cache() {
    static Cache& instance = *std::make_unique<Cache>().release();  // lives as long as the process
    return instance;
}

void add_options(KeyBuilder& key, const ProgramOptions& options) {
    key.add(options.standard).add_all(options.include_paths);
    key.add(std::uint64_t{options.headers.size()});
    for (const auto& [name, contents] : options.headers) key.add(name).add(contents);
    key.add_all(options.defines).add_all(options.undefines);
    key.add(std::uint64_t{options.architecture.has_value()}).add(options.architecture.value_or(""));
    for (const bool flag : {options.fast_math, options.contract, options.debug, options.line_info,
                            options.warnings_as_errors, options.relocatable})
        key.add(std::uint64_t{flag});
    key.add(std::uint64_t{options.max_registers.has_value()});
    key.add(static_cast<std::uint64_t>(options.max_registers.value_or(0)));
    key.add_all(options.extra);
}

KeyBuilder key_of(core::DeviceState& device, const CompileRequest& request) {
    KeyBuilder key;
    key.add("code 1 of heald " HEALD_VERSION_STRING);
    key.add(static_cast<std::uint64_t>(device.kind()));
    key.add(device.backend().properties().architecture);
    key.add(device.backend().compiler_identity(request));
    key.add(request.target);
    key.add(request.name);
    add_options(key, request.options);
    return key;
}

Hash128 compile_key(core::DeviceState& device, const CompileRequest& request) {
    return key_of(device, request).add(request.source).add_all(request.names).hash();
}

bool all_unchanged(const Entry& entry) {
    return std::all_of(entry.dependencies.begin(), entry.dependencies.end(), &jit::is_unchanged);
}

std::size_t cost_of(const Entry& entry) {
    std::size_t cost = sizeof(Entry) + entry.code->bytes.size() + entry.code->log.size();
    cost += entry.code->kernels.size() * 512 + entry.dependencies.size() * 128;
    return cost;
}

std::string to_bytes(const Entry& entry) {
    jit::ByteWriter out;
    out.put_all(entry.dependencies, [&](const jit::Dependency& dependency) {
        out.put(dependency.path);
        out.put(dependency.content);
        out.put(dependency.size);
        out.put(dependency.modified_ns);
        out.put(dependency.changed_ns);
        out.put(dependency.inode);
    });
    out.put(jit::serialize(*entry.code));
    return out.take();
}

std::optional<Entry> from_bytes(std::string_view bytes) {
    try {
        jit::ByteReader in(bytes);
        Entry entry;
        entry.dependencies = in.get_all<jit::Dependency>([&] {
            jit::Dependency dependency;
            dependency.path = in.get_string();
            dependency.content = in.get<Hash128>();
            dependency.size = in.get<std::uint64_t>();
            dependency.modified_ns = in.get<std::int64_t>();
            dependency.changed_ns = in.get<std::int64_t>();
            dependency.inode = in.get<std::uint64_t>();
            return dependency;
        });
        auto code = jit::deserialize(in.get_string());
        if (!code) return std::nullopt;
        entry.code = std::make_shared<const CodeData>(std::move(*code));
        return entry;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::optional<Entry> find_in_memory(const Hash128& key) {
    std::optional<Entry> found;
    {
        const std::lock_guard lock(cache().mutex);
        if (const Entry* entry = cache().memory.find(key)) found = *entry;
    }
    if (found && !all_unchanged(*found)) found.reset();
    return found;
}

std::optional<Entry> find_on_disk(const Hash128& key) {
    const auto bytes = jit::DiskCache::shared().load(key);
    if (!bytes) return std::nullopt;
    auto entry = from_bytes(*bytes);
    if (!entry || !all_unchanged(*entry)) return std::nullopt;
    return entry;
}

void keep_in_memory(const Hash128& key, const Entry& entry) {
    const std::size_t cost = cost_of(entry);
    const std::lock_guard lock(cache().mutex);
    cache().memory.insert(key, entry, cost);
}

/// nullopt if some file that the code was made from changed meanwhile: it is not kept then.
std::optional<std::vector<jit::Dependency>> dependencies_of(const CodeData& code,
                                                            std::int64_t started) {
    std::vector<jit::Dependency> result;
    for (const std::string& path : code.dependencies) {
        auto dependency = jit::dependency_on(path, started);
        if (!dependency) return std::nullopt;
        result.push_back(std::move(*dependency));
    }
    return result;
}

using Make = std::function<CodeData()>;

Entry make_and_keep(const Hash128& key, const Make& make) {
    cache().misses.fetch_add(1, std::memory_order_relaxed);
    const std::int64_t started = jit::file_clock_now();
    Entry entry{std::make_shared<const CodeData>(make()), {}};
    if (auto dependencies = dependencies_of(*entry.code, started)) {
        entry.dependencies = std::move(*dependencies);
        keep_in_memory(key, entry);
        jit::DiskCache::shared().store(key, to_bytes(entry));
    }
    return entry;
}

std::optional<Entry> find(const Hash128& key) {
    if (auto entry = find_in_memory(key)) {
        cache().memory_hits.fetch_add(1, std::memory_order_relaxed);
        return entry;
    }
    auto entry = find_on_disk(key);
    if (entry) {
        cache().disk_hits.fetch_add(1, std::memory_order_relaxed);
        keep_in_memory(key, *entry);
    }
    return entry;
}

std::shared_ptr<const CodeData> cached(const Hash128& key, const Make& make) {
    if (auto entry = find_in_memory(key)) {
        cache().memory_hits.fetch_add(1, std::memory_order_relaxed);
        return entry->code;
    }
    std::shared_ptr<InFlight> mine;
    {
        const std::lock_guard lock(cache().mutex);
        auto& slot = cache().in_flight[key];
        if (slot == nullptr) slot = std::make_shared<InFlight>();
        mine = slot;
    }
    const auto forget = [&] {
        const std::lock_guard lock(cache().mutex);
        const auto found = cache().in_flight.find(key);
        if (found != cache().in_flight.end() && found->second == mine)
            cache().in_flight.erase(found);
    };
    try {
        mine->once([&] {
            auto found = find(key);  // another thread may have made it before this one's turn
            mine->entry = found ? *std::move(found) : make_and_keep(key, make);
        });
    } catch (...) {
        forget();
        throw;
    }
    forget();
    return mine->entry.code;
}

}  // namespace

std::shared_ptr<const CodeData> core::compile(DeviceState& device, const CompileRequest& request) {
    Backend& backend = device.backend();
    if (!request.options.use_cache)
        return std::make_shared<const CodeData>(backend.compile(request));
    return cached(compile_key(device, request), [&] { return backend.compile(request); });
}

std::shared_ptr<const CodeData> core::find_compiled(DeviceState& device,
                                                    const CompileRequest& request) {
    const auto found = find(compile_key(device, request));
    return found ? found->code : nullptr;
}

std::shared_ptr<const CodeData> core::link(
    DeviceState& device, const std::vector<std::shared_ptr<const CodeData>>& inputs,
    const CompileRequest& request) {
    Backend& backend = device.backend();
    std::vector<const CodeData*> codes;
    for (const auto& input : inputs) codes.push_back(input.get());
    const auto make = [&] { return backend.link(codes, request); };
    if (!request.options.use_cache) return std::make_shared<const CodeData>(make());
    KeyBuilder key = key_of(device, request);
    key.add("link");
    for (const CodeData* code : codes) key.add(code->format).add(jit::serialize(*code));
    return cached(key.hash(), make);
}

CacheStatistics compile_cache_statistics() {
    const auto& disk = jit::DiskCache::shared().counters();
    return {cache().memory_hits, cache().disk_hits, cache().misses, disk.stores, disk.rejected};
}

std::string compile_cache_directory() {
    return jit::DiskCache::shared().folder().string();
}

void jit::clear_memory_cache() {
    const std::lock_guard lock(cache().mutex);
    cache().memory.clear();
}

void clear_compile_cache() {
    jit::clear_memory_cache();
    jit::DiskCache::shared().clear();
}

}  // namespace heald
