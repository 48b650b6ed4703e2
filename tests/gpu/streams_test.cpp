#include "tests/gpu/check.hpp"
#include "tests/gpu/inside.hpp"

#include <heald/heald.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace heald;
using gpu_check::error_of;

namespace {

const Device& gpu() {
    static const Device device("cuda:0");
    return device;
}

Kernel kernel_on(const Device& device) {
    return Program(
               "__global__ void spin_add(int* x, int n, long long cycles) {\n"
               "  long long begin = clock64(); while (clock64() - begin < cycles) { }\n"
               "  x[0] += n; }",
               "spin_add.cu", {}, device)
        .compile()
        .get_kernel("spin_add", device);
}

int value_of(const Buffer& x, const Stream& stream) {
    int value = 0;
    x.copy_to_host(&value, 4, stream);
    return value;
}

}  // namespace

GPU_TEST(events_time_and_order) {
    const Stream a(gpu()), b(gpu());
    const Kernel kernel = kernel_on(gpu());
    const Buffer x(4, a);
    x.fill(0, 1, a);
    Event begin(gpu(), true), end(gpu(), true);
    begin.record(a);
    kernel({1, 1}, a, x, 1, 20'000'000LL);
    end.record(a);
    EXPECT(!end.done());
    EXPECT(!error_of([&] { (void)end.elapsed_since(begin); }).empty());
    b.wait(end);
    b.synchronize();
    EXPECT(end.done());
    const float ms = end.elapsed_since(begin);
    EXPECT(ms > 5 && ms < 200);
    Event untimed(gpu(), false);
    untimed.record(a);
    a.synchronize();
    EXPECT_CONTAINS(error_of([&] { (void)untimed.elapsed_since(begin); }), "timing");
    EXPECT(!error_of([&] { (void)Event(gpu(), true).elapsed_since(begin); }).empty());
}

GPU_TEST(host_functions_run_in_order_and_their_errors_are_raised) {
    const Stream stream(gpu());
    const Kernel kernel = kernel_on(gpu());
    const Buffer x(4, stream);
    x.fill(0, 1, stream);
    std::vector<int> order;
    kernel({1, 1}, stream, x, 1, 10'000'000LL);
    stream.host_function([&] { order.push_back(1); });
    kernel({1, 1}, stream, x, 1, 0LL);
    stream.host_function([&] { order.push_back(2); });
    stream.synchronize();
    EXPECT_EQUAL(order.size(), std::size_t{2});
    EXPECT_EQUAL(order[0], 1);
    stream.host_function([] { throw std::runtime_error("from a host function"); });
    EXPECT_CONTAINS(error_of([&] { stream.synchronize(); }), "from a host function");
    stream.host_function([&] { stream.synchronize(); });
    EXPECT(!error_of([&] { stream.synchronize(); }).empty());
    stream.synchronize();
    EXPECT_EQUAL(value_of(x, stream), 2);
}

GPU_TEST(a_full_queue_behind_a_host_function_drains) {
    const Stream stream(gpu());
    const Kernel kernel = kernel_on(gpu());
    const Buffer x(4, stream);
    x.fill(0, 1, stream);
    std::atomic<bool> go{false};
    stream.host_function([&] {
        while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    std::thread releaser([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        go = true;
    });
    for (int i = 0; i < 5000; ++i) kernel({1, 1}, stream, x, 1, 0LL);
    releaser.join();
    EXPECT_EQUAL(value_of(x, stream), 5000);
}

GPU_TEST(contexts_are_left_as_found) {
    std::thread([] {
        EXPECT_EQUAL(gpu_check::current_context(), static_cast<void*>(nullptr));
        const Stream stream(gpu());
        const Buffer x(4, stream);
        const Kernel kernel = kernel_on(gpu());
        for (int i = 0; i < 100; ++i) kernel({1, 1}, stream, x, 1, 0LL);
        stream.synchronize();
        EXPECT_EQUAL(gpu_check::current_context(), static_cast<void*>(nullptr));
        void* const primary = gpu_check::primary_context(0);
        gpu_check::set_current_context(primary);
        kernel({1, 1}, stream, x, 1, 0LL);
        stream.synchronize();
        EXPECT_EQUAL(gpu_check::current_context(), primary);
        gpu_check::set_current_context(nullptr);
    }).join();
}

GPU_TEST(wrapped_streams_and_properties) {
    const Stream own(gpu(), {-1, false});
    EXPECT(own.priority() <= 0);
    const Stream wrapped = Stream::from_handle(gpu(), own.handle());
    const Kernel kernel = kernel_on(gpu());
    const Buffer x(4, wrapped);
    x.fill(0, 1, wrapped);
    kernel({1, 1}, wrapped, x, 4, 0LL);
    EXPECT_EQUAL(value_of(x, wrapped), 4);
    const DeviceProperties& p = gpu().properties();
    EXPECT(p.total_memory > (std::size_t{1} << 30));
    EXPECT_EQUAL(p.warp_size, 32);
    EXPECT_CONTAINS(p.architecture, "sm_");
    EXPECT_CONTAINS(p.uuid, "GPU-");
    EXPECT(!error_of([&] { own.cancel(); }).empty());
}

GPU_TEST(two_gpus_share_work) {
    if (Device::all().size() < 3) gpu_check::skip("one GPU");
    const Device other("cuda:1");
    const Stream a(gpu()), b(other);
    const Buffer x(4, a), y(4, b);
    const Kernel on_a = kernel_on(gpu()), on_b = kernel_on(other);
    x.fill(0, 1, a);
    for (int i = 0; i < 100; ++i) {
        on_a({1, 1}, a, x, 1, 100'000LL);
        y.copy_from(x, b);
        on_b({1, 1}, b, y, 1, 100'000LL);
        x.copy_from(y, a);
    }
    EXPECT_EQUAL(value_of(x, a), 200);
    Event event = b.record();
    a.wait(event);
    a.synchronize();
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (const Device& device : {gpu(), other})
        threads.emplace_back([&right, device] {
            const Stream stream(device);
            const Kernel kernel = kernel_on(device);
            const Buffer z(4, stream);
            z.fill(0, 1, stream);
            for (int i = 0; i < 3000; ++i) kernel({1, 1}, stream, z, 1, 0LL);
            right += value_of(z, stream) == 3000;
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQUAL(right.load(), 2);
    if (gpu().can_access(other)) {
        on_a({1, 1}, a, Buffer::wrap(y.data(), 4, gpu(), nullptr), 5, 0LL);
        a.synchronize();
        EXPECT_EQUAL(value_of(y, b), 205);
    }
}
