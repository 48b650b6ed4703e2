// A machine on which the driver named by HEALD_DRIVER_PATH cannot be opened.

#include "src/backend/cuda/backend.hpp"
#include "src/backend/cuda/driver/api.hpp"

#include <gtest/gtest.h>

namespace heald::cuda {
namespace {

TEST(NoDriver, IsSaidWithAReasonAndARemedy) {
    std::string reason;
    bool suspicious = false;
    EXPECT_EQ(backend_kind().count(reason, suspicious), 0);
    EXPECT_NE(reason.find("libcuda.so.1"), std::string::npos) << reason;
    EXPECT_NE(reason.find("install the NVIDIA driver"), std::string::npos) << reason;
    EXPECT_TRUE(suspicious) << "the user asked for a driver";
}

TEST(NoDriver, OpeningADeviceRaises) {
    try {
        (void)backend_kind().make(0);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    }
}

}  // namespace
}  // namespace heald::cuda
