#pragma once

#include "src/backend/cuda/driver/types.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>

namespace heald::cuda {

class Context;

/// Copies large pageable memory of the host through a ring of pinned blocks: the caller and a few
/// threads move one block while the GPU moves the one before. The driver's own copies do that on
/// one thread, at a fraction of the bus.
class Staging {
public:
    /// Smaller copies are left to the driver.
    static constexpr std::size_t least = std::size_t{4} << 20;

    explicit Staging(Context& context) : context_(context) {}
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    // The context must be current. False: nothing was done (another thread is copying, no memory
    // for the ring, or the memory is not pageable).

    /// Enqueues; when it returns, `from` has been read.
    bool to_device(driver::DevicePointer to, const std::byte* from, std::size_t bytes,
                   driver::Stream stream);
    /// Returns when the bytes are there.
    bool to_host(std::byte* to, driver::DevicePointer from, std::size_t bytes,
                 driver::Stream stream);

private:
    static constexpr std::size_t block = std::size_t{4} << 20;
    static constexpr std::size_t blocks = 4;

    struct Slot {
        std::byte* data = nullptr;
        driver::Event event = nullptr;
    };

    [[nodiscard]] bool begin(const void* host, std::size_t bytes);
    void wait_for(const Slot& slot);
    [[nodiscard]] Slot& slot_of(std::size_t offset) noexcept {
        return ring_[offset / block % blocks];
    }

    Context& context_;
    std::mutex mutex_;
    std::array<Slot, blocks> ring_{};
};

}  // namespace heald::cuda
