// A machine without NVRTC (HEALD_NVRTC_PATH of the environment names nothing).

#include "src/jit/nvrtc/compiler.hpp"

#include <gtest/gtest.h>

namespace heald::nvrtc {
namespace {

TEST(NoNvrtc, SaysWhatWasLookedForAndHowToGetIt) {
    core::CompileRequest request;
    request.source = "__global__ void f() {}";
    for (int i = 0; i < 2; ++i) {
        try {
            (void)compile(request, "sm_90");
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::unavailable);
            const std::string text = error.what();
            EXPECT_NE(text.find("libnvrtc.so.13"), std::string::npos) << text;
            EXPECT_NE(text.find("pip install nvidia-cuda-nvrtc"), std::string::npos) << text;
        }
    }
}

}  // namespace
}  // namespace heald::nvrtc
