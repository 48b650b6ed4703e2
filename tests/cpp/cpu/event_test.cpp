#include "tests/cpp/cpu/kernels.hpp"

#include "src/backend/cpu/event.hpp"
#include "src/backend/cpu/host_operation.hpp"

#include <chrono>
#include <thread>
#include <vector>

namespace heald::cpu {
namespace {

using namespace testing;
using namespace std::chrono_literals;

TEST(Event, IsDoneWhenTheWorkBeforeItIs) {
    const auto queue = Queue::make(0);
    std::atomic<int> flag{0};
    launch(*make_kernel(wait_for_flag, 1), *queue, shape(1), &flag);
    Event event(false);
    EXPECT_TRUE(event.done());  // never recorded: nothing to wait for
    event.record(*queue);
    EXPECT_FALSE(event.done());
    EXPECT_FALSE(event.synchronize(10ms));
    flag = 1;
    EXPECT_TRUE(event.synchronize());
    EXPECT_TRUE(event.done());
}

TEST(Event, OrdersWorkAcrossQueues) {
    const auto producer = Queue::make(0), consumer = Queue::make(0);
    std::atomic<std::int64_t> produced{0};
    std::int64_t seen = -1;
    std::atomic<int> flag{0};
    Event event(false);
    launch(*make_kernel(wait_for_flag, 1), *producer, shape(1), &flag);
    launch(*make_kernel(count_blocks, 1), *producer, shape(500), &produced);
    event.record(*producer);
    event.make_wait(*consumer);
    enqueue_host_function(*consumer, [&] { seen = produced.load(); });
    std::this_thread::sleep_for(20ms);
    EXPECT_FALSE(consumer->done());
    flag = 1;
    consumer->synchronize();
    EXPECT_EQ(seen, 500);
}

TEST(Event, ALaterRecordingDoesNotMoveAnEarlierWait) {
    const auto a = Queue::make(0), b = Queue::make(0), c = Queue::make(0);
    std::atomic<int> flag{0};
    Event event(false);
    event.record(*a);
    event.make_wait(*b);
    launch(*make_kernel(wait_for_flag, 1), *c, shape(1), &flag);
    event.record(*c);
    EXPECT_TRUE(b->synchronize(10s));
    flag = 1;
    c->synchronize();
}

TEST(Event, PassesThroughLongChainsOfQueues) {
    std::vector<std::shared_ptr<Queue>> queues;
    for (int i = 0; i < 5000; ++i) queues.push_back(Queue::make(0));
    std::atomic<int> flag{0};
    launch(*make_kernel(wait_for_flag, 1), *queues.front(), shape(1), &flag);
    for (std::size_t i = 1; i < queues.size(); ++i) {
        Event event(false);
        event.record(*queues[i - 1]);
        event.make_wait(*queues[i]);
    }
    EXPECT_FALSE(queues.back()->done());
    flag = 1;
    EXPECT_TRUE(queues.back()->synchronize(60s));
}

TEST(Event, CarriesAFailureToTheQueueThatWaits) {
    const auto a = Queue::make(0), b = Queue::make(0);
    std::atomic<int> flag{0};
    launch(*make_kernel(wait_for_flag, 1), *a, shape(1), &flag);
    enqueue_host_function(*a, [] { throw std::runtime_error("lost?"); });
    Event event(false);
    event.record(*a);
    event.make_wait(*b);
    flag = 1;
    EXPECT_EQ(kind_of_error([&] { b->synchronize(); }), ErrorKind::device);
    EXPECT_NO_THROW(a->synchronize());  // raised already
    EXPECT_NO_THROW(event.synchronize());
}

TEST(Event, CancelEndsAWait) {
    const auto a = Queue::make(0), b = Queue::make(0);
    std::atomic<int> flag{0};
    launch(*make_kernel(wait_for_flag, 1), *a, shape(1), &flag);
    Event event(false);
    event.record(*a);
    event.make_wait(*b);
    std::atomic<std::int64_t> count{0};
    launch(*make_kernel(count_blocks, 1), *b, shape(1), &count);
    b->cancel();
    EXPECT_EQ(kind_of_error([&] { b->synchronize(); }), ErrorKind::cancelled);
    EXPECT_EQ(count.load(), 0);
    EXPECT_FALSE(a->done());
    flag = 1;
    a->synchronize();
}

TEST(Event, MeasuresTime) {
    const auto queue = Queue::make(0);
    Event start(true), stop(true);
    start.record(*queue);
    enqueue_host_function(*queue, [] { std::this_thread::sleep_for(30ms); });
    stop.record(*queue);
    stop.synchronize();
    EXPECT_GE(stop.elapsed_since(start), 30.0f);
    EXPECT_LT(stop.elapsed_since(start), 5000.0f);
}

TEST(Event, SaysWhyTimeCannotBeMeasured) {
    const auto queue = Queue::make(0);
    Event never(true), untimed(false), timed(true), pending(true);
    untimed.record(*queue);
    timed.record(*queue);
    std::atomic<int> flag{0};
    launch(*make_kernel(wait_for_flag, 1), *queue, shape(1), &flag);
    pending.record(*queue);
    std::string a, b, c;
    EXPECT_EQ(kind_of_error([&] { (void)timed.elapsed_since(never); }, &a),
              ErrorKind::invalid_value);
    EXPECT_EQ(kind_of_error([&] { (void)timed.elapsed_since(untimed); }, &b),
              ErrorKind::invalid_value);
    EXPECT_EQ(kind_of_error([&] { (void)pending.elapsed_since(timed); }, &c),
              ErrorKind::invalid_value);
    EXPECT_NE(a.find("never recorded"), std::string::npos);
    EXPECT_NE(b.find("without timing"), std::string::npos);
    EXPECT_NE(c.find("not done"), std::string::npos);
    flag = 1;
    queue->synchronize();
}

TEST(Event, ManyThreadsRecordAndWait) {
    constexpr int threads = 8;
    std::vector<std::shared_ptr<Queue>> queues;
    for (int i = 0; i < threads; ++i) queues.push_back(Queue::make(0));
    std::atomic<std::int64_t> count{0};
    const auto kernel = make_kernel(count_blocks, 1);
    std::vector<std::thread> users;
    for (int t = 0; t < threads; ++t)
        users.emplace_back([&, t] {
            for (int i = 0; i < 500; ++i) {
                launch(*kernel, *queues[t], shape(2), &count);
                Event event(false);
                event.record(*queues[t]);
                event.make_wait(*queues[(t + i) % threads]);
            }
        });
    for (auto& user : users) user.join();
    for (const auto& queue : queues) EXPECT_TRUE(queue->synchronize(60s));
    EXPECT_EQ(count.load(), threads * 500 * 2);
}

}  // namespace
}  // namespace heald::cpu
