// Linking where nvJitLink is missing or too old (HEALD_NVJITLINK_PATH of the environment).

#include <heald/settings.hpp>

#include "src/jit/nvrtc/linker.hpp"
#include "src/jit/nvrtc/nvjitlink.hpp"

#include <gtest/gtest.h>

namespace heald::nvrtc {
namespace {

core::CodeData code(const std::string& format) {
    core::CodeData data;
    data.kind = DeviceKind::cuda;
    data.format = format;
    data.name = "a.cu";
    data.bytes = ".entry k()";
    return data;
}

TEST(LinkerFallback, UsesTheDriverAndWarnsOnce) {
    static std::vector<std::string> warnings;
    set_warning_handler([](const char* message) { warnings.emplace_back(message); });
    const core::CodeData first = code("ptx");
    int calls = 0;
    const auto by_driver = [&](const LinkJob& job) {
        ++calls;
        EXPECT_EQ(job.inputs.size(), 2u);
        EXPECT_EQ(job.architecture, "sm_90");
        return LinkResult{"linked", ""};
    };
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(link({&first, &first}, {}, "sm_90", by_driver).bytes, "linked");
    set_warning_handler(nullptr);
    EXPECT_EQ(calls, 3);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("pip install nvidia-nvjitlink"), std::string::npos) << warnings[0];
}

TEST(LinkerFallback, LtoIrNeedsNvjitlink) {
    const core::CodeData first = code("ltoir");
    try {
        (void)link({&first}, {}, "sm_90", [](const LinkJob&) -> LinkResult { return {}; });
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unavailable);
        EXPECT_NE(std::string(error.what()).find("need nvJitLink"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("pip install"), std::string::npos);
    }
}

}  // namespace
}  // namespace heald::nvrtc
