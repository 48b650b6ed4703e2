#include <heald/dtype.hpp>
#include <heald/error.hpp>

#include <gtest/gtest.h>

namespace heald {
namespace {

TEST(DType, NamesRoundTrip) {
    for (int i = 0; i < static_cast<int>(DType::opaque); ++i) {
        const auto dtype = static_cast<DType>(i);
        EXPECT_EQ(dtype_from_name(name_of(dtype)), dtype);
        EXPECT_GT(size_of(dtype), 0u);
    }
}

TEST(DType, UnknownNameListsTheNames) {
    try {
        (void)dtype_from_name("float33");
        FAIL() << "did not throw";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::not_found);
        EXPECT_NE(std::string(error.what()).find("float32"), std::string::npos);
    }
}

}  // namespace
}  // namespace heald
