#include "src/backend/cuda/driver/status.hpp"

#include "src/backend/cuda/driver/api.hpp"
#include "src/base/check.hpp"

namespace heald::cuda::driver {

std::string describe(Result result) {
    const char* name = nullptr;
    const char* meaning = nullptr;
    if (api().cuGetErrorName) api().cuGetErrorName(result, &name);
    if (api().cuGetErrorString) api().cuGetErrorString(result, &meaning);
    std::string description =
        name != nullptr ? name : text("CUDA error ", static_cast<int>(result));
    if (meaning != nullptr) description += text(" (", meaning, ")");
    return description;
}

bool is_fault(Result result) noexcept {
    switch (result) {
        case Result::ecc_uncorrectable:
        case Result::nvlink_uncorrectable:
        case Result::contained:
        case Result::illegal_address:
        case Result::launch_timeout:
        case Result::assertion:
        case Result::hardware_stack_error:
        case Result::illegal_instruction:
        case Result::misaligned_address:
        case Result::invalid_address_space:
        case Result::invalid_pc:
        case Result::launch_failed:
        case Result::external_device:
        case Result::context_is_destroyed:
        case Result::unknown:
            return true;
        default:
            return false;
    }
}

ErrorKind kind_of(Result result) noexcept {
    if (is_fault(result)) return ErrorKind::kernel_fault;
    switch (result) {
        case Result::out_of_memory:
            return ErrorKind::out_of_memory;
        case Result::not_found:
            return ErrorKind::not_found;
        case Result::launch_out_of_resources:
        case Result::cooperative_launch_too_large:
        case Result::invalid_cluster_size:
            return ErrorKind::invalid_value;
        case Result::not_supported:
        case Result::no_device:
        case Result::device_unavailable:
        case Result::stub_library:
        case Result::system_not_ready:
        case Result::system_driver_mismatch:
        case Result::compat_not_supported_on_device:
        case Result::jit_compiler_not_found:
        case Result::peer_access_unsupported:
            return ErrorKind::unavailable;
        default:
            return ErrorKind::device;
    }
}

void raise(Result result, const char* operation) {
    fail(kind_of(result), "[", operation, "] the CUDA driver says ", describe(result));
}

}  // namespace heald::cuda::driver
