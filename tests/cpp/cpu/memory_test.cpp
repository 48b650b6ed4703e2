#include "tests/cpp/cpu/kernels.hpp"

#include "src/backend/cpu/backend.hpp"
#include "src/backend/cpu/host_memory.hpp"
#include "src/backend/cpu/transfer.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <thread>

namespace heald::cpu {
namespace {

using namespace testing;

TEST(SizeClass, HoldsWhatItIsForAndWastesLittle) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 100000; ++i) {
        const std::size_t bytes = 1 + random() % (std::size_t{1} << (1 + random() % 46));
        const SizeClass size = SizeClass::of(bytes);
        ASSERT_GE(size.bytes, bytes);
        ASSERT_EQ(size.bytes % 256, 0u);
        if (bytes >= 2048) {
            ASSERT_LE(size.bytes, bytes + bytes / 8 + 4096) << bytes;
        }
        const SizeClass again = SizeClass::of(size.bytes);
        ASSERT_EQ(again.bytes, size.bytes) << bytes;
        ASSERT_EQ(again.index, size.index) << bytes;
    }
}

TEST(HostMemory, BlocksAreAlignedDistinctAndReused) {
    HostMemory& memory = HostMemory::instance();
    std::mt19937_64 random(11);
    struct Block {
        unsigned char* data;
        std::size_t bytes;
        unsigned char mark;
    };
    std::vector<Block> live;
    for (int i = 0; i < 4000; ++i) {
        if (live.size() > 60 || (!live.empty() && random() % 2)) {
            const std::size_t at = random() % live.size();
            const Block block = live[at];
            ASSERT_EQ(block.data[0], block.mark);
            ASSERT_EQ(block.data[block.bytes - 1], block.mark);
            memory.deallocate(block.data, block.bytes);
            live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
            const std::size_t bytes = 1 + random() % (std::size_t{1} << (1 + random() % 22));
            auto* data = static_cast<unsigned char*>(memory.allocate(bytes));
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(data) % 256, 0u);
            const auto mark = static_cast<unsigned char>(i);
            std::memset(data, mark, bytes);
            live.push_back({data, bytes, mark});
        }
    }
    for (const Block& block : live) memory.deallocate(block.data, block.bytes);
    EXPECT_GT(memory.cached_bytes(), 0u);
    memory.trim(0);
    EXPECT_EQ(memory.cached_bytes(), 0u);
}

TEST(HostMemory, TrimKeepsWhatItIsTold) {
    HostMemory& memory = HostMemory::instance();
    memory.trim(0);
    std::vector<void*> blocks;
    for (int i = 0; i < 10; ++i) blocks.push_back(memory.allocate(1 << 20));
    for (void* block : blocks) memory.deallocate(block, 1 << 20);
    memory.trim(3 << 20);
    EXPECT_LE(memory.cached_bytes(), std::size_t{3} << 20);
    EXPECT_GT(memory.cached_bytes(), std::size_t{1} << 20);
}

TEST(HostMemory, RefusesWhatTheMachineDoesNotHave) {
    EXPECT_EQ(kind_of_error([] { (void)HostMemory::instance().allocate(std::size_t{1} << 44); }),
              ErrorKind::out_of_memory);
    EXPECT_EQ(kind_of_error([] { (void)HostMemory::instance().allocate(~std::size_t{0} - 5); }),
              ErrorKind::out_of_memory);
    void* data = HostMemory::instance().allocate(1 << 20);
    EXPECT_NE(data, nullptr);
    HostMemory::instance().deallocate(data, 1 << 20);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(HostMemory, WritingPastALargeBlockFaults) {
    auto* data = static_cast<volatile char*>(HostMemory::instance().allocate(1000000));
    EXPECT_EXIT(data[1000000 + 255] = 1, ::testing::KilledBySignal(SIGSEGV), "");
}
#endif

TEST(Release, WaitsForTheWorkOfItsQueue) {
    Backend backend;
    const auto queue = std::static_pointer_cast<Queue>(backend.make_queue({}));
    const auto other = std::static_pointer_cast<Queue>(backend.make_queue({}));
    for (int round = 0; round < 200; ++round) {
        const std::size_t bytes = 300000;
        auto* block =
            static_cast<unsigned char*>(backend.allocate(bytes, MemoryKind::device, *queue));
        std::atomic<int> flag{0};
        launch(*make_kernel(wait_for_flag, 1), *queue, shape(1), &flag);
        backend.fill(block, 0xAA, 1, bytes, *queue);
        backend.release(block, bytes, MemoryKind::device, *queue);
        auto* fresh =
            static_cast<unsigned char*>(backend.allocate(bytes, MemoryKind::device, *other));
        ASSERT_NE(fresh, block);
        backend.fill(fresh, 7, 1, bytes, *other);
        other->synchronize();
        flag = 1;
        queue->synchronize();
        ASSERT_TRUE(std::all_of(fresh, fresh + bytes, [](unsigned char v) { return v == 7; }));
        backend.release(fresh, bytes, MemoryKind::device, *other);
    }
}

TEST(Release, TheSameQueueMayUseTheBlockAtOnce) {
    Backend backend;
    const auto queue = std::static_pointer_cast<Queue>(backend.make_queue({}));
    std::atomic<int> flag{0};
    launch(*make_kernel(wait_for_flag, 1), *queue, shape(1), &flag);
    void* first = backend.allocate(1 << 20, MemoryKind::device, *queue);
    for (int i = 0; i < 1000; ++i) {
        backend.release(first, 1 << 20, MemoryKind::device, *queue);
        void* again = backend.allocate(1 << 20, MemoryKind::device, *queue);
        ASSERT_EQ(again, first);
    }
    backend.release(first, 1 << 20, MemoryKind::device, *queue);
    // Pinned memory is for the host too, which does not wait.
    EXPECT_NE(backend.allocate(1 << 20, MemoryKind::pinned, *queue), first);
    flag = 1;
    queue->synchronize();
}

TEST(Transfer, CopiesAndFillsOfAllSizes) {
    const auto queue = Queue::make(0);
    std::mt19937_64 random(3);
    for (const std::size_t bytes : {0ul, 1ul, 255ul, 65536ul, 65537ul, 1048576ul, 5000001ul}) {
        std::vector<unsigned char> source(bytes + 2), destination(bytes + 2, 0xAB);
        for (auto& byte : source) byte = static_cast<unsigned char>(random());
        enqueue_copy(destination.data() + 1, source.data() + 1, bytes, *queue, nullptr);
        queue->synchronize();
        EXPECT_EQ(destination.front(), 0xAB);
        EXPECT_EQ(destination.back(), 0xAB);
        EXPECT_TRUE(std::equal(source.begin() + 1, source.end() - 1, destination.begin() + 1));
    }
    for (const unsigned width : {1u, 2u, 4u, 8u}) {
        const std::uint64_t pattern = 0x0123456789abcdefULL;
        for (const std::size_t count : {1ul, 3ul, 100001ul, 1000003ul}) {
            std::vector<unsigned char> data(count * width + 1, 0xAB);
            enqueue_fill(data.data(), pattern, width, count, *queue);
            queue->synchronize();
            EXPECT_EQ(data.back(), 0xAB);
            for (std::size_t i = 0; i < count * width; ++i)
                ASSERT_EQ(data[i], static_cast<unsigned char>(pattern >> (8 * (i % width))));
        }
    }
}

TEST(Transfer, OverlappingCopiesMoveTheWhole) {
    const auto queue = Queue::make(0);
    std::vector<std::uint32_t> data(3000000), expected;
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint32_t>(i * 7);
    expected.assign(data.begin(), data.end() - 1000);
    enqueue_copy(data.data() + 1000, data.data(), expected.size() * 4, *queue, nullptr);
    queue->synchronize();
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), data.begin() + 1000));
}

TEST(Transfer, KeepsItsOwnerUntilItIsDone) {
    const auto queue = Queue::make(0);
    std::atomic<int> flag{0};
    launch(*make_kernel(wait_for_flag, 1), *queue, shape(1), &flag);
    auto owner = std::make_shared<std::vector<char>>(1000);
    const std::weak_ptr<std::vector<char>> watch = owner;
    static char destination[1000];
    enqueue_copy(destination, owner->data(), 1000, *queue, owner);
    owner.reset();
    EXPECT_FALSE(watch.expired());
    flag = 1;
    queue->synchronize();
    EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace heald::cpu
