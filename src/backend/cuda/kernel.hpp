#pragma once

#include "src/backend/cuda/context.hpp"
#include "src/core/backend.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace heald::cuda {

class Code;
class Queue;

/// A kernel of loaded code.
class Kernel final : public core::FunctionImpl {
public:
    Kernel(Context& context, Code& code, driver::Function function, const std::string& name,
           Signature signature);

    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] const Signature& signature() const override { return signature_; }

    [[nodiscard]] std::uint64_t id() const noexcept { return id_; }  ///< never used again
    [[nodiscard]] const char* lasting_name() const noexcept { return lasting_name_; }
    [[nodiscard]] driver::Function function() const noexcept { return function_; }
    [[nodiscard]] const std::vector<std::size_t>& parameter_sizes() const noexcept {
        return sizes_;
    }
    [[nodiscard]] std::size_t argument_bytes() const noexcept { return bytes_; }  ///< unpadded

    [[nodiscard]] KernelAttributes attributes();
    [[nodiscard]] int max_active_blocks(int block, std::size_t shared);
    [[nodiscard]] BlockSize suggest_block_size(std::size_t shared);

    /// Opts in to dynamic shared memory, once: needed beyond 48 KiB in all. The context must be
    /// current.
    void allow_shared(std::size_t bytes) {
        if (bytes > allowed_shared_.load(std::memory_order_relaxed)) [[unlikely]]
            raise_allowed_shared(bytes);
    }
    /// Lets clusters larger than the portable eight blocks run, once.
    void allow_large_clusters();

    /// Remembers that work of this kernel may be in `queue`.
    void note_use(Queue& queue);

private:
    [[nodiscard]] int attribute(driver::FunctionAttribute which) const;
    void raise_allowed_shared(std::size_t bytes);

    Context& context_;
    Code& code_;
    driver::Function function_;
    std::string name_;
    const char* lasting_name_;
    Signature signature_;
    std::vector<std::size_t> sizes_;
    std::size_t bytes_ = 0;
    std::uint64_t id_;
    std::atomic<std::size_t> allowed_shared_{0};
    std::atomic<bool> large_clusters_{false};
};

}  // namespace heald::cuda
