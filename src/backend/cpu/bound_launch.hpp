#pragma once

#include "src/backend/cpu/function.hpp"
#include "src/backend/cpu/queue.hpp"
#include "src/core/backend.hpp"

#include <memory>
#include <vector>

namespace heald::cpu {

/// A launch whose checks, code and arguments are settled.
class BoundLaunch final : public core::BoundImpl {
public:
    BoundLaunch(Function& function, std::shared_ptr<Queue> queue, const LaunchConfig& config,
                const PackedArguments& arguments, const LaunchSite& site);

    void launch() override;

private:
    std::shared_ptr<const void> owner_;
    Function& function_;
    std::shared_ptr<Queue> queue_;
    Grid grid_;
    std::vector<std::byte> bytes_;
    std::vector<void*> values_;
};

}  // namespace heald::cpu
