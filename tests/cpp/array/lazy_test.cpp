// Operations that are recorded and computed later, on the devices that are here.

#include <heald/heald.hpp>

#include "src/array/lazy/background.hpp"
#include "src/array/lazy/explain.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <thread>
#include <vector>

namespace heald {
namespace {

class Lazy : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        try {
            const Device device(GetParam());
            scope_.emplace(device.default_stream());
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
    }

    static Array random(const Shape& shape, unsigned seed) {
        Array array(shape, DType::float32);
        std::vector<float> values(static_cast<std::size_t>(array.size()));
        std::mt19937 generator(seed);
        std::uniform_real_distribution<float> uniform(-1, 1);
        for (float& value : values) value = uniform(generator);
        array.copy_from_host(values.data(), array.strides());
        return array;
    }
    template <class T = float>
    static std::vector<T> values_of(const Array& array) {
        std::vector<T> values(static_cast<std::size_t>(array.size()));
        array.copy_to_host(values.data(), c_strides(array.shape(), sizeof(T)));
        return values;
    }
    static std::size_t kernels_of(std::initializer_list<Array> arrays) {
        std::vector<std::shared_ptr<core::Block>> blocks;
        for (const Array& one : arrays) blocks.push_back(one.buffer().block());
        return array::explain(blocks).size();
    }
    static bool is_pending(const Array& array) { return array.buffer().block()->is_pending(); }

private:
    std::optional<StreamScope> scope_;
};

TEST_P(Lazy, AChainIsOneKernel) {
    const Array x = random({1000}, 1), y = random({1000}, 2);
    const Array z = (x + y) * 2 - x * y;
    EXPECT_TRUE(is_pending(z));
    EXPECT_EQ(kernels_of({z}), 1U);
    const auto a = values_of(x), b = values_of(y), c = values_of(z);
    EXPECT_FALSE(is_pending(z));
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(c[i], (a[i] + b[i]) * 2 - a[i] * b[i]);
}

TEST_P(Lazy, WhatNobodyHoldsIsNotWritten) {
    const Array x = random({1 << 16}, 3);
    const auto memory = Stream::current().device().memory();
    const Array first = ((x + 1) * 2 + 3) * 4;
    evaluate({first});
    array::finish_background();
    const auto before = memory.statistics();
    const Array y = ((x + 1) * 2 + 3) * 4;
    evaluate({y});
    const auto after = memory.statistics();
    EXPECT_EQ(after.total_count - before.total_count, 1U);
}

TEST_P(Lazy, WhatIsHeldComesOutOfTheSameKernel) {
    const Array x = random({512}, 4);
    const Array y = x * 3;
    const Array z = y + 1;
    EXPECT_EQ(kernels_of({z}), 1U);
    evaluate({z});
    EXPECT_FALSE(is_pending(y));
    const auto a = values_of(x), b = values_of(y), c = values_of(z);
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(b[i], a[i] * 3);
        ASSERT_EQ(c[i], b[i] + 1);
    }
}

TEST_P(Lazy, PendingReadsSeeTheOldElements) {
    const Array x = random({100}, 5);
    const auto old = values_of(x);
    const Array y = x + 1;
    const Array deep = (x * 2).slice(0, 10, 20, 1) + 1;
    assign(x, 0);
    const auto b = values_of(y), c = values_of(deep);
    for (std::size_t i = 0; i < old.size(); ++i) ASSERT_EQ(b[i], old[i] + 1);
    for (std::size_t i = 0; i < c.size(); ++i) ASSERT_EQ(c[i], old[i + 10] * 2 + 1);
    for (const float value : values_of(x)) ASSERT_EQ(value, 0);
}

TEST_P(Lazy, OverlappingAssignmentReadsBeforeItWrites) {
    const Array x = random({1000}, 6);
    auto expected = values_of(x);
    assign(x.slice(0, 1, 1000, 1), x.slice(0, 0, 999, 1) + x.slice(0, 1, 1000, 1));
    for (std::size_t i = 999; i > 0; --i) expected[i] += expected[i - 1];
    EXPECT_EQ(values_of(x), expected);
    assign(x, x * 2);
    for (float& value : expected) value *= 2;
    EXPECT_EQ(values_of(x), expected);
    assign(x, x.slice(0, 999, -1, -1));
    EXPECT_EQ(values_of(x), std::vector<float>(expected.rbegin(), expected.rend()));
}

TEST_P(Lazy, ViewsOfPendingArraysAreViews) {
    const Array sum = random({20, 30}, 7) + 1;
    const Array view = sum.slice(0, 2, 4, 1);
    EXPECT_TRUE(is_pending(sum));
    assign(view, 5);
    const auto values = values_of(sum);
    for (std::size_t i = 60; i < 120; ++i) ASSERT_EQ(values[i], 5);
    ASSERT_NE(values[59], 5);
}

TEST_P(Lazy, SumsOfEveryShape) {
    for (const Shape& shape : {Shape{1}, Shape{31}, Shape{129}, Shape{100000}, Shape{7, 300},
                               Shape{300, 7}, Shape{5, 6, 7}, Shape{70000, 3}, Shape{2, 40000}}) {
        const Array x = random(shape, 8);
        const auto a = values_of(x);
        const double exact = std::accumulate(a.begin(), a.end(), 0.0);
        EXPECT_NEAR(values_of(sum(x))[0], exact, 1e-3);
        for (int axis = 0; axis < x.ndim(); ++axis) {
            const auto sums = values_of(sum(x, {&axis, 1}));
            EXPECT_NEAR(std::accumulate(sums.begin(), sums.end(), 0.0), exact, 1e-2);
            const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
            const auto ones = values_of(sum(x * 0 + 1, {&axis, 1}));
            for (const float one : ones) ASSERT_EQ(one, static_cast<float>(extent));
        }
    }
}

TEST_P(Lazy, FusedAndUnfusedSumsHaveTheSameBits) {
    const Array x = random({1000, 257}, 9), y = random({1000, 257}, 10);
    for (int axis = 0; axis < 2; ++axis) {
        const Array product = x * y;
        evaluate({product});
        EXPECT_EQ(values_of(sum(x * y, {&axis, 1})), values_of(sum(product, {&axis, 1})));
        EXPECT_EQ(values_of(sum(x * y)), values_of(sum(product)));
    }
}

TEST_P(Lazy, LongChainsAreEvaluatedInTime) {
    Array x = random({64}, 11);
    auto expected = values_of(x);
    for (int i = 0; i < 2000; ++i) {
        x = x + 1;
        for (float& value : expected) value += 1;
    }
    EXPECT_EQ(values_of(x), expected);
}

TEST_P(Lazy, ThreadsShareWhatIsPending) {
    const Array x = random({5000}, 12);
    const Array shared = x * 2 + 1;
    const auto a = values_of(x);
    const Stream stream = Stream::current();
    std::vector<std::thread> threads;
    std::vector<int> wrong(8);
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
            const StreamScope scope(stream);
            for (int i = 0; i < 20; ++i) {
                const auto values = values_of(shared + static_cast<int>(t));
                for (std::size_t k = 0; k < values.size(); ++k)
                    wrong[t] += values[k] != a[k] * 2 + 1 + static_cast<float>(t);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(8));
}

TEST_P(Lazy, ThreadsWriteOneArrayInPlace) {
    const Array x = random({1000}, 16);
    const auto before = values_of(x);
    const Stream stream = Stream::current();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            const StreamScope scope(stream);
            for (int i = 0; i < 300; ++i) {
                const Array view = x.slice(0, i % 10, 1000, 1);
                assign(view, view + 0);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(values_of(x), before);
}

TEST_P(Lazy, ManyOperandsAreSpreadOverSeveralKernels) {
    std::vector<Array> terms;
    for (unsigned i = 0; i < 90; ++i) terms.push_back(random({256}, 100 + i));
    Array total = terms[0];
    auto expected = values_of(terms[0]);
    for (std::size_t i = 1; i < terms.size(); ++i) {
        total = total + terms[i];
        const auto values = values_of(terms[i]);
        for (std::size_t k = 0; k < values.size(); ++k) expected[k] += values[k];
    }
    EXPECT_LE(kernels_of({total}), 8U);
    EXPECT_EQ(values_of(total), expected);
}

TEST_P(Lazy, ErrorsAreRaisedAtOnce) {
    const Array x = random({3}, 13), y = random({4}, 14);
    const auto kind_of = [](auto&& function) {
        try {
            function();
        } catch (const Error& error) {
            return error.kind();
        }
        return ErrorKind::device;
    };
    EXPECT_EQ(kind_of([&] { (void)(x + y); }), ErrorKind::invalid_value);
    EXPECT_EQ(kind_of([&] { (void)(x & 1); }), ErrorKind::type_mismatch);
    EXPECT_EQ(kind_of([&] { (void)(as_type(x, DType::int8) + 1000); }), ErrorKind::overflow);
    EXPECT_EQ(kind_of([&] { (void)elementwise("sine", {x}); }), ErrorKind::not_found);
    EXPECT_EQ(kind_of([&] { assign(x, y); }), ErrorKind::invalid_value);
    EXPECT_EQ(values_of(x + x).size(), 3U);
    EXPECT_FALSE(is_pending(x));  // what failed reads nothing
    EXPECT_EQ(values_of(x).size(), 3U);
}

TEST_P(Lazy, AFailedEvaluationCanBeRepeated) {
    const MemoryPool memory = Stream::current().device().memory();
    const Array x = random({1 << 20}, 15);
    const Array y = x + 1;
    memory.set_limit(memory.statistics().current_bytes + 1000);
    EXPECT_THROW(evaluate({y}), Error);
    memory.set_limit(std::nullopt);
    const auto a = values_of(x), b = values_of(y);
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(b[i], a[i] + 1);
}

TEST_P(Lazy, RangesAreComputedWhereTheyAreRead) {
    const Array i = range(0, 1, 1000, DType::int64);
    const Array squares = i * i;
    EXPECT_EQ(values_of<std::int64_t>(squares)[999], 999 * 999);
    EXPECT_EQ(values_of<std::int64_t>(i.slice(0, 999, -1, -2))[1], 997);
}

INSTANTIATE_TEST_SUITE_P(Devices, Lazy, ::testing::Values("cpu", "cuda:0"),
                         [](const auto& info) { return info.param == "cpu" ? "cpu" : "cuda"; });

}  // namespace
}  // namespace heald
