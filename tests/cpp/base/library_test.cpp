#include "src/base/library.hpp"

#include <heald/error.hpp>
#include <heald/settings.hpp>

#include <gtest/gtest.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace heald {
namespace {

LibrarySpec spec_of(std::vector<std::string> sonames) {
    LibrarySpec spec;
    spec.name = "Sample";
    spec.purpose = "does things";
    spec.sonames = std::move(sonames);
    spec.remedy = "pip install sample";
    return spec;
}

TEST(Library, FindsWhatTheProcessHasOpen) {
    Library library(spec_of({"libc.so.6"}));
    EXPECT_TRUE(library.available());
    EXPECT_NE(library.path().find("libc.so.6"), std::string::npos);
    EXPECT_NE(library.symbol("printf"), nullptr);
    EXPECT_EQ(library.symbol("no_such_function_there"), nullptr);
}

TEST(Library, TriesNamesInOrder) {
    Library library(spec_of({"libno_such_library.so.9", "libm.so.6"}));
    EXPECT_TRUE(library.available());
    EXPECT_NE(library.path().find("libm.so.6"), std::string::npos);
}

TEST(Library, MissingOneSaysWhatAndWhereAndHow) {
    Library library(spec_of({"libno_such_library.so.9"}));
    EXPECT_FALSE(library.available());
    try {
        library.require("Program.compile");
        FAIL() << "did not throw";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unavailable);
        const std::string what = error.what();
        for (const char* part : {"[Program.compile]", "Sample", "libno_such_library.so.9",
                                 "ldconfig", "pip install sample"})
            EXPECT_NE(what.find(part), std::string::npos) << part << " is not in: " << what;
    }
    const LibraryReport report = library.report();
    EXPECT_FALSE(report.found);
    EXPECT_FALSE(report.tried.empty());
}

TEST(Library, WrongFileIsNotTaken) {
    auto spec = spec_of({"libc.so.6"});
    spec.must_define = "no_such_function_there";
    Library library(spec);
    EXPECT_FALSE(library.available());
    EXPECT_NE(library.why_missing().find("no_such_function_there"), std::string::npos);
}

TEST(Library, PackageFoldersComeFirstAndStarExpands) {
    const auto root = std::filesystem::temp_directory_path() / "heald_library_test";
    std::filesystem::remove_all(root);
    std::filesystem::create_directories(root / "nvidia" / "part" / "lib");
    std::ofstream(root / "nvidia" / "part" / "lib" / "libsample_broken.so") << "not ELF";
    set_package_folders({root.string()});
    auto spec = spec_of({"libsample_broken.so"});
    spec.package_folders = {"nvidia/*/lib"};
    Library library(spec);
    EXPECT_FALSE(library.available());
    // The broken file was found and its reason kept.
    EXPECT_NE(library.why_missing().find("part/lib"), std::string::npos);
    set_package_folders({});
    std::filesystem::remove_all(root);
}

TEST(Library, SettingIsObeyedAndNotReplaced) {
    setenv("HEALD_NVRTC_PATH", "/no/such/folder", 1);
    auto spec = spec_of({"libc.so.6"});
    spec.path_setting = Setting::nvrtc_path;
    Library library(spec);
    EXPECT_FALSE(library.available());
    EXPECT_NE(library.why_missing().find("HEALD_NVRTC_PATH=/no/such/folder"), std::string::npos);
    unsetenv("HEALD_NVRTC_PATH");
}

TEST(Library, ManyThreadsOpenOnce) {
    for (int round = 0; round < 20; ++round) {
        Library library(spec_of({"libm.so.6"}));
        std::vector<std::thread> threads;
        std::atomic<int> good{0};
        for (int i = 0; i < 16; ++i)
            threads.emplace_back([&] { good += library.symbol("cos") != nullptr; });
        for (auto& thread : threads) thread.join();
        EXPECT_EQ(good, 16);
    }
}

}  // namespace
}  // namespace heald
