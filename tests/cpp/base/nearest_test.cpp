#include "src/base/nearest.hpp"

#include <gtest/gtest.h>

namespace heald {
namespace {

TEST(Nearest, EditDistance) {
    EXPECT_EQ(edit_distance("", ""), 0u);
    EXPECT_EQ(edit_distance("abc", ""), 3u);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
    EXPECT_EQ(edit_distance("saxpy", "sxapy"), 1u);
}

TEST(Nearest, NearestFirstAndOnlyNear) {
    const std::vector<std::string> names{"reduce_sum", "saxpy", "scale", "sclae2", "transpose"};
    EXPECT_EQ(nearest("saxpi", names), std::vector<std::string>{"saxpy"});
    EXPECT_EQ(nearest("SAXPY", names).front(), "saxpy");
    EXPECT_EQ(nearest("scale2", names).front(), "scale");  // within the other name
    EXPECT_TRUE(nearest("fft", names).empty());
    EXPECT_EQ(nearest("scale", {"ns::scale<float>"}).size(), 1u);
}

TEST(Nearest, Sentence) {
    EXPECT_EQ(did_you_mean("ad", {"add"}), ": did you mean 'add'?");
    EXPECT_EQ(did_you_mean("zzz", {"add"}), "");
}

}  // namespace
}  // namespace heald
