// Current devices and streams, handles, timed waits.

#include "tests/cpp/core/fake_backend.hpp"

#include <heald/heald.hpp>

#include <gtest/gtest.h>
#include <thread>

namespace heald {
namespace {

TEST(Streams, ScopesNestAndBelongToTheirThread) {
    fake::Machine one;
    fake::Machine two;
    const Stream stream(two.device);
    {
        const DeviceScope outer(one.device);
        EXPECT_EQ(Device(), one.device);
        EXPECT_EQ(Stream::current(), one.device.default_stream());
        {
            const StreamScope inner(stream);
            EXPECT_EQ(Device(), two.device);
            EXPECT_EQ(Stream::current(), stream);
            {
                const DeviceScope again(one.device);
                EXPECT_EQ(Stream::current(), one.device.default_stream());
            }
            EXPECT_EQ(Stream::current(), stream);
        }
        EXPECT_EQ(Stream::current(), one.device.default_stream());
        std::thread([&] {
            const DeviceScope here(two.device);
            EXPECT_EQ(Device(), two.device);
        }).join();
        EXPECT_EQ(Device(), one.device);
    }
}

TEST(Streams, DefaultStreamIsOneAndStaysOpen) {
    fake::Machine machine;
    Stream stream = machine.device.default_stream();
    EXPECT_TRUE(stream.is_default());
    EXPECT_EQ(stream, machine.device.default_stream());
    stream.close();
    EXPECT_FALSE(stream.closed());
    EXPECT_EQ(Stream::from_handle(machine.device, stream.handle()), stream);
}

TEST(Streams, AHandleIsOneStream) {
    fake::Machine machine;
    const Stream own(machine.device);
    EXPECT_EQ(Stream::from_handle(machine.device, own.handle()), own);
}

TEST(Streams, TimedWaitGivesUp) {
    using namespace std::chrono_literals;
    fake::Machine machine;
    const Stream stream(machine.device);
    EXPECT_TRUE(stream.synchronize_for(0ms));
    stream.host_function([] {});
    EXPECT_FALSE(stream.done());
    EXPECT_FALSE(stream.synchronize_for(2ms));
    EXPECT_FALSE(machine.device.synchronize_for(1ms));
    Event event = stream.record();
    EXPECT_FALSE(event.synchronize_for(1ms));
    event.synchronize();
    EXPECT_TRUE(event.done());
    EXPECT_TRUE(stream.synchronize_for(2ms));
    EXPECT_TRUE(machine.device.synchronize_for(2ms));
}

TEST(Streams, UnrecordedEventsAreDone) {
    fake::Machine machine;
    const Event event(machine.device);
    EXPECT_FALSE(event.recorded());
    EXPECT_TRUE(event.done());
    event.synchronize();
}

TEST(Streams, EventsOfAnotherDeviceAreRefused) {
    fake::Machine one;
    fake::Machine two;
    Event event(one.device);
    EXPECT_THROW(event.record(two.device.default_stream()), Error);
}

TEST(Streams, EmptyHostFunctionIsRefused) {
    fake::Machine machine;
    EXPECT_THROW(machine.device.default_stream().host_function(nullptr), Error);
}

TEST(Streams, CreatedAndDroppedLeaveNothing) {
    fake::Machine machine;
    for (int i = 0; i < 20'000; ++i) const Stream stream(machine.device);
    EXPECT_LT(machine.device.state().timelines().size(), 3u);
}

TEST(Devices, UnknownNamesAreRefused) {
    for (const char* name : {"gpu", "cuda:", "cuda:x", "cuda:-1", "", "cpu:zero"})
        EXPECT_THROW(Device{name}, Error) << name;
    EXPECT_THROW(Device{"cpu:7"}, Error);
    EXPECT_EQ(Device{"cpu"}, Device{"cpu:0"});
    EXPECT_EQ(Device{"cpu"}.name(), "cpu");
}

TEST(Devices, ManyThreadsMakeOne) {
    std::vector<std::thread> threads;
    std::vector<core::DeviceState*> seen(32);
    for (std::size_t i = 0; i < seen.size(); ++i)
        threads.emplace_back([&seen, i] { seen[i] = &Device("cpu").state(); });
    for (auto& thread : threads) thread.join();
    for (auto* state : seen) EXPECT_EQ(state, seen[0]);
}

}  // namespace
}  // namespace heald
