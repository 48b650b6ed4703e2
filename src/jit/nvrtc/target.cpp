#include "src/jit/nvrtc/target.hpp"

#include "src/base/check.hpp"
#include "src/base/log.hpp"
#include "src/jit/nvrtc/api.hpp"

#include <algorithm>
#include <charconv>

namespace heald::nvrtc {
namespace {

/// 90 of "sm_90a"; 0 if it is not of that form.
int number_of(std::string_view architecture) {
    const auto underscore = architecture.find('_');
    if (underscore == std::string_view::npos) return 0;
    int number = 0;
    std::from_chars(architecture.data() + underscore + 1, architecture.data() + architecture.size(),
                    number);
    return number;
}

std::string with_prefix(std::string_view prefix, std::string_view architecture) {
    return std::string(prefix) += architecture.substr(architecture.find('_') + 1);
}

}  // namespace

Target choose_target(const Facts& facts, const core::CompileRequest& request,
                     const std::string& device_architecture) {
    const bool own = !request.options.architecture.has_value();
    const std::string architecture = own ? device_architecture : *request.options.architecture;
    if (!architecture.starts_with("sm_") && !architecture.starts_with("compute_"))
        fail(ErrorKind::invalid_value, "[Program.compile] option 'architecture': '", architecture,
             "' is not a GPU architecture such as sm_90 or compute_90");
    Target target{request.target, architecture};
    if (target.format.empty())
        target.format = architecture.starts_with("compute_") ? "ptx" : "cubin";
    if (target.format != "cubin" && target.format != "ptx" && target.format != "ltoir")
        fail(ErrorKind::invalid_value, "[Program.compile] argument 'target': '", target.format,
             "' is not one of cubin, ptx, ltoir (GPU)");
    if (target.format == "cubin" && architecture.starts_with("compute_"))
        fail(ErrorKind::invalid_value,
             "[Program.compile] a cubin is for a real architecture: give "
             "architecture='",
             with_prefix("sm_", architecture), "', or target='ptx'");
    if (target.format != "cubin") target.architecture = with_prefix("compute_", architecture);
    const int number = number_of(architecture);
    const auto& known = facts.architectures;
    if (known.empty() || std::find(known.begin(), known.end(), number) != known.end())
        return target;
    // The newest one that this NVRTC knows and the device can run.
    const auto next = std::upper_bound(known.begin(), known.end(), number);
    if (!own || next == known.begin())
        fail(ErrorKind::unavailable, "[Program.compile] NVRTC ", facts.major, ".", facts.minor,
             " (", facts.path, ") does not compile for ", architecture, ", but for ", join(known),
             next == known.begin() ? ". An older NVRTC does: " : ". A newer one may: ",
             library().spec().remedy);
    static WarnOnce warn_once;
    warn_once("NVRTC ", facts.major, ".", facts.minor, " is older than this GPU (", architecture,
              "): code is compiled to PTX for compute_", *(next - 1),
              " and by the driver from there. For native code: ", library().spec().remedy);
    if (request.target == "cubin")
        fail(ErrorKind::unavailable, "[Program.compile] NVRTC ", facts.major, ".", facts.minor,
             " cannot make a cubin for ", architecture, ": ", library().spec().remedy);
    if (target.format == "cubin") target.format = "ptx";
    target.architecture = text("compute_", *(next - 1));
    return target;
}

}  // namespace heald::nvrtc
