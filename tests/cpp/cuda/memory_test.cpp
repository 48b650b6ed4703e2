#include "tests/cpp/cuda/fake_fixture.hpp"

#include "src/backend/cuda/free_list.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace heald::cuda {
namespace {

using driver::Result;

class MemoryTest : public WithFakeDriver {};

TEST_F(MemoryTest, ReusesABlockOfTheSameQueueWithoutTheDriver) {
    void* first = backend->allocate(1000, MemoryKind::device, *queue);
    backend->release(first, 1000, MemoryKind::device, *queue);
    const int calls = control.count("cuMemAllocFromPoolAsync") + control.count("cuMemFreeAsync");
    for (int i = 0; i < 100; ++i) {
        void* again = backend->allocate(1010, MemoryKind::device, *queue);
        EXPECT_EQ(again, first) << "1000 and 1010 round to one size";
        backend->release(again, 1010, MemoryKind::device, *queue);
    }
    EXPECT_EQ(control.count("cuMemAllocFromPoolAsync") + control.count("cuMemFreeAsync"), calls);
}

TEST_F(MemoryTest, NeverGivesABlockOfOneQueueToAnother) {
    const auto other = backend->make_queue({});
    void* block = backend->allocate(4096, MemoryKind::device, *queue);
    backend->release(block, 4096, MemoryKind::device, *queue);
    void* elsewhere = backend->allocate(4096, MemoryKind::device, *other);
    EXPECT_NE(elsewhere, block);
    backend->release(elsewhere, 4096, MemoryKind::device, *other);
}

TEST_F(MemoryTest, RoundsToFewSizesWithLittleWaste) {
    for (std::size_t bytes = 1; bytes < (std::size_t{1} << 24); bytes += 1 + bytes / 7) {
        const std::size_t size = FreeList::rounded(bytes);
        ASSERT_GE(size, bytes);
        ASSERT_EQ(size % 512, 0u);
        ASSERT_EQ(FreeList::rounded(size), size) << bytes;
        if (bytes > 8192) {
            ASSERT_LE(size, bytes + bytes / 8) << bytes;
        }
    }
}

TEST_F(MemoryTest, MovesLargePageableMemoryThroughPinnedBlocks) {
    for (const std::size_t bytes :
         {Staging::least, 3 * Staging::least + 12345, 9 * Staging::least}) {
        std::vector<char> host(bytes), back(bytes, 0);
        for (std::size_t i = 0; i < bytes; ++i) host[i] = static_cast<char>(i * 2654435761U >> 13);
        void* device = backend->allocate(bytes, MemoryKind::device, *queue);
        const int before = control.count("cuMemcpyAsync");
        ASSERT_TRUE(backend->copy_taking(device, host.data(), bytes, *queue));
        EXPECT_GT(control.count("cuMemcpyAsync") - before, 0);
        const std::vector<char> sent = host;
        std::fill(host.begin(), host.end(), 0);
        ASSERT_TRUE(backend->copy_waiting(back.data(), device, bytes, *queue));
        EXPECT_EQ(back, sent);
        backend->release(device, bytes, MemoryKind::device, *queue);
    }
}

TEST_F(MemoryTest, LeavesSmallAndCapturedCopiesToTheDriver) {
    std::vector<char> host(Staging::least);
    void* device = backend->allocate(host.size(), MemoryKind::device, *queue);
    EXPECT_FALSE(backend->copy_taking(device, host.data(), 1000, *queue));
    EXPECT_FALSE(backend->copy_waiting(host.data(), device, 1000, *queue));
    (void)queue->handle();
    control.capturing = true;
    EXPECT_FALSE(backend->copy_taking(device, host.data(), host.size(), *queue));
    control.capturing = false;
    control.fail_next["cuMemHostAlloc"] = Result::out_of_memory;
    EXPECT_FALSE(backend->copy_taking(device, host.data(), host.size(), *queue));
    EXPECT_TRUE(backend->copy_taking(device, host.data(), host.size(), *queue));
    backend->release(device, host.size(), MemoryKind::device, *queue);
}

TEST_F(MemoryTest, TrimsBeforeItGivesUp) {
    const std::size_t limit = control.memory_limit;
    const std::size_t third = limit / 3;
    void* first = backend->allocate(third, MemoryKind::device, *queue);
    void* second = backend->allocate(third, MemoryKind::device, *queue);
    backend->release(first, third, MemoryKind::device, *queue);
    backend->release(second, third, MemoryKind::device, *queue);
    EXPECT_GE(backend->cached_bytes(), 2 * third);
    void* large = backend->allocate(2 * third, MemoryKind::device, *queue);
    backend->release(large, 2 * third, MemoryKind::device, *queue);
    try {
        (void)backend->allocate(2 * limit, MemoryKind::device, *queue);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
        EXPECT_NE(std::string(error.what()).find("CUDA_ERROR_OUT_OF_MEMORY"), std::string::npos);
    }
    void* small = backend->allocate(1000, MemoryKind::device, *queue);
    EXPECT_NE(small, nullptr) << "the next correct call works";
    backend->release(small, 1000, MemoryKind::device, *queue);
}

TEST_F(MemoryTest, TrimGivesEverythingBack) {
    for (const std::size_t bytes : {100u, 5000u, 1u << 20}) {
        void* block = backend->allocate(bytes, MemoryKind::device, *queue);
        backend->release(block, bytes, MemoryKind::device, *queue);
    }
    EXPECT_GT(backend->cached_bytes(), 0u);
    backend->trim(0);
    EXPECT_EQ(backend->cached_bytes(), 0u);
    EXPECT_EQ(control.bytes_in_use, 0u);
}

TEST_F(MemoryTest, AClosedQueueGivesItsBlocksBack) {
    {
        const auto other = backend->make_queue({});
        void* block = backend->allocate(1 << 20, MemoryKind::device, *other);
        backend->release(block, 1 << 20, MemoryKind::device, *other);
    }
    backend->trim(0);
    EXPECT_EQ(control.bytes_in_use, 0u);
}

TEST_F(MemoryTest, PinnedMemoryIsReusedOnlyAfterTheQueuedWork) {
    void* first = backend->allocate(10000, MemoryKind::pinned, *queue);
    control.set_hold(true);
    backend->release(first, 10000, MemoryKind::pinned, *queue);
    void* second = backend->allocate(10000, MemoryKind::pinned, *queue);
    EXPECT_NE(second, first) << "a copy from the first may still run";
    control.set_hold(false);
    EXPECT_TRUE(eventually([&] { return backend->cached_bytes() > 0; }));
    void* third = backend->allocate(10000, MemoryKind::pinned, *queue);
    EXPECT_EQ(third, first);
    backend->release(second, 10000, MemoryKind::pinned, *queue);
    backend->release(third, 10000, MemoryKind::pinned, *queue);
}

TEST_F(MemoryTest, KeepsTheOwnerOfCopiedMemoryUntilTheCopyIsDone) {
    const char source[] = "twelve bytes";
    void* block = backend->allocate(sizeof source, MemoryKind::device, *queue);
    auto owner = std::make_shared<int>(1);
    const std::weak_ptr<int> watch = owner;
    control.set_hold(true);
    backend->copy(block, source, sizeof source, *queue, std::move(owner));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(watch.expired());
    control.set_hold(false);
    EXPECT_TRUE(eventually([&] { return watch.expired(); }));
    EXPECT_EQ(std::memcmp(block, source, sizeof source), 0);
    backend->release(block, sizeof source, MemoryKind::device, *queue);
}

TEST_F(MemoryTest, FillsEveryPatternWidth) {
    constexpr std::size_t count = 1000;
    void* block = backend->allocate(8 * count, MemoryKind::device, *queue);
    const std::uint64_t pattern = 0x0123456789ABCDEFu;
    for (const unsigned width : {1u, 2u, 4u, 8u}) {
        std::memset(block, 0xAB, 8 * count);
        backend->fill(block, pattern, width, count, *queue);
        const auto* bytes = static_cast<const unsigned char*>(block);
        for (std::size_t i = 0; i < count * width; ++i)
            ASSERT_EQ(bytes[i], static_cast<unsigned char>(pattern >> (8 * (i % width))))
                << "byte " << i << " of width " << width;
        if (width < 8) {
            EXPECT_EQ(bytes[count * width], 0xAB) << "nothing past the end";
        }
    }
    EXPECT_NE(error_of([&] { backend->fill(block, 0, 3, 1, *queue); }).find("1, 2, 4 or 8"),
              std::string::npos);
    backend->fill(block, pattern, 8, 0, *queue);
    backend->release(block, 8 * count, MemoryKind::device, *queue);
}

TEST_F(MemoryTest, MemoryOfACaptureNeverGoesToTheFreeList) {
    (void)queue->handle();  // whoever has it may capture
    control.capturing = true;
    void* block = backend->allocate(4096, MemoryKind::device, *queue);
    control.capturing = false;
    const int frees = control.count("cuMemFreeAsync");
    backend->release(block, 4096, MemoryKind::device, *queue);
    EXPECT_EQ(control.count("cuMemFreeAsync"), frees + 1);
}

TEST_F(MemoryTest, FreesOnAThreadThatNeverUsedTheGpu) {
    const std::size_t before = control.bytes_in_use;
    for (int round = 0; round < 50; ++round) {
        void* block = backend->allocate(std::size_t{80} << 20, MemoryKind::device, *queue);
        std::thread([&] {
            backend->release(block, std::size_t{80} << 20, MemoryKind::device, *queue);
        }).join();
        backend->trim(0);
    }
    EXPECT_EQ(control.bytes_in_use, before);
}

}  // namespace
}  // namespace heald::cuda
