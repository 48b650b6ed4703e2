// Memory is safe across streams: which waits are made, and which are not.

#include "tests/cpp/core/fake_backend.hpp"

#include <heald/heald.hpp>

#include "src/core/ordering.hpp"

#include <gtest/gtest.h>
#include <array>
#include <atomic>
#include <thread>

namespace heald {
namespace {

using Lines = std::vector<std::string>;

class Ordering : public ::testing::Test {
protected:
    // Queue 0 is the default stream, 1 and 2 are these.
    fake::Machine machine;
    Stream standard = machine.device.default_stream();
    Stream first{machine.device};
    Stream second{machine.device};
    std::vector<char> host = std::vector<char>(1024);

    void read(const Buffer& buffer, const Stream& stream) {
        buffer.copy_to_host_async(host.data(), buffer.size(), nullptr, stream);
    }
    static void write(const Buffer& buffer, const Stream& stream) { buffer.fill(0, 1, stream); }
    Lines log() { return machine.backend->take_log(); }
};

TEST(OrderingOneStream, CostsNothing) {
    fake::Machine machine;
    const Stream stream = machine.device.default_stream();
    {
        const Buffer buffer(64, stream);
        for (int i = 0; i < 100; ++i) buffer.fill(0, 1, stream);
    }
    EXPECT_EQ(machine.backend->records, 0);
    EXPECT_EQ(machine.backend->events_made, 0);
    for (const auto& line : machine.backend->take_log())
        EXPECT_EQ(line.find("wait"), std::string::npos) << line;
}

TEST_F(Ordering, ReadWaitsForWriteAndForNothingAfterIt) {
    const Buffer buffer(64, first);
    const Buffer other(64, first);
    write(buffer, first);
    write(other, first);  // unrelated, later
    read(buffer, second);
    EXPECT_EQ(log(), (Lines{"1: fill", "1: fill", "2: wait 1@1", "2: copy"}));
}

TEST_F(Ordering, RepeatedUsesWaitAsTheFirstDid) {
    const Buffer buffer(64, first);
    const Buffer other(64, first);
    for (int i = 0; i < 3; ++i) write(buffer, first);  // positions 1 to 3: the usual use
    write(other, first);
    write(buffer, second);  // takes it away
    write(buffer, first);
    EXPECT_EQ(log(), (Lines{"1: fill", "1: fill", "1: fill", "1: fill", "2: wait 1@3", "2: fill",
                            "1: wait 2@1", "1: fill"}));
}

TEST_F(Ordering, ConflictingOperationsAreEnqueuedOneByOne) {
    const Buffer buffer(64, first);
    std::array<std::atomic<int>, 2> inside{};  // halves of the buffer
    std::atomic<int> together{0};
    const auto work = [&](const Stream& stream, std::size_t begin, std::size_t end) {
        const std::array uses{MemoryUse{buffer.block().get(), begin, end, true}};
        for (int i = 0; i < 3000; ++i) {
            core::enqueue(stream.state(), uses, [&](core::QueueImpl&) {
                for (std::size_t half = 0; half < 2; ++half)
                    if (begin < 32 * (half + 1) && 32 * half < end)
                        together += inside[half].fetch_add(1) != 0;
                for (std::size_t half = 0; half < 2; ++half)
                    if (begin < 32 * (half + 1) && 32 * half < end) inside[half].fetch_sub(1);
            });
            if (i % 50 == 0) std::this_thread::yield();  // or the usual stream hardly changes
        }
    };
    std::thread whole([&] { work(first, 0, 64); });
    std::thread half([&] { work(second, 0, 32); });
    work(standard, 0, 64);
    whole.join();
    half.join();
    EXPECT_EQ(together, 0);
}

TEST_F(Ordering, ReadsDoNotWaitForReads) {
    const Buffer buffer(64, first);
    write(buffer, first);
    read(buffer, first);
    machine.device.synchronize();
    (void)log();
    read(buffer, first);
    read(buffer, second);
    read(buffer, standard);
    EXPECT_EQ(log(), (Lines{"1: copy", "2: copy", "0: copy"}));
}

TEST_F(Ordering, WriteWaitsForEveryReader) {
    const Buffer buffer(64, first);
    machine.device.synchronize();
    read(buffer, first);
    read(buffer, second);
    (void)log();
    write(buffer, standard);
    EXPECT_EQ(log(), (Lines{"0: wait 1@1", "0: wait 2@1", "0: fill"}));
}

TEST_F(Ordering, DisjointRangesNeverWait) {
    const Buffer buffer(64, first);
    write(buffer.slice(0, 32), first);
    write(buffer.slice(0, 32), first);
    write(buffer.slice(32, 32), second);
    write(buffer.slice(16, 16), first);
    write(buffer.slice(32, 16), second);
    EXPECT_EQ(log(), (Lines{"1: fill", "1: fill", "2: fill", "1: fill", "2: fill"}));
}

TEST_F(Ordering, DisjointRangesWaitOnlyForTheWriteOfTheWhole) {
    const Buffer buffer(64, first);
    write(buffer, first);
    write(buffer.slice(0, 32), first);  // a long kernel, say
    write(buffer.slice(32, 32), second);
    EXPECT_EQ(log(), (Lines{"1: fill", "1: fill", "2: wait 1@1", "2: fill"}));
}

TEST_F(Ordering, OverlapOfOneByteWaits) {
    const Buffer buffer(64, first);
    write(buffer.slice(0, 33), first);
    write(buffer.slice(32, 32), second);
    EXPECT_EQ(log(), (Lines{"1: fill", "2: wait 1@1", "2: fill"}));
}

TEST_F(Ordering, OneWaitIsEnough) {
    const Buffer buffer(64, first);
    write(buffer, first);
    read(buffer, second);
    read(buffer, second);
    read(buffer, second);
    EXPECT_EQ(log(), (Lines{"1: fill", "2: wait 1@1", "2: copy", "2: copy", "2: copy"}));
}

TEST_F(Ordering, FinishedWorkIsNotWaitedFor) {
    const Buffer buffer(64, first);
    write(buffer, first);
    first.synchronize();
    (void)log();
    write(buffer, second);
    EXPECT_EQ(log(), (Lines{"2: fill"}));
}

TEST_F(Ordering, UserWaitsCount) {
    const Buffer buffer(64, first);
    write(buffer, first);
    second.wait(first.record());
    (void)log();
    write(buffer, second);
    EXPECT_EQ(log(), (Lines{"2: fill"}));
}

TEST_F(Ordering, FreeWaitsForEveryStreamThatUsedIt) {
    {
        const Buffer buffer(64, first);
        write(buffer, second);
        read(buffer, standard);
        (void)log();
    }
    const Lines lines = log();
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0], "1: wait 2@1");
    EXPECT_EQ(lines[1], "1: wait 0@1");
    EXPECT_EQ(lines[2], "1: release");
}

TEST_F(Ordering, FreeOnAnotherThreadAndAfterTheStreamIsClosed) {
    Stream third(machine.device);  // queue 3
    auto buffer = std::make_unique<Buffer>(64, third);
    write(*buffer, third);
    third.close();
    third = standard;
    (void)log();
    std::thread([&] { buffer.reset(); }).join();
    EXPECT_EQ(log(), (Lines{"0: wait 3@1", "0: release"}));
    EXPECT_EQ(machine.device.memory().statistics().current_bytes, 0u);
}

TEST_F(Ordering, FreeWithinAHostFunctionIsPutOff) {
    auto buffer = std::make_unique<Buffer>(64, first);
    write(*buffer, second);
    machine.backend->refuse_work = true;
    buffer.reset();
    EXPECT_EQ(machine.device.memory().statistics().current_bytes, 64u);
    machine.backend->refuse_work = false;
    first.synchronize();
    EXPECT_EQ(machine.device.memory().statistics().current_bytes, 64u);  // the second still writes
    second.synchronize();
    EXPECT_EQ(machine.device.memory().statistics().current_bytes, 0u);
}

TEST_F(Ordering, UntrackedMemoryIsLeftAlone) {
    const Buffer buffer(64, first);
    buffer.set_tracked(false);
    write(buffer, first);
    write(buffer, second);
    EXPECT_EQ(log(), (Lines{"1: fill", "2: fill"}));
}

TEST_F(Ordering, ForeignUsesCount) {
    const Buffer buffer(64, first);
    write(buffer, first);
    buffer.use(second, false);
    buffer.use(second, true);
    (void)log();
    write(buffer, first);
    EXPECT_EQ(log().front().substr(0, 9), "1: wait 2");
}

TEST(OrderingTransition, WorkBeforeTheSecondStreamIsWaitedFor) {
    fake::Machine machine;
    const Stream standard = machine.device.default_stream();
    const Buffer buffer(64, standard);
    buffer.fill(0, 1, standard);
    const Stream late(machine.device);
    const Buffer other(64, standard);
    other.fill(0, 1, standard);  // after tracking began: not of interest
    (void)machine.backend->take_log();
    buffer.fill(0, 1, late);
    EXPECT_EQ(machine.backend->take_log(), (Lines{"1: wait 0@1", "1: fill"}));
}

TEST_F(Ordering, WrappedMemoryOutlivesItsUses) {
    char memory[64] = {};
    auto owner = std::make_shared<int>(1);
    const std::weak_ptr<int> alive = owner;
    {
        const Buffer buffer = Buffer::wrap(memory, sizeof memory, machine.device, std::move(owner));
        EXPECT_TRUE(buffer.escaped());
        write(buffer, first);
    }
    EXPECT_FALSE(alive.expired());
    first.synchronize();
    EXPECT_TRUE(alive.expired());
}

TEST_F(Ordering, IdleWrappedMemoryIsDroppedAtOnce) {
    char memory[64] = {};
    auto owner = std::make_shared<int>(1);
    const std::weak_ptr<int> alive = owner;
    Buffer::wrap(memory, sizeof memory, machine.device, std::move(owner)).close();
    EXPECT_TRUE(alive.expired());
}

TEST_F(Ordering, ManyShortStreamsLeaveNothingBehind) {
    machine.backend->keep_log = false;
    const Buffer buffer(64, first);
    write(buffer, first);
    machine.device.synchronize();
    std::weak_ptr<core::Timeline> an_early_one;
    for (int i = 0; i < 2000; ++i) {
        const Stream stream(machine.device);
        read(buffer, stream);
        if (i == 100) an_early_one = stream.state().timeline;
        stream.synchronize();
    }
    EXPECT_TRUE(an_early_one.expired());
    EXPECT_LT(buffer.block().use_count(), 3);
}

TEST_F(Ordering, StreamsThatNobodyAsksStopMarking) {
    machine.backend->keep_log = false;
    const Buffer buffer(64, first);
    for (int i = 0; i < 100; ++i) write(buffer, first);
    const int early = machine.backend->records;
    for (int i = 0; i < 10'000; ++i) write(buffer, first);
    EXPECT_EQ(machine.backend->records, early);
}

TEST_F(Ordering, ThreadsOnOneBufferTakeTurns) {
    machine.backend->keep_log = false;
    const Buffer a(64, first);
    const Buffer b(64, first);
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            const Stream stream(machine.device);
            for (int i = 0; i < 500; ++i) {
                // Both orders: no deadlock.
                if ((t + i) % 2 == 0)
                    a.copy_from(b, stream);
                else
                    b.copy_from(a, stream);
            }
        });
    for (auto& thread : threads) thread.join();
    machine.device.synchronize();
}

TEST_F(Ordering, EventsOfElapsedTimeSayWhatIsWrong) {
    Event start(machine.device, true);
    Event stop(machine.device, true);
    const auto message = [](const Event& a, const Event& b) {
        try {
            (void)b.elapsed_since(a);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    fake::Machine other;
    const std::string never = message(start, stop);
    start.record(first);
    write(Buffer(64, first), first);
    stop.record(first);
    const std::string running = message(start, stop);
    Event untimed(machine.device, false);
    untimed.record(first);
    const std::string timing = message(start, untimed);
    Event elsewhere(other.device, true);
    const std::string device = message(start, elsewhere);
    EXPECT_NE(never.find("never recorded"), std::string::npos) << never;
    EXPECT_NE(running.find("not done"), std::string::npos) << running;
    EXPECT_NE(timing.find("without timing"), std::string::npos) << timing;
    EXPECT_NE(device.find("one device"), std::string::npos) << device;
    stop.synchronize();
    EXPECT_EQ(message(start, stop), "");
}

}  // namespace
}  // namespace heald
