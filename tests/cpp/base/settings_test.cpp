#include "src/base/settings.hpp"

#include <heald/settings.hpp>

#include "src/base/log.hpp"

#include <gtest/gtest.h>
#include <cstdlib>

namespace heald {
namespace {

std::string last_warning;  // NOLINT: the handler has no other place

TEST(Settings, Bytes) {
    EXPECT_EQ(parse_bytes("17"), 17u);
    EXPECT_EQ(parse_bytes(" 1GiB "), 1u << 30);
    EXPECT_EQ(parse_bytes("512 MiB"), 512u << 20);
    EXPECT_EQ(parse_bytes("1.5k"), 1536u);
    EXPECT_EQ(parse_bytes("2gb"), 2ull << 30);
    for (const char* bad : {"", "x", "-1", "1 apple", "1e30", "nan"})
        EXPECT_EQ(parse_bytes(bad), std::nullopt) << bad;
}

TEST(Settings, BadValueWarnsAndKeepsTheDefault) {
    set_warning_handler([](const char* message) { last_warning = message; });
    setenv("HEALD_CACHE_SIZE", "many", 1);
    EXPECT_EQ(setting_bytes(Setting::cache_size, 5), 5u);
    EXPECT_NE(last_warning.find("HEALD_CACHE_SIZE=many"), std::string::npos);
    unsetenv("HEALD_CACHE_SIZE");
    setenv("HEALD_LAUNCH_BLOCKING", "On", 1);
    EXPECT_TRUE(setting_flag(Setting::launch_blocking, false));
    unsetenv("HEALD_LAUNCH_BLOCKING");
    set_warning_handler(nullptr);
}

TEST(Settings, AreListedWithTheirMeaning) {
    const auto all = settings();
    EXPECT_EQ(all.size(), static_cast<std::size_t>(Setting::count));
    for (const auto& entry : all) {
        EXPECT_TRUE(entry.name.starts_with("HEALD_"));
        EXPECT_FALSE(entry.meaning.empty());
    }
}

TEST(Settings, WarnOnceWarnsOnce) {
    static int count;
    count = 0;
    set_warning_handler([](const char*) { ++count; });
    WarnOnce once;
    for (int i = 0; i < 3; ++i) once("again ", i);
    EXPECT_EQ(count, 1);
    set_warning_handler(nullptr);
}

}  // namespace
}  // namespace heald
