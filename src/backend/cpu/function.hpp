#pragma once

#include "src/backend/cpu/kernel_abi.hpp"
#include "src/backend/cpu/launch.hpp"
#include "src/base/fork.hpp"
#include "src/core/backend.hpp"
#include "src/jit/cpu/plugin.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string>

namespace heald::cpu {

/// Machine code of a kernel for one variant.
struct KernelCode {
    BlocksFunction blocks = nullptr;
    std::size_t static_shared_bytes = 0;
    std::size_t frame_bytes_per_warp = 0;
    std::shared_ptr<const void> keep_alive;  ///< what holds the code
};

/// A kernel: its record, and machine code per variant, made when a launch first needs it.
class Function final : public core::FunctionImpl {
public:
    using Build = std::function<KernelCode(const KernelRecord&, const Variant&)>;

    /// `owner` is the code, which holds this object and outlives it.
    Function(KernelRecord record, Build build, std::weak_ptr<const void> owner);

    [[nodiscard]] const std::string& name() const override { return record_.display_name; }
    [[nodiscard]] const Signature& signature() const override { return record_.signature; }
    [[nodiscard]] const KernelRecord& record() const noexcept { return record_; }
    [[nodiscard]] const ArgumentLayout& layout() const noexcept { return layout_; }
    [[nodiscard]] const WorkBound& work() const noexcept { return work_; }
    [[nodiscard]] std::shared_ptr<const void> owner() const { return owner_.lock(); }

    void prepare(const Dim3& block) override;
    /// The code for a block of this shape. The first caller builds it, others wait.
    const KernelCode& code_for(const std::uint32_t block[3]);

    [[nodiscard]] std::uint32_t max_threads_per_block() const noexcept;

    /// Checked and completed; throws Error(invalid_value) or Error(unavailable).
    [[nodiscard]] Grid grid(const LaunchConfig& config, const LaunchSite& site);

private:
    struct Slot {
        ForkOnce once;
        KernelCode code;
    };

    KernelRecord record_;
    Build build_;
    std::weak_ptr<const void> owner_;
    ArgumentLayout layout_;
    WorkBound work_;
    std::array<Slot, 7 * 4> slots_;  // lanes 1 … 64, contiguous, full
};

}  // namespace heald::cpu
