#include "src/backend/cuda/backend.hpp"
#include "src/base/check.hpp"
#include "src/base/settings.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace heald::cuda {

using driver::Result;

namespace {

bool hidden_by_environment() {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (visible == nullptr) return false;
    const std::string_view devices = trimmed(visible);
    return devices.empty() || devices == "-1" || devices == "NoDevFiles";
}

/// An NVIDIA display controller on the PCI bus, or the driver's device files.
bool hardware_present() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (fs::exists("/dev/nvidiactl", ignored) || fs::exists("/proc/driver/nvidia/version", ignored))
        return true;
    for (const auto& device : fs::directory_iterator("/sys/bus/pci/devices", ignored)) {
        const auto first_line = [&](const char* file) {
            std::ifstream in(device.path() / file);
            std::string line;
            std::getline(in, line);
            return line;
        };
        // Class 0x03…: display controllers (bridges and audio of the same vendor do not count).
        if (first_line("vendor") == "0x10de" && first_line("class").starts_with("0x03"))
            return true;
    }
    return false;
}

std::string advice(Result result) {
    switch (result) {
        case Result::no_device:
            return "no GPU is visible to this process";
        case Result::system_driver_mismatch:
            return "the kernel module and the driver library differ: restart the machine, or in a "
                   "container use the host's libraries";
        case Result::system_not_ready:
            return "the system is not ready: start nvidia-fabricmanager (NVSwitch machines)";
        case Result::stub_library:
            return "the library found is the toolkit's stub: take its folder out of "
                   "LD_LIBRARY_PATH";
        case Result::compat_not_supported_on_device:
            return "the forward-compatibility libraries do not support this GPU: use the driver's "
                   "own";
        default:
            return "nvidia-smi shows the state of driver and GPUs";
    }
}

int count(std::string& reason, bool& suspicious) {
    suspicious = false;
    if (hidden_by_environment()) {
        reason = "CUDA_VISIBLE_DEVICES hides every GPU";
        return 0;
    }
    if (!driver::library().available()) {
        suspicious = hardware_present() || setting(Setting::driver_path).has_value();
        reason = suspicious ? text("there is an NVIDIA GPU, but ", driver::library().why_missing())
                            : text("no NVIDIA driver: ", driver::library().why_missing());
        return 0;
    }
    if (driver::forked_since_initialisation()) {
        reason = "CUDA does not survive fork: start the process with the \"spawn\" method";
        return 0;
    }
    int devices = 0;
    Result result = driver::initialise();
    if (result == Result::success) result = driver::api().cuDeviceGetCount(&devices);
    if (result == Result::success && devices > 0) return devices;
    if (result == Result::success) result = Result::no_device;
    suspicious = result != Result::no_device || hardware_present();
    reason = text("the CUDA driver (", driver::library().path(), ") says ",
                  driver::describe(result), ": ", advice(result));
    return 0;
}

std::shared_ptr<core::Backend> make(int ordinal) {
    return std::make_shared<Backend>(ordinal);
}

}  // namespace

core::BackendKind backend_kind() {
    return {DeviceKind::cuda, count, make};
}

}  // namespace heald::cuda
