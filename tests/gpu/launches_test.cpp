#include "tests/gpu/check.hpp"
#include "tests/gpu/inside.hpp"

#include <heald/heald.hpp>

#include <vector>

using namespace heald;

namespace {

const Device& gpu() {
    static const Device device("cuda:0");
    return device;
}

constexpr const char* source = R"(
extern "C" __global__ void add(unsigned long long* x, int n) { x[0] += n; }
extern "C" __global__ void subtract(unsigned long long* x, int n) { x[0] -= n; }
extern "C" __global__ void add_per_block(unsigned long long* x, int n) { atomicAdd(x, n); }
extern "C" __global__ void slow(unsigned long long* x, int n, long long cycles) {
    long long begin = clock64();
    while (clock64() - begin < cycles) { }
    x[0] += n;
}
)";

Kernel kernel(const std::string& name) {
    static const ObjectCode code = Program(source, "launches.cu", {}, gpu()).compile();
    return code.get_kernel(name, gpu());
}

unsigned long long value_of(const Buffer& x, const Stream& stream) {
    unsigned long long value = 0;
    x.copy_to_host(&value, sizeof value, stream);
    return value;
}

struct Counter {
    explicit Counter(const Stream& s) : stream(s), x(8, stream) { x.fill(0, 1, stream); }
    [[nodiscard]] unsigned long long value() const { return value_of(x, stream); }
    Stream stream;
    Buffer x;
};

}  // namespace

GPU_TEST(thousands_of_repeated_launches_with_changing_arguments) {
    const Counter counter{Stream(gpu())};
    const Kernel add = kernel("add");
    unsigned long long expected = 0;
    for (int i = 0; i < 20000; ++i) {
        add({1, 1}, counter.stream, counter.x, i % 7);
        expected += static_cast<unsigned>(i % 7);
    }
    EXPECT_EQUAL(counter.value(), expected);
    if (gpu_check::launches_are_automatic())
        EXPECT_EQUAL(gpu_check::graphs_of(counter.stream), std::size_t{1});
}

GPU_TEST(repeated_launches_behind_a_slow_kernel) {
    const Counter counter{Stream(gpu())};
    const Kernel add = kernel("add"), slow = kernel("slow");
    for (int i = 0; i < 100; ++i) add({1, 1}, counter.stream, counter.x, 1);
    slow({1, 1}, counter.stream, counter.x, 1000, 100'000'000LL);  // some 50 ms
    unsigned long long expected = 1100;
    for (int i = 0; i < 3000; ++i) {
        add({1, 1}, counter.stream, counter.x, i);
        expected += static_cast<unsigned>(i);
    }
    EXPECT_EQUAL(counter.value(), expected);
}

GPU_TEST(alternating_kernels_and_changing_grids) {
    const Counter counter{Stream(gpu())};
    const Kernel add = kernel("add"), subtract = kernel("subtract"),
                 per_block = kernel("add_per_block");
    unsigned long long expected = 0;
    for (unsigned i = 0; i < 3000; ++i) {
        add({1, 1}, counter.stream, counter.x, 5);
        subtract({1, 1}, counter.stream, counter.x, 2);
        per_block({1 + i % 97, 1}, counter.stream, counter.x, 3);
        expected += 3 + 3 * (1 + i % 97);
    }
    EXPECT_EQUAL(counter.value(), expected);
}

GPU_TEST(one_kernel_on_two_streams) {
    const Counter a{Stream(gpu())}, b{Stream(gpu(), {-1, false})};
    const Kernel add = kernel("add");
    for (int i = 0; i < 3000; ++i) {
        add({1, 1}, a.stream, a.x, 1);
        add({1, 1}, b.stream, b.x, 2);
    }
    EXPECT_EQUAL(a.value(), 3000ull);
    EXPECT_EQUAL(b.value(), 6000ull);
}

GPU_TEST(one_buffer_on_two_streams_in_turn) {
    const Counter counter{Stream(gpu())};
    const Stream other(gpu());
    const Kernel slow = kernel("slow");
    for (int i = 0; i < 300; ++i)
        slow({1, 1}, i % 2 == 0 ? counter.stream : other, counter.x, 1, 3000LL);
    EXPECT_EQUAL(counter.value(), 300ull);
}

GPU_TEST(the_default_stream_takes_graphs_too) {
    const Counter counter{gpu().default_stream()};
    const Kernel add = kernel("add");
    for (int i = 0; i < 1000; ++i) add({1, 1}, counter.stream, counter.x, i);
    EXPECT_EQUAL(counter.value(), 499500ull);
}

GPU_TEST(kernels_closed_in_flight_finish) {
    const Counter counter{Stream(gpu())};
    for (int round = 0; round < 10; ++round) {
        ObjectCode code =
            Program(std::string(source) + "// " + std::to_string(round), "own.cu", {}, gpu())
                .compile();
        Kernel slow = code.get_kernel("slow", gpu());
        for (int i = 0; i < 50; ++i) slow({1, 1}, counter.stream, counter.x, 1, 20000LL);
        slow.close();
        code.close();
    }
    EXPECT_EQUAL(counter.value(), 500ull);
}

GPU_TEST(a_million_launches_leave_memory_flat) {
    const Counter counter{Stream(gpu())};
    const Kernel add = kernel("add");
    const auto run = [&](int n) {
        for (int i = 0; i < n; ++i) add({1, 1}, counter.stream, counter.x, i & 1);
        counter.stream.synchronize();
    };
    run(2000);
    const std::size_t device = gpu().memory_info().free;
    const std::size_t host = gpu_check::resident_bytes();
    run(1'000'000);
    EXPECT(gpu().memory_info().free + (1 << 20) >= device);
    EXPECT(gpu_check::resident_bytes() < host + (8 << 20));
}

GPU_TEST(thousands_of_loaded_and_dropped_codes_leave_memory_flat) {
    const Counter counter{Stream(gpu())};
    const std::string bytes = Program(source, "launches.cu", {}, gpu()).compile().bytes();
    const auto run = [&](int n) {
        for (int i = 0; i < n; ++i) {
            const ObjectCode code = ObjectCode::from_bytes(bytes, "again");
            const Kernel add = code.get_kernel("add", gpu());
            const std::int32_t one = 1;
            add({1, 1}, counter.stream, counter.x, one);
        }
        counter.stream.synchronize();
    };
    run(300);
    const std::size_t device = gpu().memory_info().free;
    const std::size_t host = gpu_check::resident_bytes();
    run(3000);
    EXPECT(gpu().memory_info().free + (8 << 20) >= device);
    EXPECT(gpu_check::resident_bytes() < host + (32 << 20));
}

GPU_TEST(bound_launches) {
    const Counter counter{Stream(gpu())};
    const int three = 3;
    const Argument arguments[] = {Argument(counter.x), Argument(three)};
    const BoundLaunch bound = kernel("add").bind({1, 1}, counter.stream, arguments);
    for (int i = 0; i < 5000; ++i) bound();
    EXPECT_EQUAL(counter.value(), 15000ull);
    LaunchConfig cooperative{1, 1};
    cooperative.cooperative = true;
    const BoundLaunch other = kernel("add").bind(cooperative, counter.stream, arguments);
    other();
    EXPECT_EQUAL(counter.value(), 15003ull);
}

GPU_TEST(capture_takes_plain_launches) {
    const Counter counter{Stream(gpu())};
    const Kernel add = kernel("add");
    for (int i = 0; i < 200; ++i) add({1, 1}, counter.stream, counter.x, 1);
    const int ten = 10;
    const Argument arguments[] = {Argument(counter.x), Argument(ten)};
    const BoundLaunch bound = add.bind({1, 1}, counter.stream, arguments);
    counter.stream.synchronize();
    gpu_check::Capture capture(counter.stream);
    add({1, 1}, counter.stream, counter.x, 1);
    add({1, 1}, counter.stream, counter.x, 2);
    bound();
    capture.end();
    EXPECT_EQUAL(counter.value(), 200ull);
    EXPECT_EQUAL(capture.nodes(), std::size_t{3});
    for (int i = 0; i < 10; ++i) capture.launch();
    EXPECT_EQUAL(counter.value(), 330ull);
    for (int i = 0; i < 200; ++i) add({1, 1}, counter.stream, counter.x, 1);
    EXPECT_EQUAL(counter.value(), 530ull);
}

GPU_TEST(first_use_inside_someone_elses_global_capture) {
    const Stream captured(gpu());
    gpu_check::Capture capture(captured, gpu_check::Capture::Mode::global);
    const Stream stream(gpu());
    Counter counter{stream};
    const ObjectCode code =
        Program(std::string(source) + "// in capture", "c.cu", {}, gpu()).compile();
    const Kernel add = code.get_kernel("add", gpu());
    for (int i = 0; i < 100; ++i) add({1, 1}, counter.stream, counter.x, 1);
    capture.end();
    EXPECT_EQUAL(counter.value(), 100ull);
}
