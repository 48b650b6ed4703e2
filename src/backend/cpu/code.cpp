#include "src/backend/cpu/code.hpp"

#include "src/backend/cpu/compiler_library.hpp"
#include "src/backend/cpu/deep_stack.hpp"
#include "src/backend/cpu/loader.hpp"
#include "src/backend/cpu/runtime_functions.hpp"
#include "src/base/check.hpp"
#include "src/base/nearest.hpp"
#include "src/jit/cpu/unit.hpp"
#include "src/jit/cpu/variant.hpp"
#include "src/jit/disk_cache.hpp"

#include <algorithm>

namespace heald::cpu {

std::shared_ptr<Code> Code::load(const core::CodeData& data) {
    auto code = std::make_shared<Code>(unit_of(data), hash_bytes(data.bytes));
    code->source_name_ = data.name;
    // Functions refer back to the code weakly: it holds them.
    for (const KernelRecord& record : code->unit_.kernels)
        code->functions_.emplace(record.name, std::make_unique<Function>(
                                                  record,
                                                  [self = code.get()](const KernelRecord& kernel,
                                                                      const Variant& variant) {
                                                      return self->build(kernel, variant);
                                                  },
                                                  code));
    return code;
}

Code::Code(CompiledUnit unit, Hash128 key) : unit_(std::move(unit)), key_(key) {}

core::FunctionImpl& Code::function(const std::string& lowered) {
    const auto found = functions_.find(lowered);
    HEALD_EXPECTS(found != functions_.end(), not_found, "[ObjectCode.get_kernel] '", source_name_,
                  "' has no kernel '", lowered, "'");
    return *found->second;
}

std::vector<std::string> Code::function_names() {
    std::vector<std::string> names;
    for (const KernelRecord& record : unit_.kernels) names.push_back(record.name);
    return names;
}

core::GlobalSymbol Code::global(const std::string& lowered) {
    const auto found =
        std::find_if(unit_.globals.begin(), unit_.globals.end(),
                     [&](const GlobalRecord& record) { return record.name == lowered; });
    HEALD_EXPECTS(found != unit_.globals.end(), not_found, "[ObjectCode.get_global] '",
                  source_name_, "' has no variable '", lowered, "'");
    void* address = shared_object().find(lowered);
    HEALD_EXPECTS(address != nullptr, not_found, "[ObjectCode.get_global] the variable '", lowered,
                  "' of '", source_name_, "' is not used by any kernel and was left out");
    return {address, found->size, found->is_constant};
}

/// Bytes from the disk cache, else made and kept there.
std::string Code::cached(const std::string& what, const std::function<std::string()>& make) {
    const Hash128 key = KeyBuilder().add(compiler_identity()).add(key_).add(what).hash();
    jit::DiskCache& cache = jit::DiskCache::shared();
    if (auto bytes = cache.load(key)) return std::move(*bytes);
    std::string bytes = make();
    cache.store(key, bytes);
    return bytes;
}

const LoadedObject& Code::shared_object() {
    shared_once_([this] {
        const std::string& ready = unit_.ready_globals;
        const std::string elf = !ready.empty() ? ready : cached("globals", [this] {
            Compiler& made = compiler("Kernel.launch");
            return on_deep_stack("Kernel.launch",
                                 [&] { return made.build_globals(unit_, Target{}); });
        });
        shared_object_ = LoadedObject::load(elf, runtime_function);
    });
    return *shared_object_;
}

KernelCode Code::build(const KernelRecord& record, const Variant& variant) {
    const std::string what =
        text("kernel ", record.name, " ", int{variant.lanes}, variant.contiguous, variant.full);
    const auto make = [&] {
        Compiler& made = compiler("Kernel.launch");
        return serialize(on_deep_stack(
            "Kernel.launch", [&] { return made.build(unit_, record.name, variant, Target{}); }));
    };
    KernelObject object;
    const auto ready = std::ranges::find_if(unit_.ready, [&](const ReadyKernel& one) {
        return one.kernel == record.name && one.object.variant == variant;
    });
    if (ready != unit_.ready.end()) {
        object = ready->object;
    } else {
        std::string bytes = cached(what, make);
        try {
            object = deserialize_object(bytes);
        } catch (const Error&) {
            object = deserialize_object(bytes = make());  // the file was damaged
        }
    }
    const LoadedObject& variables = shared_object();
    auto loaded = LoadedObject::load(object.elf, [&variables](std::string_view name) {
        void* address = variables.find(name);
        return address != nullptr ? address : runtime_function(name);
    });
    KernelCode code;
    code.blocks = reinterpret_cast<BlocksFunction>(loaded->find(blocks_symbol));
    HEALD_EXPECTS(code.blocks != nullptr, device, "[Kernel.launch] the code of '",
                  record.display_name, "' lacks its entry '", blocks_symbol, "'");
    code.static_shared_bytes = object.static_shared_bytes;
    code.frame_bytes_per_warp = object.frame_bytes_per_warp;
    code.keep_alive = std::move(loaded);
    return code;
}

CompiledUnit unit_of(const core::CodeData& data) {
    HEALD_EXPECTS(data.format == "cpu" && data.bytes.starts_with(core::cpu_code_magic),
                  invalid_value, "[ObjectCode] '", data.name, "' is ", data.format,
                  " code: cpu takes code of format 'cpu', so compile the source for it");
    return deserialize_unit(std::string_view(data.bytes).substr(core::cpu_code_magic.size()));
}

core::CodeData code_data(const CompiledUnit& unit, const std::string& name) {
    core::CodeData data;
    data.kind = DeviceKind::cpu;
    data.format = "cpu";
    data.name = name;
    data.bytes = std::string(core::cpu_code_magic) + serialize(unit);
    for (const KernelRecord& record : unit.kernels)
        data.kernels.push_back(
            {record.name, record.display_name, record.expression, record.signature, true});
    for (const GlobalRecord& record : unit.globals) {
        data.variables.push_back({record.name, record.display_name, record.is_constant});
        if (!record.is_constant) data.has_mutable_globals = true;
    }
    data.dependencies = unit.dependencies;
    data.warnings = unit.warnings;
    data.log = unit.log;
    data.symbols_complete = true;
    return data;
}

core::CodeData ready_code(const core::CodeData& data, const std::uint32_t block[3]) {
    CompiledUnit unit = unit_of(data);
    Compiler& made = compiler("Program.compile");
    for (const KernelRecord& kernel : unit.kernels)
        unit.ready.push_back(
            {kernel.name, made.build(unit, kernel.name, best_variant(kernel, block, 0), Target{})});
    unit.ready_globals = made.build_globals(unit, Target{});
    unit.bitcode.clear();
    return code_data(unit, data.name);
}

}  // namespace heald::cpu
