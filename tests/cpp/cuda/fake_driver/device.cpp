// Devices, contexts, and what the tests set and look at.

#include "tests/cpp/cuda/fake_driver/internals.hpp"

#include <cstring>

namespace heald::cuda::fake {

Control& control() {
    static auto* const instance = new Control;
    return *instance;
}

std::vector<driver::Context>& current_stack() {
    thread_local std::vector<driver::Context> stack;
    return stack;
}

driver::Context context_of(driver::Device device) {
    static driver::ContextHandle contexts[8];
    return &contexts[device];
}

driver::Result enter(const char* name) {
    Control& c = control();
    ++c.calls[name];
    if (const auto fails = c.fail_next.find(name); fails != c.fail_next.end()) {
        const driver::Result result = fails->second;
        c.fail_next.erase(fails);
        return result;
    }
    return c.sticky;
}

}  // namespace heald::cuda::fake

extern "C" __attribute__((visibility("default"))) heald::cuda::fake::Control* heald_fake_control() {
    return &heald::cuda::fake::control();
}

namespace heald::cuda::driver {

using fake::control;

Result cuInit(unsigned) {
    ENTER(cuInit);
    return control().init_result;
}
Result cuDriverGetVersion(int* version) {
    *version = 13000;
    return Result::success;
}
Result cuGetErrorName(Result result, const char** name) {
    *name = result == Result::illegal_address ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : result == Result::out_of_memory ? "CUDA_ERROR_OUT_OF_MEMORY"
            : result == Result::no_device     ? "CUDA_ERROR_NO_DEVICE"
                                              : "CUDA_ERROR_OF_THE_FAKE";
    return Result::success;
}
Result cuGetErrorString(Result, const char** text) {
    *text = "the fake driver says so";
    return Result::success;
}
Result cuDeviceGet(Device* device, int ordinal) {
    ENTER(cuDeviceGet);
    if (ordinal >= control().device_count) return Result::invalid_device;
    *device = ordinal;
    fake::context_of(ordinal)->device = ordinal;
    return Result::success;
}
Result cuDeviceGetCount(int* count) {
    ENTER(cuDeviceGetCount);
    *count = control().device_count;
    return *count == 0 ? Result::no_device : Result::success;
}
Result cuDeviceGetName(char* name, int size, Device) {
    std::strncpy(name, "Fake GPU", static_cast<std::size_t>(size));
    return Result::success;
}
Result cuDeviceGetUuid_v2(Uuid* uuid, Device device) {
    std::memset(uuid, device, sizeof *uuid);
    return Result::success;
}
Result cuDeviceGetPCIBusId(char* text, int size, Device) {
    std::strncpy(text, "0000:01:00.0", static_cast<std::size_t>(size));
    return Result::success;
}
Result cuDeviceTotalMem_v2(std::size_t* bytes, Device) {
    *bytes = control().memory_limit;
    return Result::success;
}
Result cuDeviceGetAttribute(int* value, DeviceAttribute which, Device) {
    switch (which) {
        case DeviceAttribute::compute_capability_major:
            *value = 9;
            break;
        case DeviceAttribute::compute_capability_minor:
            *value = 0;
            break;
        case DeviceAttribute::max_threads_per_block:
            *value = 1024;
            break;
        case DeviceAttribute::max_block_dim_x:
        case DeviceAttribute::max_block_dim_y:
            *value = 1024;
            break;
        case DeviceAttribute::max_block_dim_z:
            *value = 64;
            break;
        case DeviceAttribute::max_grid_dim_x:
            *value = 2147483647;
            break;
        case DeviceAttribute::max_grid_dim_y:
        case DeviceAttribute::max_grid_dim_z:
            *value = 65535;
            break;
        case DeviceAttribute::max_threads_per_multiprocessor:
            *value = 2048;
            break;
        case DeviceAttribute::warp_size:
            *value = 32;
            break;
        case DeviceAttribute::multiprocessor_count:
            *value = 132;
            break;
        case DeviceAttribute::max_shared_memory_per_block:
            *value = 49152;
            break;
        case DeviceAttribute::max_shared_memory_per_block_optin:
            *value = 232448;
            break;
        default:
            *value = 1;
    }
    return Result::success;
}
Result cuDeviceCanAccessPeer(int* possible, Device, Device) {
    *possible = 1;
    return Result::success;
}
Result cuDevicePrimaryCtxRetain(Context* context, Device device) {
    ENTER(cuDevicePrimaryCtxRetain);
    *context = fake::context_of(device);
    return Result::success;
}
Result cuDevicePrimaryCtxRelease_v2(Device) {
    return Result::success;
}
Result cuCtxGetCurrent(Context* context) {
    *context = fake::current_stack().empty() ? nullptr : fake::current_stack().back();
    return Result::success;
}
Result cuCtxPushCurrent_v2(Context context) {
    const std::lock_guard lock(control().mutex);
    ++control().calls["cuCtxPushCurrent_v2"];
    ++control().contexts_pushed;
    fake::current_stack().push_back(context);
    return Result::success;
}
Result cuCtxPopCurrent_v2(Context* context) {
    const std::lock_guard lock(control().mutex);
    if (fake::current_stack().empty()) return Result::invalid_context;
    --control().contexts_pushed;
    *context = fake::current_stack().back();
    fake::current_stack().pop_back();
    return Result::success;
}
Result cuCtxSynchronize() {
    ENTER(cuCtxSynchronize);
    return Result::success;
}
Result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return Result::success;
}
Result cuCtxEnablePeerAccess(Context, unsigned) {
    ENTER(cuCtxEnablePeerAccess);
    return Result::success;
}
Result cuThreadExchangeStreamCaptureMode(CaptureMode* mode) {
    thread_local CaptureMode own = CaptureMode::global;
    std::swap(own, *mode);
    return Result::success;
}

}  // namespace heald::cuda::driver
