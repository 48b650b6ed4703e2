#include "src/backend/cpu/deep_stack.hpp"

#include <heald/error.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <stdexcept>

namespace heald::cpu {
namespace {

// A frame of at least a kilobyte for each level.
[[gnu::noinline]] std::uint64_t recurse(std::uint64_t levels) {
    volatile char room[1024];
    std::memset(const_cast<char*>(room), static_cast<int>(levels & 0x7f), sizeof room);
    if (levels == 0) return 0;
    const std::uint64_t below = recurse(levels - 1);
    return below + 1 + static_cast<std::uint64_t>(room[5] != static_cast<char>(levels & 0x7f));
}

TEST(DeepStack, HoldsRecursionThatNoOrdinaryStackHolds) {
    constexpr std::uint64_t levels = 100'000;
    EXPECT_EQ(on_deep_stack("test", [] { return recurse(levels); }), levels);
}

TEST(DeepStack, PassesExceptionsOn) {
    EXPECT_THROW(run_on_deep_stack("test", [] { throw std::out_of_range("x"); }),
                 std::out_of_range);
    EXPECT_EQ(on_deep_stack("test", [] { return 7; }), 7);
}

TEST(DeepStack, AUsedUpStackIsAnErrorAndTheNextCallWorks) {
    for (int round = 0; round < 3; ++round) {
        try {
            run_on_deep_stack("Program.compile",
                              [] { recurse(std::numeric_limits<std::uint64_t>::max()); });
            FAIL() << "endless recursion came back";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::compile);
            EXPECT_NE(std::string(error.what()).find("nested too deeply"), std::string::npos);
        }
        EXPECT_EQ(on_deep_stack("test", [] { return recurse(1000); }), 1000U);
    }
}

}  // namespace
}  // namespace heald::cpu
