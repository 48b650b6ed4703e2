#include "src/array/lazy/kernels.hpp"

#include "src/array/lazy/background.hpp"
#include "src/array/lazy/shipped_kernels.hpp"
#include "src/base/fork.hpp"
#include "src/core/code_state.hpp"
#include "src/core/compile.hpp"
#include "src/core/function_state.hpp"

#include <heald/program.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace heald::array {
namespace {

enum class State : std::uint8_t { unknown, not_compiled, requested };

struct Entry {
    ForkOnce once;
    Kernel kernel;
    std::atomic<State> state{State::unknown};  ///< until the kernel is there
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

std::shared_ptr<Entry> entry_of(const std::string& key) {
    Kernels& all = kernels();
    const std::lock_guard lock(all.mutex);
    auto& slot = all.entries[key];
    if (slot == nullptr) slot = std::make_shared<Entry>();
    return slot;
}

/// NVRTC's option for programs that need none of its larger features: a fifth of the time. Older
/// versions do not have it.
constexpr const char* minimal = "--minimal";
std::atomic<bool> has_minimal{true};

std::shared_ptr<const core::CodeData> compile(core::DeviceState& device,
                                              const std::string& source) {
    core::CompileRequest request = compile_request(device, source);
    if (request.options.extra.empty()) return core::compile(device, request);
    try {
        return core::compile(device, request);
    } catch (const Error& error) {
        // Without the option, it compiles or says what is wrong.
        if (error.kind() == ErrorKind::invalid_value)
            has_minimal = false;
        else if (error.kind() != ErrorKind::compile)
            throw;
    }
    request.options.extra.clear();
    return core::compile(device, request);
}

Kernel kernel_of(core::DeviceState& device, std::shared_ptr<const core::CodeData> code) {
    return ObjectCode(std::make_shared<core::CodeState>(std::move(code), &device, std::nullopt))
        .get_kernel("fused", Device(device.shared_from_this()));
}

/// Code that was compiled before; null if there is none.
std::shared_ptr<const core::CodeData> compiled_before(core::DeviceState& device,
                                                      const std::string& source) {
    if (auto code = shipped_code(device, source)) return code;
    try {
        return core::find_compiled(device, compile_request(device, source));
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::unavailable) throw;
        return nullptr;  // there is no compiler, whose code the cache would have
    }
}

void make(Entry& entry, core::DeviceState& device, const std::string& source) {
    entry.once([&] {
        auto code = shipped_code(device, source);
        if (code == nullptr) code = compile(device, source);
        entry.kernel = kernel_of(device, std::move(code));
    });
}

void make_later(std::shared_ptr<Entry> entry, core::DeviceState& device, std::string source) {
    run_in_background(
        [entry = std::move(entry), source = std::move(source), device = device.shared_from_this()] {
            make(*entry, *device, source);
            entry->kernel.state().impl.prepare(Dim3(generated_block));
        });
}

}  // namespace

core::CompileRequest compile_request(const core::DeviceState& device, const std::string& source) {
    core::CompileRequest request;
    request.source = source;
    request.name = "heald_array.cu";
    request.options.contract = false;  // the same bits, however operations are fused
    if (device.kind() == DeviceKind::cuda && has_minimal.load(std::memory_order_relaxed))
        request.options.extra.emplace_back(minimal);
    return request;
}

const Kernel* find_kernel(const std::string& key) {
    Kernels& all = kernels();
    const std::lock_guard lock(all.mutex);
    const auto found = all.entries.find(key);
    if (found == all.entries.end() || !found->second->once.is_done()) return nullptr;
    return &found->second->kernel;
}

const Kernel* make_kernel(core::DeviceState& device, const std::string& key,
                          const std::function<std::string()>& source, Missing missing) {
    const std::shared_ptr<Entry> entry = entry_of(key);
    if (missing == Missing::compile) {
        make(*entry, device, source());
        return &entry->kernel;
    }
    if (entry->state == State::unknown) {
        if (auto code = compiled_before(device, source())) {
            entry->once([&] { entry->kernel = kernel_of(device, std::move(code)); });
            return &entry->kernel;
        }
        entry->state = State::not_compiled;
    }
    if (missing == Missing::compile_later &&
        entry->state.exchange(State::requested) != State::requested)
        make_later(entry, device, source());
    return nullptr;
}

}  // namespace heald::array
