#pragma once

#include <heald/buffer.hpp>
#include <heald/device.hpp>
#include <heald/export.hpp>
#include <heald/program.hpp>
#include <heald/signature.hpp>
#include <heald/stream.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace heald {

class Array;

namespace core {
class Block;
class FunctionState;
class BoundState;
}  // namespace core

struct Dim3 {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;

    constexpr Dim3(std::uint32_t x_ = 1, std::uint32_t y_ = 1, std::uint32_t z_ = 1)
        : x(x_), y(y_), z(z_) {}
    [[nodiscard]] constexpr std::uint64_t volume() const noexcept {
        return std::uint64_t{x} * y * z;
    }
    bool operator==(const Dim3&) const = default;
};

struct LaunchConfig {
    Dim3 grid;
    Dim3 block;
    std::size_t shared_memory = 0;  ///< dynamic, bytes
    Dim3 cluster{0, 0, 0};          ///< 0: no clusters
    bool cooperative = false;       ///< all blocks resident: grid-wide synchronisation works

    bool operator==(const LaunchConfig&) const = default;
};

/// A LaunchConfig and the line that it was written on: `kernel({grid, block}, stream, …)`.
struct LaunchHere {
    LaunchHere(const LaunchConfig& config_,  // NOLINT(google-explicit-constructor)
               std::source_location where_ = std::source_location::current())
        : config(config_), where(where_) {}
    LaunchHere(Dim3 grid, Dim3 block, std::size_t shared_memory = 0,
               std::source_location where_ = std::source_location::current())
        : config{grid, block, shared_memory}, where(where_) {}

    LaunchConfig config;
    std::source_location where;
};

/// Where a launch was written, for errors of asynchronous work. `file` must outlive the process's
/// use of it (a literal or an interned string).
struct LaunchSite {
    const char* file = nullptr;
    int line = 0;
};

/// A range of memory that a launch touches, for ordering across streams.
struct MemoryUse {
    core::Block* block = nullptr;
    std::size_t begin = 0;  ///< bytes from the block's start
    std::size_t end = 0;
    bool write = false;
};

/// One argument of a C++ launch: a trivially copyable value, a Buffer, an Array (C-contiguous, of
/// the parameter's dtype), or a device pointer, whose memory the caller orders. Values up to 16
/// bytes are copied; larger ones, buffers and arrays must outlive the Argument.
class Argument {
public:
    template <class T>
        requires std::is_trivially_copyable_v<T>
    Argument(const T& value)  // NOLINT(google-explicit-constructor): that is its purpose
        : size_(sizeof(T)), dtype_(dtype_of<T>()), is_pointer_(std::is_pointer_v<T>) {
        if constexpr (sizeof(T) <= sizeof(copy_)) {
            std::memcpy(copy_, &value, sizeof(T));
            is_copied_ = true;
        } else {
            data_ = &value;
        }
    }
    Argument(const Buffer& buffer)  // NOLINT(google-explicit-constructor)
        : size_(sizeof(void*)), buffer_(&buffer) {}
    Argument(const Array& array)  // NOLINT(google-explicit-constructor)
        : size_(sizeof(void*)), array_(&array) {}
    Argument(std::nullptr_t)  // NOLINT(google-explicit-constructor)
        : size_(sizeof(void*)), is_pointer_(true) {}

    [[nodiscard]] const void* data() const noexcept { return is_copied_ ? copy_ : data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] DType dtype() const noexcept { return dtype_; }
    [[nodiscard]] bool is_pointer() const noexcept { return is_pointer_; }
    [[nodiscard]] const Buffer* buffer() const noexcept { return buffer_; }
    [[nodiscard]] const Array* array() const noexcept { return array_; }

private:
    template <class T>
    static constexpr DType dtype_of() {
        if constexpr (std::is_same_v<T, bool>)
            return DType::boolean;
        else if constexpr (std::is_same_v<T, float>)
            return DType::float32;
        else if constexpr (std::is_same_v<T, double>)
            return DType::float64;
        else if constexpr (std::is_integral_v<T>) {
            constexpr int log2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
            return static_cast<DType>(
                static_cast<int>(std::is_signed_v<T> ? DType::int8 : DType::uint8) + log2);
        } else
            return DType::opaque;
    }

    alignas(16) std::byte copy_[16];
    const void* data_ = nullptr;
    std::size_t size_ = 0;
    DType dtype_ = DType::opaque;
    bool is_pointer_ = false;
    bool is_copied_ = false;
    const Buffer* buffer_ = nullptr;
    const Array* array_ = nullptr;
};

/// Arguments laid out for a launch: `values[i]` points to the value of parameter i, all within one
/// block of `bytes` bytes in the device's parameter layout. Lives until the launch call returns.
struct PackedArguments {
    void** values = nullptr;
    std::size_t count = 0;
    std::span<const MemoryUse> uses;
};

/// Facts about a kernel on its device.
struct KernelAttributes {
    int registers = 0;              ///< per thread; 0 on a CPU
    std::size_t static_shared = 0;  ///< bytes
    std::size_t local = 0;          ///< bytes per thread
    std::size_t constant = 0;       ///< bytes
    int max_threads_per_block = 0;
    std::size_t max_dynamic_shared = 0;  ///< bytes that a launch may ask for
    int binary_version = 0;              ///< 90 for sm_90; 0 on a CPU
};

struct BlockSize {
    int block = 0;  ///< threads
    int grid = 0;   ///< blocks that fill the device
};

/// A launch with its configuration and arguments fixed: the cheapest way to repeat it.
class HEALD_API BoundLaunch {
public:
    /// Enqueues it on the stream it was bound to.
    void operator()() const { launch(); }
    void launch() const;

    explicit BoundLaunch(std::shared_ptr<core::BoundState> state) : state_(std::move(state)) {}

private:
    std::shared_ptr<core::BoundState> state_;
};

/// A `__global__` function loaded on one device.
class HEALD_API Kernel {
public:
    Kernel() = default;
    Kernel(const ObjectCode& code, const std::string& name, const Device& device = Device());

    [[nodiscard]] const std::string& name() const;  ///< "ns::scale<float, 4>"
    [[nodiscard]] const Signature& signature() const;
    [[nodiscard]] Device device() const;
    [[nodiscard]] KernelAttributes attributes() const;

    /// Blocks of `block` threads that one multiprocessor holds at once.
    [[nodiscard]] int max_active_blocks(int block, std::size_t shared_memory = 0) const;
    /// The block size with the highest occupancy.
    [[nodiscard]] BlockSize suggest_block_size(std::size_t shared_memory = 0) const;

    /// Enqueues the kernel. Count and types are checked against signature(): Error(type_mismatch)
    /// or Error(invalid_value) names the kernel, the parameter, what was expected and given.
    void launch(const LaunchConfig& config, const Stream& stream,
                std::span<const Argument> arguments,
                std::source_location where = std::source_location::current()) const;

    template <class... Args>
    void operator()(const LaunchHere& here, const Stream& stream, const Args&... args) const {
        const std::array<Argument, sizeof...(Args)> list{Argument(args)...};
        launch(here.config, stream, list, here.where);
    }

    [[nodiscard]] BoundLaunch bind(const LaunchConfig& config, const Stream& stream,
                                   std::span<const Argument> arguments) const;

    /// For bindings that pack arguments themselves, already checked against signature().
    void launch_packed(const LaunchConfig& config, const Stream& stream,
                       const PackedArguments& arguments, const LaunchSite& site) const;
    [[nodiscard]] BoundLaunch bind_packed(const LaunchConfig& config, const Stream& stream,
                                          const PackedArguments& arguments,
                                          std::vector<Buffer> keep_alive,
                                          const LaunchSite& site) const;

    void close();
    [[nodiscard]] bool closed() const noexcept;

    explicit Kernel(std::shared_ptr<core::FunctionState> state) : state_(std::move(state)) {}
    [[nodiscard]] core::FunctionState& state() const;  ///< throws Error(closed)

private:
    std::shared_ptr<core::FunctionState> state_;
};

}  // namespace heald
