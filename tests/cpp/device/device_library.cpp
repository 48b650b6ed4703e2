#include "tests/cpp/device/device_library.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace heald::device_test {

DeviceLibrary::DeviceLibrary(const std::string& target) {
    const std::string path =
        std::string(HEALD_DEVICE_LIBRARY_FOLDER) + "/libdevice_functions_" + target + ".so";
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
}

void* DeviceLibrary::address(const std::string& symbol) const {
    void* found = dlsym(handle_, symbol.c_str());
    if (found == nullptr) throw std::runtime_error("device_functions.cu has no " + symbol);
    return found;
}

std::vector<std::string> targets() {
    std::vector<std::string> found;
    if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt")) found.push_back("v2");
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back("v3");
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq")) {
        found.push_back("v4");
    }
    return found;
}

std::uint64_t fresh_seed() {
    const std::uint64_t seed = std::random_device{}();
    ::testing::Test::RecordProperty("seed", std::to_string(seed));
    return seed;
}

}  // namespace heald::device_test
