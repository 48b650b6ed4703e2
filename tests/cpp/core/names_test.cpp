#include "src/base/demangle.hpp"
#include "src/core/kernel_names.hpp"

#include <gtest/gtest.h>

namespace heald {
namespace {

TEST(KernelNames, OneSpelling) {
    const auto same = [](const char* a, const char* b) {
        EXPECT_EQ(core::canonical_name(a), core::canonical_name(b)) << a << " / " << b;
    };
    same("scale<float,4>", " & scale < float , 4 >");
    same("scale<float, 4u>", "scale<float,4>");
    same("::ns::f", "ns::f");
    same("f<unsigned>", "f<unsigned int>");
    same("f<long int>", "f<long>");
    same("f<unsigned long long>", "f<long long unsigned int>");
    same("f<(int)4>", "f<4>");
    same("f<(bool)true>", "f<true>");
    same("f<unsigned  char>", "f<unsigned char>");
    EXPECT_NE(core::canonical_name("f<int>"), core::canonical_name("f<unsigned>"));
    EXPECT_NE(core::canonical_name("f<long>"), core::canonical_name("f<long long>"));
    EXPECT_NE(core::canonical_name("f<0x1u>"), core::canonical_name("f<0x2u>"));
    EXPECT_NE(core::canonical_name("unsignedf"), core::canonical_name("unsigned f"));
}

TEST(KernelNames, FunctionNamesWithoutTypes) {
    EXPECT_EQ(function_name("add(float const*, int)"), "add");
    EXPECT_EQ(function_name("void ns::scale<float, 4>(float*, int)"), "ns::scale<float, 4>");
    EXPECT_EQ(function_name("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
    EXPECT_EQ(function_name("void (anonymous namespace)::g<int>(void (*)(int), int)"),
              "(anonymous namespace)::g<int>");
    EXPECT_EQ(function_name("plain"), "plain");
}

TEST(KernelNames, VariablesAreMangled) {
    EXPECT_EQ(core::mangled_variable("table"), "table");
    EXPECT_EQ(core::mangled_variable("ns::table"), "_ZN2ns5tableE");
    EXPECT_EQ(core::mangled_variable("::table"), "table");
}

}  // namespace
}  // namespace heald
