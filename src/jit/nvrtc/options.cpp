#include "src/jit/nvrtc/options.hpp"

#include "src/jit/nvrtc/include_folders.hpp"

namespace heald::nvrtc {

std::vector<std::string> command_line(const core::CompileRequest& request, const Target& target) {
    const ProgramOptions& options = request.options;
    std::vector<std::string> line{"-arch=" + target.architecture, "-std=" + options.standard};
    // Functions without __device__ are device code, constexpr ones among them: there is no host.
    line.emplace_back("-default-device");
    if (target.format == "ltoir") line.emplace_back("-dlto");
    if (options.relocatable || target.format == "ltoir") line.emplace_back("-rdc=true");
    if (options.fast_math) line.emplace_back("-use_fast_math");
    if (!options.contract) line.emplace_back("-fmad=false");
    if (options.debug) line.emplace_back("-G");
    if (options.line_info && !options.debug) line.emplace_back("-lineinfo");
    if (options.max_registers)
        line.push_back("-maxrregcount=" + std::to_string(*options.max_registers));
    for (const std::string& define : options.defines) line.push_back("-D" + define);
    for (const std::string& undefine : options.undefines) line.push_back("-U" + undefine);
    for (const std::string& folder : options.include_paths) line.push_back("-I" + folder);
    for (const std::string& folder : cuda_include_folders()) line.push_back("-I" + folder);
    line.insert(line.end(), options.extra.begin(), options.extra.end());
    return line;
}

}  // namespace heald::nvrtc
