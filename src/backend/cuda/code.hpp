#pragma once

#include "src/backend/cuda/kernel.hpp"
#include "src/backend/cuda/queue.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace heald::cuda {

/// A loaded module. Its kernels may be in flight when it goes away: it is unloaded after the work
/// of every queue that they were launched on.
class Code final : public core::CodeImpl {
public:
    Code(std::shared_ptr<Context> context, const core::CodeData& data);
    ~Code() override;

    core::FunctionImpl& function(const std::string& lowered) override;
    core::GlobalSymbol global(const std::string& lowered) override;
    [[nodiscard]] std::vector<std::string> function_names() override;

    [[nodiscard]] std::uint64_t id() const noexcept { return id_; }  ///< never used again
    void note_use(Queue& queue);

private:
    [[nodiscard]] Signature signature_of(const std::string& lowered, driver::Function function);
    [[nodiscard]] std::vector<std::size_t> parameter_sizes(driver::Function function) const;
    [[nodiscard]] std::vector<std::string> ask_driver_for_names();

    std::shared_ptr<Context> context_;
    std::uint64_t id_ = next_unique_id();
    driver::Module module_ = nullptr;
    std::string name_;
    std::vector<core::KernelSymbol> symbols_;
    std::vector<core::VariableSymbol> variables_;
    bool symbols_complete_;
    std::mutex mutex_;
    std::map<std::string, std::unique_ptr<Kernel>> kernels_;
    std::vector<std::weak_ptr<Queue>> used_in_;
};

}  // namespace heald::cuda
