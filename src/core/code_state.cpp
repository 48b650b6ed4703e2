#include "src/core/code_state.hpp"

#include "src/base/check.hpp"
#include "src/base/nearest.hpp"
#include "src/core/compile.hpp"
#include "src/core/deferred.hpp"
#include "src/core/kernel_names.hpp"

#include <algorithm>

namespace heald::core {
namespace {

constexpr const char* get_kernel = "[ObjectCode.get_kernel] ";

std::string_view name_of(DeviceKind kind) {
    return kind == DeviceKind::cpu ? "cpu" : "cuda";
}

std::vector<KernelSymbol> copies(const std::vector<const KernelSymbol*>& kernels) {
    std::vector<KernelSymbol> result;
    for (const KernelSymbol* kernel : kernels) result.push_back(*kernel);
    return result;
}

}  // namespace

LoadedCode::~LoadedCode() {
    if (!device.usable()) {
        (void)std::make_unique<std::shared_ptr<CodeImpl>>(std::move(impl)).release();
        return;
    }
    without_throwing("ObjectCode.close", [this] {
        std::vector<Position> running;
        for (auto& timeline : device.timelines()) {
            const std::uint64_t position = timeline->enqueued();
            if (!timeline->is_complete(position)) running.push_back({timeline, position});
        }
        if (!running.empty()) keep_until(std::move(running), std::move(impl));
    });
}

CodeState::CodeState(std::shared_ptr<const CodeData> data, DeviceState* compiled_for,
                     std::optional<CompileRequest> request)
    : data_(std::move(data)),
      compiled_for_(compiled_for),
      request_(std::move(request)),
      kernels_(data_->kernels),
      complete_(data_->symbols_complete) {}

void CodeState::check_device(const DeviceState& device, const char* operation) const {
    HEALD_EXPECTS(device.kind() == data_->kind, invalid_value, operation, "'", data_->name,
                  "' was compiled for ", name_of(data_->kind), " (", data_->format,
                  "), the device is ", device.name(), ": compile the program for ", device.name(),
                  ", or name a device of that kind");
}

std::shared_ptr<LoadedCode> CodeState::loaded_on(DeviceState& device) {
    std::shared_ptr<Load> load;
    {
        const std::lock_guard lock(mutex_);
        auto& slot = loads_[&device];
        if (slot == nullptr) slot = std::make_shared<Load>();
        load = slot;
    }
    load->once(
        [&] { load->code = std::make_shared<LoadedCode>(device, device.backend().load(*data_)); });
    return load->code;
}

void CodeState::add_symbols_of(LoadedCode& loaded) {
    const std::vector<std::string> names = loaded.impl->function_names();
    const std::lock_guard lock(mutex_);
    if (complete_) return;
    for (const std::string& lowered : names) {
        const bool known = std::any_of(kernels_.begin(), kernels_.end(), [&](const auto& kernel) {
            return kernel.lowered == lowered;
        });
        if (!known) kernels_.push_back(symbol_of_mangled(lowered));
    }
    complete_ = true;
}

std::vector<KernelSymbol> CodeState::known_kernels() {
    const std::lock_guard lock(mutex_);
    return kernels_;
}

CodeState::Found CodeState::found(const KernelSymbol& symbol, DeviceState& device) {
    Found result;
    result.code = shared_from_this();
    result.loaded = loaded_on(device);
    result.function = &result.loaded->impl->function(symbol.lowered);
    result.name = symbol.display.empty() ? symbol.lowered : symbol.display;
    return result;
}

CodeState::Found CodeState::find_kernel(const std::string& name, DeviceState& device) {
    check_device(device, get_kernel);
    HEALD_EXPECTS(!trimmed(name).empty(), invalid_value, get_kernel, "the name is empty");
    const auto search = [&] {
        const std::lock_guard lock(mutex_);
        return copies(kernels_named(kernels_, name));
    };
    auto kernels = search();
    bool complete = false;
    {
        const std::lock_guard lock(mutex_);
        complete = complete_;
    }
    // More may be there than the compiler told: a name may also have overloads among them.
    if (!complete && (kernels.empty() || kernels.front().lowered != name)) {
        add_symbols_of(*loaded_on(device));
        kernels = search();
    }
    if (kernels.size() == 1) return found(kernels.front(), device);
    if (kernels.size() > 1) fail_overloads(name, kernels);
    if (auto instance = compile_instance(name)) {
        kernels = copies(kernels_named(instance->known_kernels(), name));
        if (kernels.size() == 1) return instance->found(kernels.front(), device);
    }
    fail_not_found(name, "");
}

std::shared_ptr<CodeState> CodeState::compile_instance(const std::string& name) {
    if (name.find('<') == std::string::npos || name.ends_with(')')) return nullptr;
    HEALD_EXPECTS(request_.has_value() && compiled_for_ != nullptr, not_found, get_kernel,
                  "there is no instance '", name, "' in '", data_->name,
                  "', and its source is not at hand to compile it now: name it at compile time, "
                  "compile(names=[\"",
                  name, "\"])");
    HEALD_EXPECTS(!data_->has_mutable_globals, not_found, get_kernel, "there is no instance '",
                  name, "' in '", data_->name,
                  "'. It cannot be compiled now, because the source "
                  "has __device__ or __constant__ variables, which a later instance would not "
                  "share: name it at compile time, compile(names=[\"",
                  name, "\"])");
    std::shared_ptr<Instance> instance;
    {
        const std::lock_guard lock(mutex_);
        auto& slot = instances_[canonical_name(name)];
        if (slot == nullptr) slot = std::make_shared<Instance>();
        instance = slot;
    }
    instance->once([&] {
        CompileRequest request = *request_;
        request.names = {name};
        try {
            instance->code = std::make_shared<CodeState>(compile(*compiled_for_, request),
                                                         compiled_for_, std::nullopt);
        } catch (const CompileError& error) {
            fail_not_found(name, text(". Compiling that instance says: ", error.what()));
        }
    });
    return instance->code;
}

void CodeState::fail_overloads(const std::string& name,
                               const std::vector<KernelSymbol>& kernels) const {
    std::string list;
    for (const KernelSymbol& kernel : kernels)
        list += text("\n  ", declaration_of(kernel), "  (", kernel.lowered, ")");
    fail(ErrorKind::invalid_value, get_kernel, "'", name, "' in '", data_->name, "' means ",
         kernels.size(),
         " kernels: ask for one by its mangled name or with its parameter types:", list);
}

void CodeState::fail_not_found(const std::string& name, const std::string& reason) {
    std::vector<std::string> names;
    for (const KernelSymbol& kernel : known_kernels())
        names.push_back(kernel.expression.empty() ? kernel.display : kernel.expression);
    std::string what = text(get_kernel, "there is no kernel '", name, "' in '", data_->name, "'");
    if (names.empty()) {
        what += ": it has no __global__ function, and no instance of a template was named";
    } else if (const std::string hint = did_you_mean(name, names); !hint.empty()) {
        what += hint;
    } else {
        std::sort(names.begin(), names.end());
        if (names.size() > 20) names.resize(20);
        what += text(": its kernels are ", join(names));
    }
    throw Error(ErrorKind::not_found, what + reason);
}

GlobalSymbol CodeState::find_global(const std::string& name, LoadedCode& loaded) {
    const std::string wanted = canonical_name(name);
    std::vector<std::string> names;
    for (const VariableSymbol& variable : data_->variables) {
        if (variable.lowered == name || canonical_name(variable.display) == wanted)
            return loaded.impl->global(variable.lowered);
        names.push_back(variable.display);
    }
    for (const std::string& lowered : {name, mangled_variable(name)}) {
        try {
            return loaded.impl->global(lowered);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::not_found) throw;
        }
    }
    fail(ErrorKind::not_found,
         "[ObjectCode.get_global] there is no __device__ or __constant__ "
         "variable '",
         name, "' in '", data_->name, "'", did_you_mean(name, names));
}

}  // namespace heald::core
