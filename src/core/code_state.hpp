#pragma once

#include "src/core/backend.hpp"
#include "src/core/code.hpp"
#include "src/core/device_state.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heald::core {

/// Code loaded on a device. The device may still run it when the last reference goes: it is
/// unloaded once everything that the device's streams hold by then is done.
class LoadedCode {
public:
    LoadedCode(DeviceState& device_, std::shared_ptr<CodeImpl> impl_)
        : device(device_), impl(std::move(impl_)) {}
    ~LoadedCode();
    LoadedCode(const LoadedCode&) = delete;
    LoadedCode& operator=(const LoadedCode&) = delete;

    DeviceState& device;
    std::shared_ptr<CodeImpl> impl;
};

/// An ObjectCode: what was compiled, where it is loaded, and instances compiled later.
class CodeState : public std::enable_shared_from_this<CodeState> {
public:
    CodeState(std::shared_ptr<const CodeData> data, DeviceState* compiled_for,
              std::optional<CompileRequest> request);

    [[nodiscard]] const std::shared_ptr<const CodeData>& data() const noexcept { return data_; }

    /// Loads it on `device` at the first call, once.
    std::shared_ptr<LoadedCode> loaded_on(DeviceState& device);

    /// A kernel, and the code that has it: this one, or one with an instance compiled later.
    struct Found {
        std::shared_ptr<CodeState> code;
        std::shared_ptr<LoadedCode> loaded;
        FunctionImpl* function = nullptr;
        std::string name;
    };
    Found find_kernel(const std::string& name, DeviceState& device);
    GlobalSymbol find_global(const std::string& name, LoadedCode& loaded);

    /// Kernels known without loading, else by what the loaded code says.
    std::vector<KernelSymbol> known_kernels();

    std::atomic<bool> closed{false};

private:
    struct Load {
        ForkOnce once;
        std::shared_ptr<LoadedCode> code;
    };
    struct Instance {
        ForkOnce once;
        std::shared_ptr<CodeState> code;
    };

    void check_device(const DeviceState& device, const char* operation) const;
    std::shared_ptr<CodeState> compile_instance(const std::string& name);
    Found found(const KernelSymbol& symbol, DeviceState& device);
    void add_symbols_of(LoadedCode& loaded);
    [[noreturn]] void fail_overloads(const std::string& name,
                                     const std::vector<KernelSymbol>& kernels) const;
    [[noreturn]] void fail_not_found(const std::string& name, const std::string& reason);

    std::shared_ptr<const CodeData> data_;
    DeviceState* compiled_for_;  ///< null if it came as bytes
    std::optional<CompileRequest> request_;

    ForkMutex mutex_;  ///< guards what follows
    std::vector<KernelSymbol> kernels_;
    bool complete_;  ///< kernels_ lists every kernel
    std::map<const DeviceState*, std::shared_ptr<Load>> loads_;
    std::map<std::string, std::shared_ptr<Instance>> instances_;
};

}  // namespace heald::core
