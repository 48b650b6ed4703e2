#include "src/jit/dependency.hpp"

#include "tests/cpp/jit/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <fstream>

namespace heald::jit {
namespace {

TEST(Dependency, ContentCounts) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "a.h").string();
    std::ofstream(path) << "int a;";
    const auto dependency = dependency_on(path, file_clock_now());
    ASSERT_TRUE(dependency.has_value());
    EXPECT_TRUE(is_unchanged(*dependency));
    std::ofstream(path) << "int a;";  // the same content again
    EXPECT_TRUE(is_unchanged(*dependency));
    std::ofstream(path) << "int b;";  // the same size, within the clock's grain
    EXPECT_FALSE(is_unchanged(*dependency));
    std::filesystem::remove(path);
    EXPECT_FALSE(is_unchanged(*dependency));
    EXPECT_FALSE(dependency_on(path, file_clock_now()).has_value());
}

TEST(Dependency, ChangeDuringACompilationIsNoticed) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "a.h").string();
    const std::int64_t before = file_clock_now() - 1'000'000'000;
    std::ofstream(path) << "int a;";
    EXPECT_FALSE(dependency_on(path, before).has_value());
}

}  // namespace
}  // namespace heald::jit
