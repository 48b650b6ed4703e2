#pragma once

#include "src/backend/cpu/function.hpp"
#include "src/base/fork.hpp"
#include "src/base/hash.hpp"
#include "src/core/backend.hpp"
#include "src/core/code.hpp"
#include "src/jit/cpu/plugin.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace heald::cpu {

class LoadedObject;

/// A compiled source on the device: its kernels, and its variables, which all of them share.
class Code final : public core::CodeImpl, public std::enable_shared_from_this<Code> {
public:
    static std::shared_ptr<Code> load(const core::CodeData& data);

    core::FunctionImpl& function(const std::string& lowered) override;
    core::GlobalSymbol global(const std::string& lowered) override;
    [[nodiscard]] std::vector<std::string> function_names() override;

    /// Only for load().
    Code(CompiledUnit unit, Hash128 key);

private:
    [[nodiscard]] KernelCode build(const KernelRecord& record, const Variant& variant);
    /// The object that defines the variables and what is compiled once for all kernels.
    const LoadedObject& shared_object();
    [[nodiscard]] std::string cached(const std::string& what,
                                     const std::function<std::string()>& make);

    CompiledUnit unit_;
    Hash128 key_;  ///< of the unit's contents
    std::string source_name_;
    std::unordered_map<std::string, std::unique_ptr<Function>> functions_;
    ForkOnce shared_once_;
    std::shared_ptr<const LoadedObject> shared_object_;
};

/// As ObjectCode keeps a unit: its bytes begin with core::cpu_code_magic.
core::CodeData code_data(const CompiledUnit& unit, const std::string& name);
/// The unit that such bytes hold. Throws Error(invalid_value) for others.
CompiledUnit unit_of(const core::CodeData& data);

/// The same code with machine code of every kernel for blocks of this shape, in place of what the
/// compiler makes such code from.
core::CodeData ready_code(const core::CodeData& data, const std::uint32_t block[3]);

}  // namespace heald::cpu
