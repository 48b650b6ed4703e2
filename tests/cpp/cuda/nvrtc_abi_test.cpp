// Compares heald's own declarations of NVRTC and nvJitLink with the real headers. Built where those
// are installed.

#include "src/jit/nvrtc/api.hpp"
#include "src/jit/nvrtc/nvjitlink.hpp"
#include "tests/cpp/cuda/abi_match.hpp"

#include <gtest/gtest.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#define CHECK(name, ...)                                                                    \
    static_assert(                                                                          \
        heald::cuda::SameAbi<__VA_ARGS__, std::remove_pointer_t<decltype(&::name)>>::value, \
        #name " is declared otherwise in the header");
namespace heald::nvrtc {
HEALD_NVRTC_SYMBOLS(CHECK)
HEALD_NVRTC_OPTIONAL_SYMBOLS(CHECK)
}  // namespace heald::nvrtc
namespace heald::nvrtc::nvjitlink {
HEALD_NVJITLINK_SYMBOLS(CHECK)
}  // namespace heald::nvrtc::nvjitlink

namespace heald::nvrtc {
namespace {

TEST(NvrtcAbi, ResultsAreTheHeaders) {
    EXPECT_EQ(int(Result::success), NVRTC_SUCCESS);
    EXPECT_EQ(int(Result::out_of_memory), NVRTC_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(int(Result::program_creation_failure), NVRTC_ERROR_PROGRAM_CREATION_FAILURE);
    EXPECT_EQ(int(Result::invalid_input), NVRTC_ERROR_INVALID_INPUT);
    EXPECT_EQ(int(Result::invalid_program), NVRTC_ERROR_INVALID_PROGRAM);
    EXPECT_EQ(int(Result::invalid_option), NVRTC_ERROR_INVALID_OPTION);
    EXPECT_EQ(int(Result::compilation), NVRTC_ERROR_COMPILATION);
    EXPECT_EQ(int(Result::builtin_operation_failure), NVRTC_ERROR_BUILTIN_OPERATION_FAILURE);
    EXPECT_EQ(int(Result::name_expression_not_valid), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
    EXPECT_EQ(int(Result::internal_error), NVRTC_ERROR_INTERNAL_ERROR);
}

TEST(NvjitlinkAbi, InputKindsAreTheHeaders) {
    EXPECT_EQ(int(nvjitlink::Result::success), NVJITLINK_SUCCESS);
    EXPECT_EQ(int(nvjitlink::Input::cubin), NVJITLINK_INPUT_CUBIN);
    EXPECT_EQ(int(nvjitlink::Input::ptx), NVJITLINK_INPUT_PTX);
    EXPECT_EQ(int(nvjitlink::Input::ltoir), NVJITLINK_INPUT_LTOIR);
}

}  // namespace
}  // namespace heald::nvrtc
