// The cache key's facts of NVRTC, remembered from process to process (HEALD_CACHE_DIR of the
// environment is a folder of the build).

#include "src/jit/nvrtc/facts.hpp"
#include "src/jit/nvrtc/api.hpp"
#include "src/jit/nvrtc/compiler.hpp"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <unistd.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace heald::nvrtc {
namespace {

bool library_is_open() {
    for (const std::string& soname : library().spec().sonames)
        if (void* handle = dlopen(soname.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
            dlclose(handle);
            return true;
        }
    return false;
}

std::string identity_in_child(bool& opened) {
    const std::string self = "/proc/" + std::to_string(getpid()) + "/exe";
    FILE* pipe = popen((self + " --gtest_filter=Facts.DISABLED_Child "
                               "--gtest_also_run_disabled_tests | grep '^CHILD'")
                           .c_str(),
                       "r");
    std::array<char, 4096> line{};
    std::string output = std::fgets(line.data(), line.size(), pipe) ? line.data() : "";
    pclose(pipe);
    opened = output.starts_with("CHILD opened");
    return output.substr(output.find(':') + 1);
}

core::CompileRequest request() {
    core::CompileRequest result;
    result.source = "__global__ void f() {}";
    return result;
}

TEST(Facts, DISABLED_Child) {
    const std::string text = identity(request(), "sm_90");
    std::printf("CHILD %s:%s\n", library_is_open() ? "opened" : "closed", text.c_str());
}

TEST(Facts, ASecondProcessNeedNotOpenTheLibrary) {
    bool opened = false;
    const std::string first = identity_in_child(opened);
    if (first.find("NVRTC") == std::string::npos) GTEST_SKIP() << "no NVRTC on this machine";
    const std::string second = identity_in_child(opened);
    EXPECT_FALSE(opened);
    EXPECT_EQ(first, second);
    EXPECT_EQ(identity(request(), "sm_90") + "\n", second);
    (void)compile(request(), "sm_90");
    EXPECT_TRUE(library_is_open());
    EXPECT_EQ(identity(request(), "sm_90") + "\n", second) << "the same once it is open";
    setenv("LD_LIBRARY_PATH", ("/another/place/" + std::to_string(getpid())).c_str(), 1);
    (void)identity_in_child(opened);
    EXPECT_TRUE(opened) << "another environment may mean another library";
}

}  // namespace
}  // namespace heald::nvrtc
