#include "src/base/text.hpp"
#include "src/base/check.hpp"
#include "src/base/demangle.hpp"

#include <gtest/gtest.h>

namespace heald {
namespace {

TEST(Text, Parts) {
    EXPECT_EQ(text("a", 1, ' ', 2.5, true, std::string("z")), "a1 2.5truez");
    EXPECT_EQ(join(std::vector<int>{1, 2, 3}), "1, 2, 3");
    EXPECT_EQ(trimmed("  a b\n"), "a b");
}

TEST(Text, Bytes) {
    EXPECT_EQ(bytes_text(0), "0 B");
    EXPECT_EQ(bytes_text(1023), "1023 B");
    EXPECT_EQ(bytes_text(1536), "1.50 KiB");
    EXPECT_EQ(bytes_text(std::uint64_t{5} << 30), "5.00 GiB");
}

TEST(Check, ThrowsItsKindWithItsText) {
    const auto check = [](int n) { HEALD_EXPECTS(n > 0, invalid_value, "[f] n is ", n); };
    check(1);
    try {
        check(-3);
        FAIL() << "did not throw";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::invalid_value);
        EXPECT_STREQ(error.what(), "[f] n is -3");
    }
}

TEST(Check, DestructorsDoNotThrow) {
    without_throwing("sample", [] { throw Error(ErrorKind::device, "kept quiet"); });
}

TEST(Demangle, OnlyMangledNames) {
    EXPECT_EQ(demangle("_Z3addPKfPfi"), "add(float const*, float*, int)");
    EXPECT_EQ(demangle("f"), "f");
    EXPECT_EQ(demangle("_Znonsense"), "_Znonsense");
}

}  // namespace
}  // namespace heald
