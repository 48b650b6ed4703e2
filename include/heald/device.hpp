#pragma once

#include <heald/export.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heald {

class Stream;
class MemoryPool;
struct StreamOptions;

namespace core {
class DeviceState;
}

enum class DeviceKind : std::uint8_t { cpu, cuda };

/// What a device is and what it can do. Sizes in bytes.
struct DeviceProperties {
    std::string name;          ///< "NVIDIA H200", "Intel(R) Xeon(R) …"
    std::string architecture;  ///< "sm_90", "x86-64-v4"
    DeviceKind kind = DeviceKind::cpu;
    int ordinal = 0;
    int compute_capability_major = 0;  ///< 0 on a CPU
    int compute_capability_minor = 0;
    int multiprocessor_count = 0;  ///< on a CPU: worker threads
    int warp_size = 32;
    int max_threads_per_block = 0;
    int max_threads_per_multiprocessor = 0;
    std::uint32_t max_block[3] = {};
    std::uint32_t max_grid[3] = {};
    std::size_t shared_memory_per_block = 0;        ///< without opting in
    std::size_t shared_memory_per_block_optin = 0;  ///< what a kernel may ask for
    std::size_t shared_memory_per_multiprocessor = 0;
    int registers_per_block = 0;  ///< 0 on a CPU
    std::size_t total_memory = 0;
    std::size_t l2_cache = 0;
    int clock_rate_khz = 0;
    int memory_clock_rate_khz = 0;
    int memory_bus_width_bits = 0;
    bool cooperative_launch = false;
    bool cluster_launch = false;
    bool managed_memory = false;
    bool integrated = false;
    std::string pci_bus_id;  ///< "" on a CPU
    std::string uuid;        ///< "" on a CPU
};

/// A GPU or the CPU. A cheap handle; two handles of one device compare equal.
class HEALD_API Device {
public:
    /// The current device of this thread: the innermost DeviceScope, else the default device (the
    /// first usable GPU, else the CPU; HEALD_DEVICE chooses).
    Device();

    /// "cpu", "cuda" or "cuda:1". Throws Error(unavailable) with the reason.
    explicit Device(std::string_view name);

    /// Every usable device, GPUs first.
    static std::vector<Device> all();

    /// Why there is no GPU, or "" if there is one.
    static std::string why_no_gpu();

    [[nodiscard]] std::string name() const;  ///< "cuda:0", "cpu"
    [[nodiscard]] DeviceKind kind() const noexcept;
    [[nodiscard]] int ordinal() const noexcept;
    [[nodiscard]] const DeviceProperties& properties() const;

    /// Free and total bytes now.
    struct MemoryInfo {
        std::size_t free = 0;
        std::size_t total = 0;
    };
    [[nodiscard]] MemoryInfo memory_info() const;

    [[nodiscard]] Stream default_stream() const;
    [[nodiscard]] MemoryPool memory() const;

    /// Waits for all work of the device and raises the first error that queued work left behind.
    void synchronize() const;
    /// As synchronize(), but gives up after `timeout`: false.
    [[nodiscard]] bool synchronize_for(std::chrono::nanoseconds timeout) const;

    [[nodiscard]] bool can_access(const Device& peer) const;

    friend bool operator==(const Device& a, const Device& b) noexcept {
        return a.state_ == b.state_;
    }

    explicit Device(std::shared_ptr<core::DeviceState> state) : state_(std::move(state)) {}
    [[nodiscard]] core::DeviceState& state() const noexcept { return *state_; }
    [[nodiscard]] const std::shared_ptr<core::DeviceState>& shared_state() const noexcept {
        return state_;
    }

private:
    std::shared_ptr<core::DeviceState> state_;
};

/// Makes a device this thread's current one while it lives. Scopes nest.
class HEALD_API DeviceScope {
public:
    explicit DeviceScope(Device device);
    ~DeviceScope();
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;
};

}  // namespace heald
