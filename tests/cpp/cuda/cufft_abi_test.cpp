// Compares heald's own declarations of cuFFT with the real header. Built where that is installed.

#include "src/plan/fft/cufft_api.hpp"
#include "tests/cpp/cuda/abi_match.hpp"

#include <cufft.h>
#include <gtest/gtest.h>

#define CHECK(name, ...)                                                                    \
    static_assert(                                                                          \
        heald::cuda::SameAbi<__VA_ARGS__, std::remove_pointer_t<decltype(&::name)>>::value, \
        #name " is declared otherwise in the header");
namespace heald::fft::cufft {
HEALD_CUFFT_SYMBOLS(CHECK)

namespace {

TEST(CufftAbi, NumbersAreTheHeaders) {
    EXPECT_EQ(int(Result::success), CUFFT_SUCCESS);
    EXPECT_EQ(int(Result::invalid_plan), CUFFT_INVALID_PLAN);
    EXPECT_EQ(int(Result::alloc_failed), CUFFT_ALLOC_FAILED);
    EXPECT_EQ(int(Result::invalid_type), CUFFT_INVALID_TYPE);
    EXPECT_EQ(int(Result::invalid_value), CUFFT_INVALID_VALUE);
    EXPECT_EQ(int(Result::internal_error), CUFFT_INTERNAL_ERROR);
    EXPECT_EQ(int(Result::exec_failed), CUFFT_EXEC_FAILED);
    EXPECT_EQ(int(Result::setup_failed), CUFFT_SETUP_FAILED);
    EXPECT_EQ(int(Result::invalid_size), CUFFT_INVALID_SIZE);
    EXPECT_EQ(int(Result::unaligned_data), CUFFT_UNALIGNED_DATA);
    EXPECT_EQ(int(Type::r2c), CUFFT_R2C);
    EXPECT_EQ(int(Type::c2r), CUFFT_C2R);
    EXPECT_EQ(int(Type::c2c), CUFFT_C2C);
    EXPECT_EQ(int(Type::d2z), CUFFT_D2Z);
    EXPECT_EQ(int(Type::z2d), CUFFT_Z2D);
    EXPECT_EQ(int(Type::z2z), CUFFT_Z2Z);
    EXPECT_EQ(forward_sign, CUFFT_FORWARD);
    EXPECT_EQ(inverse_sign, CUFFT_INVERSE);
}

}  // namespace
}  // namespace heald::fft::cufft
