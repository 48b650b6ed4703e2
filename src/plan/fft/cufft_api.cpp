#include "src/plan/fft/cufft_api.hpp"

#include "src/base/check.hpp"
#include "src/base/settings.hpp"

namespace heald::fft::cufft {
namespace {

Api load() {
    Api api;
#define HEALD_LOOK_UP(name, ...) library().look_up(api.name, #name);
    HEALD_CUFFT_SYMBOLS(HEALD_LOOK_UP)
#undef HEALD_LOOK_UP
    api.cufftGetVersion(&api.version);
    return api;
}

const char* meaning(Result result) {
    switch (result) {
        case Result::success:
            return "success";
        case Result::invalid_plan:
            return "invalid plan";
        case Result::alloc_failed:
            return "out of memory";
        case Result::invalid_type:
            return "invalid type";
        case Result::invalid_value:
            return "invalid value";
        case Result::internal_error:
            return "internal error";
        case Result::exec_failed:
            return "the execution failed";
        case Result::setup_failed:
            return "the library could not be initialised";
        case Result::invalid_size:
            return "a size that it does not support";
        case Result::unaligned_data:
            return "unaligned data";
    }
    return "unknown error";
}

}  // namespace

Library& library() {
    static Library* const cufft = new Library({
        .name = "cuFFT",
        .purpose = "computes Fourier transforms on the GPU",
        .sonames = {"libcufft.so.12", "libcufft.so.11", "libcufft.so"},
        .path_setting = Setting::cufft_path,
        .package_folders = {"nvidia/cu13/lib", "nvidia/cufft/lib", "nvidia/*/lib"},
        .remedy = "pip install nvidia-cufft (with pip's CUDA 12 packages: pip install "
                  "nvidia-cufft-cu12)",
        .must_define = "cufftMakePlanMany64",
    });
    return *cufft;
}

const Api& api() {
    library().require("fft");
    static const Api* const instance = new Api(load());
    return *instance;
}

void check(Result result, const char* call) {
    if (result == Result::success) return;
    fail(result == Result::alloc_failed ? ErrorKind::out_of_memory : ErrorKind::device, "[cuFFT] ",
         call, ": ", meaning(result), " (", static_cast<int>(result), ")");
}

}  // namespace heald::fft::cufft
