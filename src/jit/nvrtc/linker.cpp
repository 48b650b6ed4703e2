#include "src/jit/nvrtc/linker.hpp"

#include "src/base/check.hpp"
#include "src/base/log.hpp"
#include "src/jit/nvrtc/cubin_kernels.hpp"
#include "src/jit/nvrtc/nvjitlink.hpp"

#include <algorithm>

namespace heald::nvrtc {
namespace {

LinkJob make_job(const std::vector<const core::CodeData*>& inputs,
                 const core::CompileRequest& request, const std::string& device_architecture) {
    HEALD_EXPECTS(!inputs.empty(), invalid_value, "[Linker] argument 'inputs' is empty");
    LinkJob job;
    job.options = &request.options;
    job.architecture = request.options.architecture.value_or(device_architecture);
    job.format = request.target.empty() ? "cubin" : request.target;
    if (job.format != "cubin" && job.format != "ptx")
        fail(ErrorKind::invalid_value, "[Linker.link] argument 'target': '", job.format,
             "' is not one of cubin, ptx");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const core::CodeData& code = *inputs[i];
        if (code.kind != DeviceKind::cuda)
            fail(ErrorKind::invalid_value, "[Linker] argument 'inputs', number ", i, ": '",
                 code.name, "' is code for the CPU; a link for the GPU takes cubin, ptx and ltoir");
        job.inputs.push_back({code.bytes, code.format, code.name});
    }
    return job;
}

/// Facts of the whole from the facts of the parts.
core::CodeData describe(const std::vector<const core::CodeData*>& inputs, const LinkJob& job,
                        LinkResult result) {
    core::CodeData data;
    data.kind = DeviceKind::cuda;
    data.format = job.format;
    data.name = inputs.front()->name;
    data.bytes = std::move(result.bytes);
    data.log = std::move(result.log);
    const auto names =
        job.format == "cubin" ? kernels_of_cubin(data.bytes) : kernels_of_ptx(data.bytes);
    data.symbols_complete = true;
    for (const std::string& lowered : names) {
        core::KernelSymbol symbol;
        symbol.lowered = lowered;
        symbol.has_signature = false;
        for (const core::CodeData* input : inputs)
            for (const auto& known : input->kernels)
                if (known.lowered == lowered) symbol = known;
        data.kernels.push_back(std::move(symbol));
    }
    for (const core::CodeData* input : inputs) {
        data.has_mutable_globals = data.has_mutable_globals || input->has_mutable_globals;
        data.variables.insert(data.variables.end(), input->variables.begin(),
                              input->variables.end());
        data.dependencies.insert(data.dependencies.end(), input->dependencies.begin(),
                                 input->dependencies.end());
    }
    return data;
}

}  // namespace

core::CodeData link(const std::vector<const core::CodeData*>& inputs,
                    const core::CompileRequest& request, const std::string& device_architecture,
                    const std::function<LinkResult(const LinkJob&)>& by_driver) {
    const LinkJob job = make_job(inputs, request, device_architecture);
    std::string why;
    if (nvjitlink::usable(why)) return describe(inputs, job, nvjitlink::link(job));
    const bool only_nvjitlink =
        job.format == "ptx" ||
        std::any_of(job.inputs.begin(), job.inputs.end(),
                    [](const LinkInput& input) { return input.format == "ltoir"; });
    if (only_nvjitlink)
        fail(ErrorKind::unavailable, "[Linker.link] ltoir inputs and ptx targets need nvJitLink. ",
             why);
    static WarnOnce warn_once;
    warn_once("linking with the CUDA driver's own linker, which knows no LTO-IR: ", why);
    return describe(inputs, job, by_driver(job));
}

}  // namespace heald::nvrtc
