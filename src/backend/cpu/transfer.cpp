#include "src/backend/cpu/transfer.hpp"

#include "src/backend/cpu/fault.hpp"
#include "src/backend/cpu/kernel_thread.hpp"
#include "src/backend/cpu/piecewise.hpp"
#include "src/base/check.hpp"

#include <cstring>

namespace heald::cpu {
namespace {

// Some microseconds of memory traffic; less is done on the spot.
constexpr std::size_t short_bytes = std::size_t{64} << 10;
constexpr std::size_t chunk_bytes = std::size_t{512} << 10;

struct Copy {
    std::byte* destination = nullptr;
    const std::byte* source = nullptr;
    std::size_t bytes = 0;

    static constexpr const char* operation = "Buffer.copy";

    [[nodiscard]] Copy range(std::size_t first, std::size_t last) const noexcept {
        return {destination + first, source + first, last - first};
    }
    /// Pieces of it may be copied in any order.
    [[nodiscard]] bool divisible() const noexcept {
        return destination + bytes <= source || source + bytes <= destination;
    }
    void run() const noexcept { std::memmove(destination, source, bytes); }
};

struct Fill {
    std::byte* destination = nullptr;
    std::uint64_t pattern = 0;  ///< repeated over all eight bytes
    std::size_t bytes = 0;

    static constexpr const char* operation = "Buffer.fill";

    /// Chunks begin at multiples of eight bytes, so the pattern begins anew in each.
    [[nodiscard]] Fill range(std::size_t first, std::size_t last) const noexcept {
        return {destination + first, pattern, last - first};
    }
    [[nodiscard]] bool divisible() const noexcept { return true; }
    void run() const noexcept {
        const auto byte = static_cast<unsigned char>(pattern);
        if (pattern == byte * 0x0101010101010101u) {
            std::memset(destination, byte, bytes);
            return;
        }
        std::size_t i = 0;
        for (; i + 8 <= bytes; i += 8) std::memcpy(destination + i, &pattern, 8);
        std::memcpy(destination + i, &pattern, bytes - i);
    }
};

/// Runs it with bad addresses caught.
template <class Transfer>
void run_guarded(const Transfer& transfer, Queue& queue) noexcept {
    try {
        KernelThread& thread = KernelThread::current();
        const auto run = [](void* argument) { static_cast<const Transfer*>(argument)->run(); };
        if (thread.run_pure(run, const_cast<Transfer*>(&transfer))) return;
        char address[32];
        std::snprintf(address, sizeof address, "%#llx",
                      static_cast<unsigned long long>(thread.fault.address));
        queue.fail(ErrorKind::kernel_fault,
                   text("[", Transfer::operation, "] ", transfer.bytes, " bytes at ",
                        static_cast<const void*>(transfer.destination), ": address ", address,
                        " is not mapped or not accessible so"));
        queue.stop.store(1, std::memory_order_relaxed);
    } catch (const std::exception& error) {
        queue.fail(ErrorKind::device, error.what());
    }
}

template <class Transfer>
class TransferOperation final : public PiecewiseOperation {
public:
    TransferOperation(const Transfer& transfer, std::shared_ptr<const void> owner)
        : transfer_(transfer), owner_(std::move(owner)) {
        total_ = transfer.bytes;
        chunk_ = transfer.divisible() ? chunk_bytes : std::max<std::size_t>(transfer.bytes, 1);
    }

    Step start(Queue& queue) override {
        if (total_ > short_bytes) return PiecewiseOperation::start(queue);
        run_guarded(transfer_, queue);
        return Step::done;
    }

protected:
    void run_range(Queue& queue, std::uint64_t first, std::uint64_t last) noexcept override {
        run_guarded(transfer_.range(first, last), queue);
    }

private:
    Transfer transfer_;
    std::shared_ptr<const void> owner_;
};

template <class Transfer>
void enqueue(const Transfer& transfer, Queue& queue, std::shared_ptr<const void> owner) {
    if (transfer.bytes == 0) return;
    ensure_fault_handlers();
    if (transfer.bytes <= short_bytes && queue.try_begin()) {
        run_guarded(transfer, queue);
        return queue.end();
    }
    queue.push(new TransferOperation<Transfer>(transfer, std::move(owner)));
}

}  // namespace

void enqueue_copy(void* destination, const void* source, std::size_t bytes, Queue& queue,
                  std::shared_ptr<const void> owner) {
    enqueue(
        Copy{static_cast<std::byte*>(destination), static_cast<const std::byte*>(source), bytes},
        queue, std::move(owner));
}

void enqueue_fill(void* destination, std::uint64_t pattern, unsigned pattern_bytes,
                  std::size_t count, Queue& queue) {
    HEALD_EXPECTS(
        pattern_bytes == 1 || pattern_bytes == 2 || pattern_bytes == 4 || pattern_bytes == 8,
        invalid_value, "[Buffer.fill] pattern_bytes is ", pattern_bytes, ", expected 1, 2, 4 or 8");
    std::uint64_t repeated = 0;
    for (unsigned i = 0; i < 8; i += pattern_bytes)
        std::memcpy(reinterpret_cast<char*>(&repeated) + i, &pattern, pattern_bytes);
    enqueue(Fill{static_cast<std::byte*>(destination), repeated, count * pattern_bytes}, queue,
            nullptr);
}

}  // namespace heald::cpu
