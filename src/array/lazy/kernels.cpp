#include "src/array/lazy/kernels.hpp"

#include <heald/program.hpp>

#include "src/base/fork.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace heald::array {
namespace {

struct Entry {
    ForkOnce once;
    Kernel kernel;
};

struct Kernels {
    ForkMutex mutex;
    std::unordered_map<std::string, std::shared_ptr<Entry>> entries;
};

/// The key holds the device's number too.
Kernels& kernels() {
    static Kernels& all = *std::make_unique<Kernels>().release();
    return all;
}

/// NVRTC's option for programs that need none of its larger features: a fifth of the time. Older
/// versions do not have it.
constexpr const char* minimal = "--minimal";

ObjectCode compile_source(const std::string& source, const Device& device, bool small) {
    ProgramOptions options;
    options.contract = false;  // the same bits, however operations are fused
    if (small) options.extra.emplace_back(minimal);
    return Program(source, "heald_array.cu", std::move(options), device).compile();
}

Kernel compile(core::DeviceState& device, const std::string& source) {
    static std::atomic<bool> has_minimal{true};
    const Device on(device.shared_from_this());
    if (device.kind() == DeviceKind::cuda && has_minimal.load(std::memory_order_relaxed)) {
        try {
            return compile_source(source, on, true).get_kernel("fused", on);
        } catch (const Error& error) {
            // Without the option, it compiles or says what is wrong.
            if (error.kind() == ErrorKind::invalid_value)
                has_minimal = false;
            else if (error.kind() != ErrorKind::compile)
                throw;
        }
    }
    return compile_source(source, on, false).get_kernel("fused", on);
}

}  // namespace

std::optional<Kernel> find_kernel(const std::string& key) {
    Kernels& all = kernels();
    const std::lock_guard lock(all.mutex);
    const auto found = all.entries.find(key);
    if (found == all.entries.end() || !found->second->once.is_done()) return std::nullopt;
    return found->second->kernel;
}

Kernel make_kernel(core::DeviceState& device, const std::string& key, const std::string& source) {
    std::shared_ptr<Entry> entry;
    {
        Kernels& all = kernels();
        const std::lock_guard lock(all.mutex);
        auto& slot = all.entries[key];
        if (slot == nullptr) slot = std::make_shared<Entry>();
        entry = slot;
    }
    entry->once([&] { entry->kernel = compile(device, source); });
    return entry->kernel;
}

}  // namespace heald::array
