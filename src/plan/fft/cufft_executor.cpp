#include "src/array/memory_use.hpp"
#include "src/base/check.hpp"
#include "src/base/text.hpp"
#include "src/core/ordering.hpp"
#include "src/plan/fft/cufft_api.hpp"
#include "src/plan/fft/cufft_layout.hpp"
#include "src/plan/fft/executor.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace heald::fft {
namespace {

using cufft::check;
using cufft::Layout;

/// Runs `call` while the device is the current one of the thread.
template <class Call>
void with_library(core::DeviceState& device, Call&& call) {
    device.backend().with_library([](void* data) { (*static_cast<Call*>(data))(); }, &call);
}

cufft::Type type_of(const Problem& problem) {
    using cufft::Type;
    switch (problem.operation) {
        case Operation::r2c:
            return problem.float64 ? Type::d2z : Type::r2c;
        case Operation::c2r:
            return problem.float64 ? Type::z2d : Type::c2r;
        default:
            return problem.float64 ? Type::z2z : Type::c2c;
    }
}

class CufftExecutor final : public Executor {
public:
    CufftExecutor(core::DeviceState& device, Problem problem, Layout layout)
        : device_(device.shared_from_this()),
          problem_(std::move(problem)),
          layout_(std::move(layout)),
          api_(cufft::api()) {
        with_library(device, [this] { make(); });
    }
    ~CufftExecutor() override {
        if (!device_->usable()) return;
        without_throwing("cufftDestroy",
                         [this] { with_library(*device_, [this] { api_.cufftDestroy(plan_); }); });
    }

    void run(const Array& in, const Array& out, const Stream& stream) override {
        std::array<MemoryUse, 3> uses;
        std::size_t count = 0;
        auto* from = static_cast<std::byte*>(in.data());
        auto* to = static_cast<std::byte*>(out.data());
        // cuFFT may use the input of c2r as a workspace.
        uses[count++] = array::use_of(in, problem_.operation == Operation::c2r);
        uses[count++] = array::use_of(out, true);
        Array workspace;
        if (workspace_bytes_ != 0) {
            workspace = Array({static_cast<std::int64_t>(workspace_bytes_)}, DType::uint8, stream);
            (void)workspace.data();
            uses[count++] = array::use_of(workspace, true);
        }
        core::enqueue(stream.state(), {uses.data(), count}, [&](core::QueueImpl& queue) {
            with_library(*device_, [&] {
                const std::lock_guard lock(mutex_);
                set_up(queue.handle(), workspace_bytes_ == 0 ? nullptr : workspace.data());
                call_at(from, to, 0);
            });
        });
    }

    [[nodiscard]] std::size_t workspace_bytes() const noexcept override { return workspace_bytes_; }
    [[nodiscard]] std::string describe() const override {
        const int version = api_.version;
        return text("cuFFT ", version / 1000, ".", version / 100 % 10, ".", version % 100, ": ",
                    layout_.n.size(), layout_.n.size() == 1 ? " axis, " : " axes, ",
                    layout_.calls() * layout_.batch,
                    layout_.calls() * layout_.batch == 1 ? " transform" : " transforms",
                    layout_.calls() == 1 ? std::string() : text(" in ", layout_.calls(), " calls"));
    }

private:
    void make() {
        check(api_.cufftCreate(&plan_), "cufftCreate");
        const auto checked = [this](cufft::Result result, const char* call) {
            if (result != cufft::Result::success) api_.cufftDestroy(plan_);
            check(result, call);
        };
        checked(api_.cufftSetAutoAllocation(plan_, 0), "cufftSetAutoAllocation");
        checked(api_.cufftMakePlanMany64(
                    plan_, static_cast<int>(layout_.n.size()), layout_.n.data(),
                    layout_.in.embed.data(), layout_.in.stride, layout_.in.distance,
                    layout_.out.embed.data(), layout_.out.stride, layout_.out.distance,
                    type_of(problem_), layout_.batch, &workspace_bytes_),
                "cufftMakePlanMany64");
    }

    void set_up(std::uintptr_t stream, void* workspace) {
        if (stream != stream_) {
            check(api_.cufftSetStream(plan_, reinterpret_cast<cufft::Stream>(stream)),
                  "cufftSetStream");
            stream_ = stream;
        }
        if (workspace != workspace_) {
            check(api_.cufftSetWorkArea(plan_, workspace), "cufftSetWorkArea");
            workspace_ = workspace;
        }
    }

    void call_at(std::byte* in, std::byte* out, std::size_t loop) {
        if (loop == layout_.loops.size()) return execute(in, out);
        const Axis& axis = layout_.loops[loop];
        for (std::int64_t i = 0; i < axis.n; ++i)
            call_at(in + i * axis.in * problem_.in_bytes(),
                    out + i * axis.out * problem_.out_bytes(), loop + 1);
    }

    void execute(void* in, void* out) {
        const int sign =
            problem_.operation == Operation::forward ? cufft::forward_sign : cufft::inverse_sign;
        switch (type_of(problem_)) {
            case cufft::Type::c2c:
                return check(api_.cufftExecC2C(plan_, in, out, sign), "cufftExecC2C");
            case cufft::Type::z2z:
                return check(api_.cufftExecZ2Z(plan_, in, out, sign), "cufftExecZ2Z");
            case cufft::Type::r2c:
                return check(api_.cufftExecR2C(plan_, in, out), "cufftExecR2C");
            case cufft::Type::d2z:
                return check(api_.cufftExecD2Z(plan_, in, out), "cufftExecD2Z");
            case cufft::Type::c2r:
                return check(api_.cufftExecC2R(plan_, in, out), "cufftExecC2R");
            case cufft::Type::z2d:
                return check(api_.cufftExecZ2D(plan_, in, out), "cufftExecZ2D");
        }
    }

    std::shared_ptr<core::DeviceState> device_;
    Problem problem_;
    Layout layout_;
    const cufft::Api& api_;
    cufft::Handle plan_ = 0;
    std::size_t workspace_bytes_ = 0;
    std::mutex mutex_;  ///< of the plan's stream and workspace
    std::uintptr_t stream_ = 0;
    void* workspace_ = nullptr;
};

}  // namespace

std::shared_ptr<Executor> make_cufft_executor(core::DeviceState& device, const Problem& problem) {
    auto layout = cufft::layout_of(problem);
    HEALD_EXPECTS(layout, invalid_value, "[fft] cuFFT cannot take this layout");
    return std::make_shared<CufftExecutor>(device, problem, *std::move(layout));
}

bool cufft_takes(const Problem& problem) {
    return cufft::layout_of(problem).has_value();
}

}  // namespace heald::fft
