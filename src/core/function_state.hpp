#pragma once

#include <heald/kernel.hpp>

#include "src/core/code_state.hpp"
#include "src/core/device_state.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heald::core {

/// What a launch of a kernel may ask for, found out at its first launch.
struct LaunchLimits {
    std::uint32_t grid[3] = {};
    std::uint32_t block[3] = {};
    std::uint64_t threads = 0;         ///< per block, of the device
    std::uint64_t kernel_threads = 0;  ///< per block, of this kernel
    std::size_t shared = 0;            ///< dynamic, bytes
    std::size_t static_shared = 0;
    bool cooperative = false;
    bool cluster = false;
};

/// A kernel: it keeps its code loaded.
class FunctionState {
public:
    explicit FunctionState(CodeState::Found found)
        : device(found.loaded->device),
          impl(*found.function),
          name(std::move(found.name)),
          loaded_(std::move(found.loaded)),
          code_(std::move(found.code)) {}

    [[nodiscard]] const LaunchLimits& limits() {
        if (!limits_once_.is_done()) [[unlikely]]
            find_limits();
        return limits_;
    }

    DeviceState& device;
    FunctionImpl& impl;
    const std::string name;
    std::atomic<bool> closed{false};

private:
    void find_limits();

    std::shared_ptr<LoadedCode> loaded_;
    std::shared_ptr<CodeState> code_;
    ForkOnce limits_once_;
    LaunchLimits limits_;
};

/// Throws unless `config` can be launched on `stream`.
void check_launch(FunctionState& function, const StreamState& stream, const LaunchConfig& config);

/// HEALD_LAUNCH_BLOCKING as it was at the first launch.
[[nodiscard]] bool launches_block() noexcept;

/// A launch with everything fixed, and what it needs to stay alive.
class BoundState {
public:
    BoundState(std::shared_ptr<FunctionState> function_, std::shared_ptr<StreamState> stream_,
               std::shared_ptr<BoundImpl> impl_, std::vector<MemoryUse> uses_,
               std::vector<Buffer> keep_alive_)
        : function(std::move(function_)),
          stream(std::move(stream_)),
          impl(std::move(impl_)),
          uses(std::move(uses_)),
          keep_alive(std::move(keep_alive_)) {}
    ~BoundState();
    BoundState(const BoundState&) = delete;
    BoundState& operator=(const BoundState&) = delete;

    const std::shared_ptr<FunctionState> function;
    const std::shared_ptr<StreamState> stream;
    std::shared_ptr<BoundImpl> impl;
    const std::vector<MemoryUse> uses;
    const std::vector<Buffer> keep_alive;
};

}  // namespace heald::core
