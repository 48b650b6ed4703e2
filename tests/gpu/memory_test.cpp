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

Kernel spin_kernel() {
    static const ObjectCode code =
        Program(
            "__global__ void spin(int* x, int value, long long cycles) {\n"
            "  long long begin = clock64(); while (clock64() - begin < cycles) { }\n"
            "  x[threadIdx.x] = value; }",
            "spin.cu", {}, gpu())
            .compile();
    return code.get_kernel("spin", gpu());
}

template <class T>
std::vector<T> to_host(const Buffer& buffer, const Stream& stream) {
    std::vector<T> result(buffer.size() / sizeof(T));
    buffer.copy_to_host(result.data(), buffer.size(), stream);
    return result;
}

}  // namespace

GPU_TEST(freed_memory_is_reused_only_after_its_work) {
    const Stream first(gpu()), second(gpu());
    const Kernel spin = spin_kernel();
    for (int round = 0; round < 200; ++round) {
        {
            const Buffer a(4096, first);
            spin({1, 1024}, first, a, 1, 200'000LL);
        }
        const Buffer b(4096, second);
        b.fill(7, 4, second);
        second.synchronize();
        first.synchronize();
        for (const int value : to_host<int>(b, second)) EXPECT_EQUAL(value, 7);
    }
}

GPU_TEST(memory_freed_on_a_thread_without_a_context) {
    const Stream stream(gpu());
    constexpr std::size_t bytes = std::size_t{64} << 20;
    gpu().memory().trim();
    const std::size_t before = gpu().memory_info().free;
    for (int round = 0; round < 100; ++round) {
        auto buffer = std::make_shared<Buffer>(bytes, stream);
        std::thread([moved = std::move(buffer)]() mutable { moved.reset(); }).join();
    }
    stream.synchronize();
    gpu().memory().trim();
    EXPECT(gpu().memory_info().free + (4 << 20) >= before);
}

GPU_TEST(buffers_past_four_gibibytes) {
    const Stream stream(gpu());
    const std::size_t bytes = (std::size_t{5} << 30) + 16;
    if (gpu().memory_info().free < bytes + (std::size_t{1} << 30))
        gpu_check::skip("less than 6 GiB free");
    const Buffer large(bytes, stream);
    large.fill(0x0123456789ABCDEFull, 8, stream);
    const auto end = to_host<std::uint64_t>(large.slice(bytes - 16, 16), stream);
    EXPECT_EQUAL(end[0], 0x0123456789ABCDEFull);
    EXPECT_EQUAL(end[1], 0x0123456789ABCDEFull);
    const std::uint64_t value = 99;
    large.slice(std::size_t{5} << 30, 8).copy_from_host(&value, 8, stream);
    EXPECT_EQUAL(to_host<std::uint64_t>(large.slice(std::size_t{5} << 30, 8), stream)[0], value);
    EXPECT_EQUAL(to_host<std::uint64_t>(large.slice(std::size_t{1} << 30, 8), stream)[0],
                 0x0123456789ABCDEFull);
}

GPU_TEST(out_of_memory_is_one_clear_error) {
    const Stream stream(gpu());
    const std::size_t total = gpu().memory_info().total;
    const std::string error = error_of([&] { (void)Buffer(2 * total, stream); });
    EXPECT(!error.empty());
    const Buffer small(1000, stream);
    small.fill(3, 1, stream);
    EXPECT_EQUAL(int(to_host<unsigned char>(small, stream)[999]), 3);
    // What is cached does not stand in the way of what is asked for.
    const std::size_t half = gpu().memory_info().free / 2;
    {
        const Buffer a(half, stream);
    }
    {
        const Buffer b(half + half / 2, stream);
    }
    stream.synchronize();
    gpu().memory().trim();
}

GPU_TEST(statistics_and_trim) {
    const Stream stream(gpu());
    gpu().memory().trim();
    const auto before = gpu().memory().statistics();
    {
        const Buffer a(1 << 20, stream), b(3000, stream);
        const auto during = gpu().memory().statistics();
        EXPECT(during.current_bytes >= before.current_bytes + (1 << 20) + 3000);
        EXPECT_EQUAL(during.live_count, before.live_count + 2);
    }
    EXPECT(gpu().memory().statistics().cached_bytes > 0);
    gpu().memory().trim();
    EXPECT_EQUAL(gpu().memory().statistics().cached_bytes, std::size_t{0});
}

GPU_TEST(pinned_and_managed_memory) {
    const Stream stream(gpu());
    const Buffer pinned(1 << 20, stream, MemoryKind::pinned);
    auto* host = static_cast<int*>(pinned.data());
    for (int i = 0; i < (1 << 18); ++i) host[i] = i;
    const Buffer device(1 << 20, stream);
    device.copy_from(pinned, stream);
    EXPECT_EQUAL(to_host<int>(device, stream)[12345], 12345);
    if (!gpu().properties().managed_memory) return;
    const Buffer managed(4096, stream, MemoryKind::managed);
    spin_kernel()({1, 1024}, stream, managed, 8, 0LL);
    stream.synchronize();
    EXPECT_EQUAL(static_cast<int*>(managed.data())[1023], 8);
}

GPU_TEST(host_memory_may_change_once_a_copy_call_returns) {
    const Stream stream(gpu());
    const Kernel spin = spin_kernel();
    for (const std::size_t count : {1000u, 100000u, 5'000'000u}) {
        std::vector<int> host(count, 5);
        const Buffer device(4 * count, stream);
        spin({1, 1}, stream, device, 0, 2'000'000LL);
        device.copy_from_host(host.data(), 4 * count, stream);
        host.assign(count, 6);
        const auto back = to_host<int>(device, stream);
        EXPECT_EQUAL(back[0], 5);
        EXPECT_EQUAL(back[count - 1], 5);
    }
}

GPU_TEST(large_copies_of_pageable_memory) {
    const Stream stream(gpu()), other(gpu());
    for (const std::size_t count :
         {std::size_t{1} << 20, (std::size_t{5} << 20) + 77, std::size_t{40} << 20}) {
        std::vector<int> host(count), back(count, -1), again(count, -1);
        for (std::size_t i = 0; i < count; ++i) host[i] = static_cast<int>(i * 2654435761U);
        const std::vector<int> sent = host;
        const Buffer device(4 * count, stream);
        device.copy_from_host(host.data(), 4 * count, stream);
        host.assign(count, 0);
        device.copy_to_host(back.data(), 4 * count, stream);
        device.copy_to_host(again.data(), 4 * count, other);  // ordered after the first stream
        EXPECT(back == sent);
        EXPECT(again == sent);
    }
}

GPU_TEST(owners_live_until_the_copy_is_done) {
    const Stream stream(gpu());
    const Buffer pinned(1 << 20, stream, MemoryKind::pinned);
    const Buffer device(1 << 20, stream);
    stream.synchronize();
    auto owner = std::make_shared<int>(1);
    const std::weak_ptr<int> watch = owner;
    spin_kernel()({1, 1}, stream, device, 0, 100'000'000LL);
    device.copy_from_host_async(pinned.data(), 1 << 20, std::move(owner), stream);
    EXPECT(!watch.expired());
    stream.synchronize();
    for (int i = 0; i < 1000 && !watch.expired(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT(watch.expired());
}

GPU_TEST(fills_of_every_width) {
    const Stream stream(gpu());
    const Buffer buffer(8 * 1001, stream);
    const std::uint64_t pattern = 0x0123456789ABCDEFull;
    for (const unsigned width : {1u, 2u, 4u, 8u}) {
        buffer.fill(pattern, width, stream);
        const auto bytes = to_host<unsigned char>(buffer, stream);
        int wrong = 0;
        for (std::size_t i = 0; i < bytes.size() / width * width; ++i)
            wrong += bytes[i] != static_cast<unsigned char>(pattern >> (8 * (i % width)));
        EXPECT_EQUAL(wrong, 0);
    }
}
