#include "tests/cpp/core/fake_backend.hpp"

#include <heald/heald.hpp>

#include <gtest/gtest.h>
#include <thread>

namespace heald {
namespace {

class Pool : public ::testing::Test {
protected:
    fake::Machine machine;
    Stream stream = machine.device.default_stream();
    MemoryPool pool = machine.device.memory();
};

TEST_F(Pool, CountsWhatLives) {
    {
        const Buffer a(1000, stream);
        const Buffer b(24, stream);
        const auto now = pool.statistics();
        EXPECT_EQ(now.current_bytes, 1024u);
        EXPECT_EQ(now.live_count, 2u);
    }
    const auto after = pool.statistics();
    EXPECT_EQ(after.current_bytes, 0u);
    EXPECT_EQ(after.peak_bytes, 1024u);
    EXPECT_EQ(after.live_count, 0u);
    EXPECT_EQ(after.total_count, 2u);
    pool.reset_peak();
    EXPECT_EQ(pool.statistics().peak_bytes, 0u);
}

TEST_F(Pool, SlicesKeepTheAllocation) {
    Buffer part;
    {
        const Buffer whole(1000, stream);
        part = whole.slice(100, 10);
    }
    EXPECT_EQ(pool.statistics().current_bytes, 1000u);
    part.close();
    EXPECT_EQ(pool.statistics().current_bytes, 0u);
    EXPECT_THROW((void)Buffer(10, stream).slice(8, 3), Error);
    EXPECT_THROW((void)Buffer(10, stream).slice(11, 0), Error);
}

TEST_F(Pool, EmptyBuffersAreLegal) {
    const Buffer empty(0, stream);
    EXPECT_EQ(empty.data(), nullptr);
    empty.fill(0, 1, stream);
    empty.copy_from(Buffer(0, stream), stream);
    empty.copy_from_host(nullptr, 0, stream);
    empty.copy_to_host(nullptr, 0, stream);
    EXPECT_EQ(pool.statistics().total_count, 0u);
    EXPECT_TRUE(machine.backend->take_log().empty());
}

TEST_F(Pool, LimitCountsLiveMemoryOnly) {
    pool.set_limit(1024);
    {
        const Buffer half(512, stream);
    }
    const Buffer most(768, stream);  // what was freed does not count
    try {
        const Buffer more(300, stream);
        FAIL() << "did not throw";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
        const std::string what = error.what();
        for (const char* part : {"300 bytes", "768 B in use by 1 allocations", "limit 1.00 KiB",
                                 "largest live allocations: 768 B"})
            EXPECT_NE(what.find(part), std::string::npos) << part << " is not in: " << what;
    }
    pool.set_limit(std::nullopt);
    EXPECT_NO_THROW(Buffer(300, stream));
}

TEST_F(Pool, FullDeviceSaysWhatThereIsAndWorksAfter) {
    try {
        const Buffer huge(machine.backend->capacity + 1, stream);
        FAIL() << "did not throw";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
        EXPECT_NE(std::string(error.what()).find("1.00 MiB free on the device"), std::string::npos)
            << error.what();
    }
    EXPECT_EQ(pool.statistics().current_bytes, 0u);
    EXPECT_NO_THROW(Buffer(100, stream));
}

TEST_F(Pool, ThreadsKeepTheCountsRight) {
    machine.backend->keep_log = false;
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] {
            for (int i = 1; i < 2000; ++i) const Buffer buffer(static_cast<std::size_t>(i), stream);
        });
    for (auto& thread : threads) thread.join();
    const auto counts = pool.statistics();
    EXPECT_EQ(counts.current_bytes, 0u);
    EXPECT_EQ(counts.live_count, 0u);
    EXPECT_EQ(counts.total_count, 8u * 1999u);
}

}  // namespace
}  // namespace heald
