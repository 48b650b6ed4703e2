#include "src/backend/cuda/driver/api.hpp"

#include "src/base/check.hpp"
#include "src/base/fork.hpp"
#include "src/base/settings.hpp"

#include <atomic>
#include <mutex>

namespace heald::cuda::driver {
namespace {

std::atomic<std::int64_t> initialised_in{-1};  // fork generation

}  // namespace

void missing_symbol(const char* name) {
    int version = 0;
    if (api().cuDriverGetVersion) api().cuDriverGetVersion(&version);
    fail(ErrorKind::unavailable, "[CUDA driver] the installed driver (CUDA ", version / 1000, ".",
         version % 1000 / 10, ") has no ", name, ", which this needs: update the NVIDIA driver");
}

Library& library() {
    static Library* const driver = new Library({
        .name = "CUDA driver",
        .purpose = "runs the GPU",
        .sonames = {"libcuda.so.1"},
        .path_setting = Setting::driver_path,
        .package_folders = {},
        .remedy = "install the NVIDIA driver of this machine's GPU "
                  "(https://www.nvidia.com/drivers; in a container, run with --gpus all)",
        .only_system = true,
        .must_define = "cuInit",
    });
    return *driver;
}

Api::Api() {
    library().require("CUDA");
#define HEALD_LOOK_UP(name, ...) name.set(library().symbol(#name));
    HEALD_DRIVER_SYMBOLS(HEALD_LOOK_UP)
#undef HEALD_LOOK_UP
}

Api& api() {
    // Never destroyed: threads may still be in the driver while the process exits.
    static Api* const instance = new Api;
    return *instance;
}

bool forked_since_initialisation() noexcept {
    const std::int64_t generation = initialised_in.load(std::memory_order_relaxed);
    return generation >= 0 && static_cast<std::uint64_t>(generation) != fork_generation();
}

Result initialise() {
    static const Result result = [] {
        const Result code = api().cuInit(0);
        initialised_in.store(static_cast<std::int64_t>(fork_generation()));
        return code;
    }();
    return result;
}

}  // namespace heald::cuda::driver
