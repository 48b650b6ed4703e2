#include "tests/cpp/cpu/kernels.hpp"

#include "src/backend/cpu/runtime_functions.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

namespace heald::cpu {
namespace {

using namespace testing;

template <class Function>
Function function(const char* name) {
    return reinterpret_cast<Function>(runtime_function(name));
}

TEST(RuntimeFunctions, OnlyMathematicsAndTheTable) {
    EXPECT_NE(runtime_function("expf"), nullptr);
    EXPECT_NE(runtime_function("tgamma"), nullptr);
    EXPECT_NE(runtime_function("ldexp"), nullptr);
    EXPECT_EQ(function<double (*)(double, double)>("hypot")(3.0, 4.0), 5.0);
    // libm depends on libc, whose functions a kernel may not call.
    EXPECT_EQ(runtime_function("system"), nullptr);
    EXPECT_EQ(runtime_function("fopen"), nullptr);
    EXPECT_EQ(runtime_function("exit"), nullptr);
    EXPECT_EQ(runtime_function("no_such_function"), nullptr);
#if defined(__x86_64__)
    EXPECT_EQ(runtime_function("_ZGVbN4v_expf") != nullptr, vector_math_available());
#endif
}

TEST(RuntimeFunctions, MemoryFunctionsDoWhatTheirNamesSay) {
    const auto move = function<void* (*)(void*, const void*, std::size_t)>("memmove");
    const auto set = function<void* (*)(void*, int, std::size_t)>("memset");
    const auto compare = function<int (*)(const void*, const void*, std::size_t)>("memcmp");
    for (const std::size_t size : {0ul, 1ul, 7ul, 8ul, 9ul, 255ul, 256ul, 1000ul})
        for (const int offset : {-3, 0, 3, 40}) {
            std::string expected(1200, '.'), text(1200, '.');
            for (std::size_t i = 0; i < 1200; ++i)
                expected[i] = text[i] = static_cast<char>(i * 7 + i / 256);
            EXPECT_EQ(move(text.data() + 50 + offset, text.data() + 50, size),
                      text.data() + 50 + offset);
            std::memmove(expected.data() + 50 + offset, expected.data() + 50, size);
            EXPECT_EQ(text, expected) << size << " " << offset;
            set(text.data() + 1, 0x1C5, size);
            std::memset(expected.data() + 1, 0xC5, size);
            EXPECT_EQ(text, expected);
        }
    EXPECT_LT(compare("abc", "abd", 3), 0);
    EXPECT_GT(compare("\xff", "a", 1), 0);
    EXPECT_EQ(compare("abcx", "abcy", 3), 0);
}

void print(void* const*, BlockContext* context, std::byte*, std::uint64_t first,
           std::uint64_t last) {
    const auto printf = function<int (*)(const char*, ...)>("printf");
    for (std::uint64_t block = first; block < last; ++block) {
        context->current_block = block;
        printf("block %d of %s, %5.2f\n", static_cast<int>(block), "a grid", 1.5);
    }
    if (first == 0) printf("%s\n", std::string(5000, 'z').c_str());
}

TEST(RuntimeFunctions, WhatKernelsPrintIsThereAfterSynchronising) {
    for (const bool on_the_spot : {true, false}) {
        const auto queue = Queue::make(0);
        ::testing::internal::CaptureStdout();
        std::printf("before\n");
        launch(*make_kernel(print, 0, on_the_spot), *queue, shape(100));
        queue->synchronize();
        const std::string text = ::testing::internal::GetCapturedStdout();
        EXPECT_EQ(text.rfind("before\n", 0), 0u);
        for (int block = 0; block < 100; ++block)
            EXPECT_NE(text.find("block " + std::to_string(block) + " of a grid,  1.50\n"),
                      std::string::npos);
        EXPECT_NE(text.find(std::string(5000, 'z')), std::string::npos);
    }
}

TEST(RuntimeFunctions, KernelsHaveAHeap) {
    static std::atomic<int> wrong{0};
    const auto body = [](void* const*, BlockContext*, std::byte*, std::uint64_t, std::uint64_t) {
        auto* memory = static_cast<char*>(function<void* (*)(std::size_t)>("malloc")(100));
        if (memory == nullptr || reinterpret_cast<std::uintptr_t>(memory) % 16 != 0)
            ++wrong;
        else
            std::memset(memory, 1, 100);
        function<void (*)(void*)>("free")(memory);
    };
    const auto queue = Queue::make(0);
    launch(*make_kernel(body, 0), *queue, shape(1000));
    queue->synchronize();
    EXPECT_EQ(wrong.load(), 0);
}

}  // namespace
}  // namespace heald::cpu
