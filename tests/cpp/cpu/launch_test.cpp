#include "tests/cpp/cpu/kernels.hpp"

#include "src/backend/cpu/backend.hpp"
#include "src/backend/cpu/bound_launch.hpp"
#include "src/backend/cpu/occupancy.hpp"
#include "src/backend/cpu/processor.hpp"

#include <cstring>
#include <thread>

namespace heald::cpu {
namespace {

using namespace testing;

TEST(Launch, ChecksShapeAndSharedMemory) {
    const auto kernel = make_kernel(count_blocks, 1, false, 1000);
    const auto refuse = [&](const LaunchConfig& config, const char* part) {
        std::string text;
        EXPECT_EQ(kind_of_error([&] { (void)kernel->grid(config, {}); }, &text),
                  ErrorKind::invalid_value);
        EXPECT_NE(text.find(part), std::string::npos) << text;
        EXPECT_NE(text.find("test_kernel"), std::string::npos) << text;
    };
    refuse({Dim3(0), Dim3(32), 0, {0, 0, 0}, false}, "grid");
    refuse({Dim3(1, 65536), Dim3(32), 0, {0, 0, 0}, false}, "grid");
    refuse({Dim3(0x80000000u), Dim3(32), 0, {0, 0, 0}, false}, "grid");
    refuse({Dim3(1), Dim3(32, 0), 0, {0, 0, 0}, false}, "block");
    refuse({Dim3(1), Dim3(1025), 0, {0, 0, 0}, false}, "1025");
    refuse({Dim3(1), Dim3(32, 64), 0, {0, 0, 0}, false}, "2048");
    refuse({Dim3(1), Dim3(1, 1, 65), 0, {0, 0, 0}, false}, "block");
    refuse({Dim3(1), Dim3(65536, 65536), 0, {0, 0, 0}, false}, "block");
    refuse({Dim3(1), Dim3(32), max_shared_bytes, {0, 0, 0}, false}, "shared memory");
    refuse({Dim3(1), Dim3(32), ~std::size_t{0}, {0, 0, 0}, false}, "shared memory");
    EXPECT_NO_THROW(
        (void)kernel->grid({Dim3(1), Dim3(1024), max_shared_bytes - 1000, {0, 0, 0}, false}, {}));
    EXPECT_NO_THROW(
        (void)kernel->grid({Dim3(0x7fffffff, 65535, 65535), Dim3(1), 0, {0, 0, 0}, false}, {}));
    LaunchConfig cooperative = shape(1);
    cooperative.cooperative = true;
    EXPECT_EQ(kind_of_error([&] { (void)kernel->grid(cooperative, {}); }), ErrorKind::unavailable);
}

TEST(Launch, KeepsItsOwnCopyOfTheArguments) {
    struct Wide {
        char bytes[300];
        Wide* result;
    };
    KernelRecord record;
    record.display_name = "wide";
    record.has_unbounded_loop = true;
    for (const std::size_t size : {std::size_t{1}, sizeof(Wide), std::size_t{8}}) {
        Parameter parameter;
        parameter.kind = Parameter::Kind::record;
        parameter.size = size;
        parameter.alignment = size == 1 ? 1 : 8;
        record.signature.parameters.push_back(parameter);
    }
    const auto body = [](void* const* argv, BlockContext*, std::byte*, std::uint64_t,
                         std::uint64_t) {
        const Wide* wide = static_cast<const Wide*>(argv[1]);
        *wide->result = *wide;
        wide->result->bytes[0] = *static_cast<const char*>(argv[0]);
    };
    Function kernel(
        record,
        [&](const KernelRecord&, const Variant&) { return KernelCode{body, 0, 0, nullptr}; }, {});
    const auto queue = Queue::make(0);
    std::atomic<int> flag{0};
    launch(*make_kernel(wait_for_flag, 1), *queue, shape(1), &flag);
    Wide result{};
    {
        auto wide = std::make_unique<Wide>();
        std::memset(wide->bytes, 'x', sizeof wide->bytes);
        wide->result = &result;
        char letter = 'a';
        long last = 5;
        void* values[] = {&letter, wide.get(), &last};
        launch_grid(kernel.grid(shape(1), {}), kernel, values, *queue);
        letter = 'b';
        std::memset(wide->bytes, 'y', sizeof wide->bytes);
    }
    flag = 1;
    queue->synchronize();
    EXPECT_EQ(result.bytes[0], 'a');
    EXPECT_EQ(result.bytes[299], 'x');
}

TEST(Launch, GivesBlocksTheirSharedMemoryAndShape) {
    static std::atomic<int> wrong{0};
    wrong = 0;
    const auto body = [](void* const*, BlockContext* context, std::byte* shared, std::uint64_t,
                         std::uint64_t) {
        if (reinterpret_cast<std::uintptr_t>(shared) % arena_alignment != 0) ++wrong;
        if (context->grid[0] != 3 || context->grid[1] != 4 || context->grid[2] != 5) ++wrong;
        if (context->block[0] != 8 || context->block[1] != 2 || context->block[2] != 3) ++wrong;
        if (context->dynamic_shared_bytes != 200000) ++wrong;
        std::memset(shared, 1, 1000 + 200000);
    };
    const auto queue = Queue::make(0);
    for (const bool bounded : {true, false}) {
        const auto kernel = make_kernel(body, 0, bounded, 1000);
        launch(*kernel, *queue, {Dim3(3, 4, 5), Dim3(8, 2, 3), 200000, {0, 0, 0}, false});
        queue->synchronize();
    }
    EXPECT_EQ(wrong.load(), 0);
}

TEST(Launch, ShortOnesRunOnTheCallersThreadOthersDoNot) {
    static std::thread::id id;
    const auto body = [](void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
        id = std::this_thread::get_id();
    };
    const auto queue = Queue::make(0);
    launch(*make_kernel(body, 0, true), *queue, shape(1));
    queue->synchronize();
    EXPECT_EQ(id, std::this_thread::get_id());
    launch(*make_kernel(body, 0, true), *queue, shape(1000000));
    queue->synchronize();
    EXPECT_NE(id, std::this_thread::get_id());
    launch(*make_kernel(body, 0, false), *queue, shape(1));
    queue->synchronize();
    EXPECT_NE(id, std::this_thread::get_id());
}

TEST(Launch, BoundOnesRepeat) {
    const auto kernel = make_kernel(count_blocks, 1);
    const auto queue = Queue::make(0);
    std::atomic<std::int64_t> count{0};
    void* argument = &count;
    void* values[] = {&argument};
    const PackedArguments arguments{values, 1, {}};
    BoundLaunch bound(*kernel, queue, shape(10), arguments, {});
    argument = nullptr;
    for (int i = 0; i < 50; ++i) bound.launch();
    queue->synchronize();
    EXPECT_EQ(count.load(), 500);
}

TEST(Launch, CodeIsBuiltOncePerVariant) {
    std::atomic<int> built{0};
    KernelRecord record;
    record.display_name = "lazy";
    Function kernel(record,
                    [&](const KernelRecord&, const Variant&) {
                        ++built;
                        std::this_thread::sleep_for(std::chrono::milliseconds(20));
                        return KernelCode{[](void* const*, BlockContext*, std::byte*, std::uint64_t,
                                             std::uint64_t) {},
                                          0, 0, nullptr};
                    },
                    {});
    std::vector<std::thread> users;
    for (int t = 0; t < 8; ++t)
        users.emplace_back([&] {
            const auto queue = Queue::make(0);
            for (const std::uint32_t block : {32u, 64u, 256u})
                launch(kernel, *queue, shape(2, block));
            queue->synchronize();
        });
    for (auto& user : users) user.join();
    EXPECT_EQ(built.load(), 1);
    const auto queue = Queue::make(0);
    launch(kernel, *queue, shape(2, 33));  // not a whole number of warps
    queue->synchronize();
    EXPECT_EQ(built.load(), 2);
}

TEST(Launch, AFailedBuildIsTriedAgain) {
    int tries = 0;
    KernelRecord record;
    record.display_name = "broken at first";
    Function kernel(
        record,
        [&](const KernelRecord&, const Variant&) -> KernelCode {
            if (++tries == 1) throw Error(ErrorKind::unavailable, "not yet");
            return {[](void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {}, 0,
                    0, nullptr};
        },
        {});
    const auto queue = Queue::make(0);
    EXPECT_EQ(kind_of_error([&] { launch(kernel, *queue, shape(1)); }), ErrorKind::unavailable);
    EXPECT_NO_THROW(launch(kernel, *queue, shape(1)));
    queue->synchronize();
}

TEST(Occupancy, GridsThatFillTheDeviceAreSmall) {
    const auto kernel = make_kernel(count_blocks, 1, false, 40 << 10);
    EXPECT_EQ(max_active_blocks(*kernel, 1025, 0), 0);
    EXPECT_EQ(max_active_blocks(*kernel, 256, max_shared_bytes), 0);
    EXPECT_EQ(max_active_blocks(*kernel, 1024, 0), 1);
    EXPECT_GE(max_active_blocks(*kernel, 256, 0), 1);
    EXPECT_LE(max_active_blocks(*kernel, 32, 0), 4);
    const BlockSize best = suggest_block_size(*kernel, 0);
    EXPECT_GT(best.block, 0);
    EXPECT_LE(best.grid, 4 * allowance().workers);
    EXPECT_EQ(attributes(*kernel).static_shared, std::size_t{40} << 10);
    EXPECT_EQ(attributes(*kernel).max_dynamic_shared, max_shared_bytes - (40 << 10));
}

TEST(Backend, DeviceSynchronizeRaisesWhatAnyQueueLeftBehind) {
    Backend backend;
    std::shared_ptr<core::QueueImpl> queue = backend.make_queue({});
    backend.host_function(*queue,
                          [] { throw Error(ErrorKind::invalid_value, "from a host function"); });
    std::string text;
    EXPECT_EQ(kind_of_error([&] { backend.synchronize(); }, &text), ErrorKind::invalid_value);
    EXPECT_NE(text.find("from a host function"), std::string::npos);
    EXPECT_NO_THROW(backend.synchronize());
    backend.host_function(*queue,
                          [] { throw Error(ErrorKind::invalid_value, "of a closed stream"); });
    while (!backend.done(*queue)) std::this_thread::yield();
    queue.reset();
    // The driver may hold it a moment longer.
    for (int i = 0; i < 1000 && Queue::all().size() > 1; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(kind_of_error([&] { backend.synchronize(); }), ErrorKind::invalid_value);
    EXPECT_NO_THROW(backend.synchronize());
}

}  // namespace
}  // namespace heald::cpu
