#include <heald/device.hpp>
#include <heald/stream.hpp>

#include "tests/cpp/cuda/fake_fixture.hpp"

#include "src/backend/cuda/host_functions.hpp"

#include <cstdlib>

namespace heald::cuda {
namespace {

using driver::Result;

class ContextTest : public WithFakeDriver {};

TEST_F(ContextTest, LeavesTheThreadsContextAsFound) {
    driver::Context before = nullptr;
    driver::api().cuCtxGetCurrent(&before);
    const int pushed = control.contexts_pushed;
    void* block = backend->allocate(1000, MemoryKind::device, *queue);
    backend->fill(block, 7, 1, 1000, *queue);
    backend->synchronize(*queue);
    backend->release(block, 1000, MemoryKind::device, *queue);
    (void)backend->memory_info();
    driver::Context after = nullptr;
    driver::api().cuCtxGetCurrent(&after);
    EXPECT_EQ(before, after);
    EXPECT_EQ(pushed, control.contexts_pushed);
}

TEST_F(ContextTest, DoesNotSwitchWhenItIsCurrentAlready) {
    const Current current(backend->context());
    const int pushes = control.count("cuCtxPushCurrent_v2");
    backend->synchronize(*queue);
    const auto code = backend->load(code_of());
    for (int i = 0; i < 100; ++i) launch(code->function("scale"), i);
    EXPECT_EQ(control.count("cuCtxPushCurrent_v2"), pushes);
}

TEST_F(ContextTest, GivesTheContextBackAlsoWhenACallFails) {
    const int pushed = control.contexts_pushed;
    control.fail_next["cuStreamSynchronize"] = Result::invalid_handle;
    EXPECT_NE(error_of([&] { backend->synchronize(*queue); }), "");
    EXPECT_EQ(pushed, control.contexts_pushed);
}

TEST_F(ContextTest, TellsTheDriversFirstError) {
    control.fail_next["cuDevicePrimaryCtxRetain"] = Result::out_of_memory;
    const std::string error = error_of([] { Backend another(1); });
    EXPECT_NE(error.find("CUDA_ERROR_OUT_OF_MEMORY"), std::string::npos) << error;
    EXPECT_NE(error.find("the fake driver says so"), std::string::npos) << error;
    EXPECT_EQ(error_of([] { Backend another(1); }), "") << "no stale error";
}

TEST_F(ContextTest, ReportsWhyThereIsNoDevice) {
    std::string reason;
    bool suspicious = false;
    const core::BackendKind kind = backend_kind();
    EXPECT_EQ(kind.count(reason, suspicious), 2);
    control.device_count = 0;
    EXPECT_EQ(kind.count(reason, suspicious), 0);
    EXPECT_NE(reason.find("CUDA_ERROR_NO_DEVICE"), std::string::npos) << reason;
    control.device_count = 2;
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    EXPECT_EQ(kind.count(reason, suspicious), 0);
    EXPECT_FALSE(suspicious);
    EXPECT_NE(reason.find("CUDA_VISIBLE_DEVICES"), std::string::npos) << reason;
    unsetenv("CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(kind.count(reason, suspicious), 2);
}

TEST_F(ContextTest, AFaultListsLaunchesAndStaysSaid) {
    const auto code = backend->load(code_of());
    launch(code->function("scale"), 1);
    backend->synchronize(*queue);
    launch(code->function("scale"), 2);
    control.sticky = Result::illegal_address;
    const std::string first = error_of([&] { backend->synchronize(*queue); });
    EXPECT_NE(first.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << first;
    EXPECT_NE(first.find("'scale' (demo.py:12)"), std::string::npos) << first;
    EXPECT_EQ(first.find("'scale'"), first.rfind("'scale'"))
        << "the launch before the last synchronisation is known to be complete: " << first;
    EXPECT_NE(first.find("HEALD_LAUNCH_BLOCKING=1"), std::string::npos) << first;
    const std::string later =
        error_of([&] { (void)backend->allocate(1 << 20, MemoryKind::device, *queue); });
    EXPECT_NE(later.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << later;
    EXPECT_NE(later.find("start a new process"), std::string::npos) << later;
}

TEST_F(ContextTest, HostFunctionsRunOffTheDriversThreadAndMayNotCallTheDevice) {
    const auto self = std::this_thread::get_id();
    std::thread::id ran_on;
    backend->host_function(*queue, [&] { ran_on = std::this_thread::get_id(); });
    EXPECT_NE(ran_on, std::thread::id());
    EXPECT_NE(ran_on, self);  // the fake calls back on the calling thread
    backend->host_function(*queue, [&] { backend->synchronize(*queue); });
    const std::string error = error_of([&] { backend->synchronize(*queue); });
    EXPECT_NE(error.find("a function that runs on a stream may not use cuda:0"), std::string::npos)
        << error;
    EXPECT_EQ(error_of([&] { backend->synchronize(*queue); }), "") << "said once";
}

TEST_F(ContextTest, WhatAHostFunctionThrowsIsRaisedAtTheNextSynchronisation) {
    backend->host_function(*queue, [] { throw std::runtime_error("from the host"); });
    backend->host_function(*queue, [] { throw std::runtime_error("later"); });
    try {
        backend->synchronize();
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "from the host");
    }
    backend->synchronize(*queue);
}

TEST_F(ContextTest, AStreamWaitsForASignalWithoutAThreadOfTheDriver) {
    const auto signal = std::make_shared<core::Signal>();
    const int callbacks = control.count("cuLaunchHostFunc");
    std::thread setter([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        signal->set();
    });
    backend->wait_signal(*queue, signal);  // the fake's streams run inline
    EXPECT_TRUE(signal->is_set());
    setter.join();
    EXPECT_EQ(control.count("cuLaunchHostFunc"), callbacks);
    backend->wait_signal(*queue, signal);
}

TEST_F(ContextTest, HostFunctionsAreNotCaptured) {
    (void)queue->handle();
    control.capturing = true;
    EXPECT_NE(error_of([&] { backend->host_function(*queue, [] {}); }).find("cannot be captured"),
              std::string::npos);
    control.capturing = false;
}

TEST_F(ContextTest, EventsSayWhatIsWrongWithThem) {
    const auto timed = backend->make_event(true);
    const auto other = backend->make_event(true);
    const auto untimed = backend->make_event(false);
    const auto error = [&](core::EventImpl& a, core::EventImpl& b) {
        return error_of([&] { (void)backend->elapsed(a, b); });
    };
    EXPECT_NE(error(*timed, *other).find("never recorded"), std::string::npos);
    EXPECT_NE(error(*untimed, *timed).find("without timing"), std::string::npos);
    backend->record(*timed, *queue);
    control.set_hold(true);
    backend->record(*other, *queue);
    EXPECT_FALSE(backend->done(*other));
    EXPECT_NE(error(*timed, *other).find("not done"), std::string::npos);
    control.set_hold(false);
    EXPECT_GT(backend->elapsed(*timed, *other), 0);
    const auto second = std::make_shared<Backend>(1);
    const auto foreign = second->make_event(true);
    EXPECT_NE(error(*timed, *foreign).find("different devices"), std::string::npos);
}

TEST_F(ContextTest, WrapsOnlyStreamsOfItsOwnContext) {
    const auto second = std::make_shared<Backend>(1);
    const auto theirs = second->make_queue({});
    const std::string error = error_of([&] { (void)backend->wrap_queue(theirs->handle()); });
    EXPECT_NE(error.find("does not belong to cuda:0"), std::string::npos) << error;
    EXPECT_EQ(backend->wrap_queue(0), backend->default_queue());
    EXPECT_EQ(backend->wrap_queue(1), backend->default_queue());
    EXPECT_EQ(backend->default_queue()->handle(), 1u);
}

TEST_F(ContextTest, ClampsPriorities) {
    EXPECT_EQ(backend->make_queue({-100, false})->priority(), -5);
    EXPECT_EQ(backend->make_queue({100, false})->priority(), 0);
    EXPECT_EQ(backend->make_queue({-2, false})->priority(), -2);
}

TEST_F(ContextTest, DestroysWhatItMade) {
    const int streams = control.streams_alive;
    const int events = control.events_alive;
    for (int i = 0; i < 100; ++i) {
        const auto made = backend->make_queue({});
        const auto event = backend->make_event(false);
        backend->record(*event, *made);
    }
    EXPECT_EQ(control.streams_alive, streams);
    EXPECT_EQ(control.events_alive, events);
}

TEST_F(ContextTest, OpensAccessBetweenTheGpusThatAreUsed) {
    const int before = control.count("cuMemPoolSetAccess");
    const auto second = std::make_shared<Backend>(1);
    EXPECT_EQ(control.count("cuMemPoolSetAccess"), before + 2);
    EXPECT_TRUE(backend->can_access(*second));
}

// Work that another library put into a stream is not counted by heald.
TEST(Streams, AWaitHoldsForWorkOfOthers) {
    const Device device("cuda:0");
    const Stream own(device);
    const Stream theirs = device.default_stream();
    const int before = fake_control().count("cuStreamWaitEvent");
    own.wait(theirs);
    EXPECT_EQ(fake_control().count("cuStreamWaitEvent"), before + 1);
    own.wait(theirs);
    EXPECT_EQ(fake_control().count("cuStreamWaitEvent"), before + 2);
}

}  // namespace
}  // namespace heald::cuda
