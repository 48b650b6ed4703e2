#pragma once

#include "src/backend/cuda/queue.hpp"
#include "src/core/backend.hpp"

#include <atomic>
#include <memory>

namespace heald::cuda {

/// A CUDA event. Without timing it is cheaper.
class Event final : public core::EventImpl {
public:
    Event(std::shared_ptr<Context> context, bool timing);
    ~Event() override;

    [[nodiscard]] std::uintptr_t handle() const override {
        return reinterpret_cast<std::uintptr_t>(event_);
    }
    [[nodiscard]] driver::Event event() const noexcept { return event_; }
    [[nodiscard]] Context& context() const noexcept { return *context_; }

    void record(Queue& queue);
    void synchronize();
    [[nodiscard]] bool done();
    [[nodiscard]] static float elapsed(Event& start, Event& stop);

private:
    std::shared_ptr<Context> context_;
    driver::Event event_ = nullptr;
    bool timing_;
    std::atomic<bool> recorded_{false};
};

}  // namespace heald::cuda
