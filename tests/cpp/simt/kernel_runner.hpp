#pragma once

// Compiles CUDA C++ through the whole CPU compiler and runs variants of a kernel in this process,
// on this thread.

#include "src/jit/cpu/plugin.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heald::cpu::test {

using Dim = std::array<std::uint32_t, 3>;

struct Launch {
    Dim grid{1, 1, 1};
    Dim block{1, 1, 1};
    std::uint32_t dynamic_shared_bytes = 0;
};

/// What `choose_variant` gives for this many lanes, whatever the kernel: contiguous where the block
/// allows.
Variant variant_for(unsigned lanes, const Dim& block);

class KernelRunner {
public:
    /// `target`: "x86-64-v2", "x86-64-v3", "x86-64-v4" or "" for this machine.
    explicit KernelRunner(const std::string& source, const std::string& target = "");
    ~KernelRunner();

    const CompiledUnit& unit() const;
    const KernelRecord& kernel(const std::string& name) const;

    /// Runs all blocks; `arguments[i]` points to the value of parameter i.
    void run(const std::string& kernel, const Variant& variant, const Launch& launch,
             const std::vector<void*>& arguments);

    template <typename... Arguments>
    void operator()(const std::string& name, unsigned lanes, const Launch& launch,
                    Arguments... arguments) {
        run(name, variant_for(lanes, launch.block), launch, {static_cast<void*>(&arguments)...});
    }

    /// Called when all warps of the block wait for others.
    static std::function<void()> on_relax;
    /// The flag that loops without a bound poll.
    static std::uint32_t cancel;

    /// LLVM IR of a variant before optimisation.
    std::string vectorised(const std::string& kernel, const Variant& variant) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Whether this machine can run code for the target.
bool can_run(const std::string& target);

}  // namespace heald::cpu::test
