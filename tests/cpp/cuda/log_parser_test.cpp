#include "src/jit/nvrtc/log_parser.hpp"

#include <gtest/gtest.h>

namespace heald::nvrtc {
namespace {

TEST(LogParser, GivesLineAndColumn) {
    const auto log = parse_log(
        "k.cu(12): error: identifier \"b\" is undefined\n"
        "      b = 3;\n"
        "      ^\n"
        "\n"
        "dir (1)/k.cu(3): warning #177-D: variable \"x\" was declared\n"
        "  int x;\n"
        "      ^\n"
        "\n"
        "1 error detected in the compilation of \"k.cu\".\n");
    ASSERT_EQ(log.diagnostics.size(), 2u);
    EXPECT_EQ(log.diagnostics[0].file, "k.cu");
    EXPECT_EQ(log.diagnostics[0].line, 12);
    EXPECT_EQ(log.diagnostics[0].column, 5);
    EXPECT_EQ(log.diagnostics[0].message, "identifier \"b\" is undefined");
    EXPECT_EQ(log.diagnostics[0].severity, Diagnostic::Severity::error);
    EXPECT_EQ(log.diagnostics[1].file, "dir (1)/k.cu");
    EXPECT_EQ(log.diagnostics[1].column, 5);
    EXPECT_EQ(log.diagnostics[1].severity, Diagnostic::Severity::warning);
    EXPECT_TRUE(log.has_errors());
    EXPECT_TRUE(log.bad_names.empty());
}

TEST(LogParser, KeepsHealdsOwnTextApart) {
    const auto log = parse_log(
        "__nv_name_map(2): error: identifier \"k2\" is undefined\n"
        "  #pragma nv_mangled_name heald_::f<k2>\n"
        "                                    ^\n"
        "\n"
        "__nv_name_map(2): error: Error in parsing name expression for lowered name lookup\n"
        "  #pragma nv_mangled_name heald_::f<k2>\n"
        "                          ^\n"
        "\n"
        "__nv_name_map(4): error: identifier \"nope\" is undefined\n"
        "  #pragma nv_mangled_name nope\n"
        "                          ^\n"
        "\n"
        "heald_signatures(3): error: expected an identifier\n"
        "  namespace heald_ {\n"
        "            ^\n");
    EXPECT_FALSE(log.has_errors());
    ASSERT_EQ(log.bad_names.size(), 2u);
    EXPECT_EQ(log.bad_names[0].expression, "heald_::f<k2>");
    EXPECT_EQ(log.bad_names[0].message, "identifier \"k2\" is undefined");
    EXPECT_EQ(log.bad_names[1].expression, "nope");
    EXPECT_TRUE(log.blames_appended_text);
    EXPECT_EQ(log.user_log, "");
}

TEST(LogParser, KnowsTheAssemblersErrors) {
    const auto log = parse_log(
        "ptxas application ptx input, line 21; error   : Not a name of any "
        "known instruction: 'bogus'\n"
        "ptxas fatal   : Ptx assembly aborted due to errors\n");
    ASSERT_EQ(log.diagnostics.size(), 2u);
    EXPECT_TRUE(log.has_errors());
    EXPECT_NE(log.diagnostics[0].message.find("'bogus'"), std::string::npos);
}

TEST(LogParser, TakesAnything) {
    EXPECT_FALSE(parse_log("").has_errors());
    EXPECT_FALSE(parse_log("\n\n(): : (\n ^\n#pragma nv_mangled_name\n").has_errors());
}

}  // namespace
}  // namespace heald::nvrtc
