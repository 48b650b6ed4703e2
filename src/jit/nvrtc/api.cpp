#include "src/jit/nvrtc/api.hpp"

#include "src/base/check.hpp"
#include "src/base/settings.hpp"

#include <algorithm>

namespace heald::nvrtc {
namespace {

Api load() {
    Api api;
#define HEALD_LOOK_UP(name, ...) library().look_up(api.name, #name);
    HEALD_NVRTC_SYMBOLS(HEALD_LOOK_UP)
#undef HEALD_LOOK_UP
#define HEALD_LOOK_UP(name, ...) api.name = library().function<decltype(api.name)>(#name);
    HEALD_NVRTC_OPTIONAL_SYMBOLS(HEALD_LOOK_UP)
#undef HEALD_LOOK_UP
    api.nvrtcVersion(&api.major, &api.minor);
    int count = 0;
    if (api.nvrtcGetNumSupportedArchs != nullptr && api.nvrtcGetSupportedArchs != nullptr &&
        api.nvrtcGetNumSupportedArchs(&count) == Result::success && count > 0) {
        api.architectures.resize(static_cast<std::size_t>(count));
        api.nvrtcGetSupportedArchs(api.architectures.data());
        std::sort(api.architectures.begin(), api.architectures.end());
    }
    return api;
}

}  // namespace

Library& library() {
    static Library* const nvrtc = new Library({
        .name = "NVRTC",
        .purpose = "compiles CUDA C++ for the GPU",
        .sonames = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
        .path_setting = Setting::nvrtc_path,
        .package_folders = {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib", "nvidia/*/lib"},
        .remedy = "pip install nvidia-cuda-nvrtc (with pip's CUDA 12 packages: pip install "
                  "nvidia-cuda-nvrtc-cu12)",
        .must_define = "nvrtcCompileProgram",
    });
    return *nvrtc;
}

const Api& api(const std::string& operation) {
    library().require(operation);
    static const Api* const instance = new Api(load());
    return *instance;
}

void check(Result result, const char* call) {
    if (result == Result::success) return;
    const Api& nvrtc = api("NVRTC");
    fail(result == Result::out_of_memory ? ErrorKind::out_of_memory : ErrorKind::device, "[NVRTC] ",
         call, ": ", nvrtc.nvrtcGetErrorString(result));
}

}  // namespace heald::nvrtc
