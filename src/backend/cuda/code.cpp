#include "src/backend/cuda/code.hpp"

#include "src/base/check.hpp"
#include "src/base/nearest.hpp"
#include "src/jit/signature_reader.hpp"

#include <algorithm>
#include <array>

namespace heald::cuda {

using driver::Result;

namespace {

/// The driver's own compiler and linker write what they have to say here.
struct JitLog {
    std::array<char, 8192> text{};
    std::array<driver::JitOption, 2> options{driver::JitOption::error_log,
                                             driver::JitOption::error_log_bytes};
    std::array<void*, 2> values{text.data(), reinterpret_cast<void*>(text.size())};
};

}  // namespace

Code::Code(std::shared_ptr<Context> context, const core::CodeData& data)
    : context_(std::move(context)),
      name_(data.name),
      symbols_(data.kernels),
      variables_(data.variables),
      symbols_complete_(data.symbols_complete) {
    const Current current(*context_);
    const DuringCapture relaxed(*context_);
    context_->deferred().poll();  // code that is closed by now: its memory may be needed
    JitLog log;
    // std::string ends in a NUL, as PTX must.
    const Result result = context_->api().cuModuleLoadDataEx(
        &module_, data.bytes.data(), static_cast<unsigned>(log.options.size()), log.options.data(),
        log.values.data());
    if (result == Result::success) return;
    const std::string said = log.text.data();
    switch (result) {
        case Result::no_binary_for_gpu:
        case Result::unsupported_ptx_version:
        case Result::invalid_image:
        case Result::invalid_ptx:
            fail(ErrorKind::invalid_value, "[ObjectCode] '", name_, "' (", data.format,
                 ") does not fit ", context_->name(), ": the CUDA driver says ",
                 driver::describe(result), said.empty() ? "" : ". ", said,
                 ". Compile it for this device's architecture, or update the driver");
        default:
            context_->check(result, "ObjectCode");
    }
}

Code::~Code() {
    if (module_ == nullptr || context_->faulted() || driver::forked_since_initialisation()) return;
    without_throwing("unloading code", [this] {
        const InternalCall internal;
        const Current current(*context_);
        std::vector<driver::Stream> streams;
        bool anywhere = false;  // work of a stream that is gone may still run
        for (const auto& entry : used_in_) {
            const auto queue = entry.lock();
            if (!queue) {
                anywhere = true;
                continue;
            }
            for (const auto& [name, kernel] : kernels_) queue->launches().forget(kernel->id());
            streams.push_back(queue->stream());
        }
        const auto unload = [context = context_.get(), module = module_, anywhere] {
            const DuringCapture relaxed(*context);
            if (anywhere) context->api().cuCtxSynchronize();
            context->api().cuModuleUnload(module);
        };
        if (used_in_.empty())
            unload();
        else
            context_->deferred().after(streams, unload);
    });
}

std::vector<std::size_t> Code::parameter_sizes(driver::Function function) const {
    std::vector<std::size_t> sizes;
    driver::Api& api = context_->api();
    std::size_t offset = 0;
    std::size_t size = 0;
    if (!api.cuFuncGetParamInfo) driver::missing_symbol(api.cuFuncGetParamInfo.name());
    while (api.cuFuncGetParamInfo(function, sizes.size(), &offset, &size) == Result::success)
        sizes.push_back(size);
    return sizes;
}

Signature Code::signature_of(const std::string& lowered, driver::Function function) {
    const auto symbol = std::find_if(symbols_.begin(), symbols_.end(), [&](const auto& entry) {
        return entry.lowered == lowered && entry.has_signature;
    });
    Signature signature;
    if (symbol != symbols_.end()) {
        signature = symbol->signature;
    } else if (auto read = jit::signature_from_mangled(lowered)) {
        signature = std::move(*read);
    } else {
        const auto sizes = parameter_sizes(function);
        return jit::signature_of_sizes(sizes.data(), sizes.size());
    }
    const bool complete = std::all_of(signature.parameters.begin(), signature.parameters.end(),
                                      [](const Parameter& p) { return p.size != 0; });
    if (complete) return signature;
    const auto sizes = parameter_sizes(function);
    if (jit::complete_sizes(signature, sizes.data(), sizes.size())) return signature;
    return jit::signature_of_sizes(sizes.data(), sizes.size());
}

core::FunctionImpl& Code::function(const std::string& lowered) {
    const std::lock_guard lock(mutex_);
    if (const auto found = kernels_.find(lowered); found != kernels_.end()) return *found->second;
    const Current current(*context_);
    const DuringCapture relaxed(*context_);
    driver::Function function = nullptr;
    const Result result = context_->api().cuModuleGetFunction(&function, module_, lowered.c_str());
    if (result == Result::not_found) {
        std::vector<std::string> names = ask_driver_for_names();
        for (std::string& name : names) name = jit::display_name(name);
        fail(ErrorKind::not_found, "[ObjectCode.get_kernel] '", name_, "' has no kernel '",
             jit::display_name(lowered), "'", did_you_mean(jit::display_name(lowered), names));
    }
    context_->check(result, "ObjectCode.get_kernel");
    const auto symbol = std::find_if(symbols_.begin(), symbols_.end(),
                                     [&](const auto& entry) { return entry.lowered == lowered; });
    const std::string display = symbol != symbols_.end() && !symbol->display.empty()
                                    ? symbol->display
                                    : jit::display_name(lowered);
    auto kernel = std::make_unique<Kernel>(*context_, *this, function, display,
                                           signature_of(lowered, function));
    return *kernels_.emplace(lowered, std::move(kernel)).first->second;
}

core::GlobalSymbol Code::global(const std::string& lowered) {
    const Current current(*context_);
    const DuringCapture relaxed(*context_);
    driver::DevicePointer address = 0;
    core::GlobalSymbol symbol;
    const Result result =
        context_->api().cuModuleGetGlobal_v2(&address, &symbol.size, module_, lowered.c_str());
    if (result == Result::not_found) {
        std::vector<std::string> names;
        for (const auto& variable : variables_) names.push_back(variable.display);
        fail(ErrorKind::not_found, "[ObjectCode.get_global] '", name_, "' has no variable '",
             lowered, "'", did_you_mean(lowered, names));
    }
    context_->check(result, "ObjectCode.get_global");
    symbol.address = reinterpret_cast<void*>(address);
    const auto known = std::find_if(variables_.begin(), variables_.end(),
                                    [&](const auto& entry) { return entry.lowered == lowered; });
    symbol.is_constant = known != variables_.end() && known->is_constant;
    return symbol;
}

std::vector<std::string> Code::ask_driver_for_names() {
    std::vector<std::string> names;
    driver::Api& api = context_->api();
    unsigned count = 0;
    if (api.cuModuleGetFunctionCount && api.cuModuleEnumerateFunctions && api.cuFuncGetName &&
        api.cuModuleGetFunctionCount(&count, module_) == Result::success) {
        std::vector<driver::Function> functions(count);
        if (api.cuModuleEnumerateFunctions(functions.data(), count, module_) == Result::success)
            for (driver::Function function : functions) {
                const char* name = nullptr;
                if (api.cuFuncGetName(&name, function) == Result::success) names.push_back(name);
            }
    }
    if (names.empty())
        for (const auto& symbol : symbols_) names.push_back(symbol.lowered);
    return names;
}

std::vector<std::string> Code::function_names() {
    if (symbols_complete_) {
        std::vector<std::string> names;
        for (const auto& symbol : symbols_) names.push_back(symbol.lowered);
        return names;
    }
    const Current current(*context_);
    return ask_driver_for_names();
}

void Code::note_use(Queue& queue) {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : used_in_)
        if (entry.lock().get() == &queue) return;
    used_in_.push_back(queue.weak_from_this());
}

}  // namespace heald::cuda
