#pragma once

#include "src/backend/cuda/context.hpp"
#include "src/backend/cuda/free_list.hpp"
#include "src/backend/cuda/launch_cache.hpp"
#include "src/core/backend.hpp"

#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>

namespace heald::cuda {

/// A CUDA stream: heald's own, another library's, or the legacy default stream.
class Queue final : public core::QueueImpl, public std::enable_shared_from_this<Queue> {
public:
    enum class Kind : std::uint8_t { own, foreign, legacy };

    Queue(std::shared_ptr<Context> context, driver::Stream stream, Kind kind, int priority);
    ~Queue() override;

    /// Whoever gets the handle may capture the stream: launches look from then on.
    [[nodiscard]] std::uintptr_t handle() const override {
        exposed_.store(true, std::memory_order_relaxed);
        return reinterpret_cast<std::uintptr_t>(stream_);
    }
    [[nodiscard]] bool has_handle(std::uintptr_t handle) const override {
        return reinterpret_cast<std::uintptr_t>(stream_) == handle;
    }
    [[nodiscard]] int priority() const override { return priority_; }

    [[nodiscard]] std::uint64_t id() const noexcept { return id_; }  ///< never used again
    [[nodiscard]] Context& context() const noexcept { return *context_; }
    [[nodiscard]] driver::Stream stream() const noexcept { return stream_; }
    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    [[nodiscard]] LaunchLog& log() noexcept { return *log_; }
    [[nodiscard]] FreeList& free_list() noexcept { return free_list_; }
    [[nodiscard]] LaunchCache& launches() noexcept { return launches_; }

    /// True if the stream is being captured into a graph now. Free of cost for streams that nobody
    /// but heald knows.
    [[nodiscard]] bool capturing() const { return is_exposed() && ask_capturing(); }

    /// Waits and throws what earlier work left behind.
    void synchronize();
    [[nodiscard]] bool done();

    /// True if `code` was told of this queue, as far as the queue remembers; then it is.
    [[nodiscard]] bool is_known_to(std::uint64_t code) noexcept {
        std::atomic<std::uint64_t>& entry = known_to_[code % known_to_.size()];
        return entry.load(std::memory_order_relaxed) == code;
    }
    void remember_known_to(std::uint64_t code) noexcept {
        known_to_[code % known_to_.size()].store(code, std::memory_order_relaxed);
    }

    /// Keeps the first failure of a host function for the next synchronisation.
    void keep_error(std::exception_ptr error) noexcept;

    /// Gives the blocks of the free list back to the driver's pool. The context must be current.
    void flush_free_list() noexcept;

    /// Throws what keep_error kept, once.
    void throw_kept_error();

private:
    /// The legacy stream cannot be captured.
    [[nodiscard]] bool is_exposed() const noexcept {
        return exposed_.load(std::memory_order_relaxed) && kind_ != Kind::legacy;
    }
    [[nodiscard]] bool ask_capturing() const;

    std::uint64_t id_;
    std::shared_ptr<Context> context_;
    driver::Stream stream_;
    Kind kind_;
    int priority_;
    mutable std::atomic<bool> exposed_;
    std::shared_ptr<LaunchLog> log_;
    std::array<std::atomic<std::uint64_t>, 32> known_to_{};  ///< ids of codes
    FreeList free_list_;
    LaunchCache launches_;
    std::mutex error_mutex_;
    std::exception_ptr error_;
    std::atomic<bool> has_error_{false};
};

/// A queue of `priority` (clamped to what the device has).
std::shared_ptr<Queue> make_queue(std::shared_ptr<Context> context, const StreamOptions& options);

/// Another library's stream, or a default stream (handles 0 and 1). Checked: it belongs to the
/// context.
std::shared_ptr<Queue> wrap_queue(std::shared_ptr<Context> context, std::uintptr_t handle);

}  // namespace heald::cuda
