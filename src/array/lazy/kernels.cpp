#include "src/array/lazy/kernels.hpp"

#include <heald/program.hpp>

#include "src/base/fork.hpp"

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

Kernel compile(core::DeviceState& device, const std::string& source) {
    ProgramOptions options;
    options.contract = false;  // the same bits, however operations are fused
    const Device on(device.shared_from_this());
    const ObjectCode code = Program(source, "heald_array.cu", std::move(options), on).compile();
    return code.get_kernel("fused", on);
}

}  // namespace

Kernel generated_kernel(core::DeviceState& device, const std::string& key,
                        const std::function<std::string()>& source) {
    std::shared_ptr<Entry> entry;
    {
        Kernels& all = kernels();
        const std::lock_guard lock(all.mutex);
        auto& slot = all.entries[key];
        if (slot == nullptr) slot = std::make_shared<Entry>();
        entry = slot;
    }
    entry->once([&] { entry->kernel = compile(device, source()); });
    return entry->kernel;
}

}  // namespace heald::array
