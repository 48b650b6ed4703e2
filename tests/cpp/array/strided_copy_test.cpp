// The copy loops of the host against one element at a time.

#include "src/array/strided_copy.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

namespace heald::array {
namespace {

/// A random layout of `shape` in a buffer: permuted axes, gaps, reversed and repeated axes.
struct Layout {
    Shape strides;
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
};

Layout random_layout(const Shape& shape, std::int64_t item, bool may_repeat, std::mt19937& random) {
    Layout layout;
    layout.strides.resize(shape.size());
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    std::int64_t stride = item;
    for (const std::size_t axis : order) {
        if (may_repeat && random() % 8 == 0) {
            layout.strides[axis] = 0;
            continue;
        }
        if (random() % 3 == 0) stride += item * static_cast<std::int64_t>(random() % 3);
        layout.strides[axis] = stride;
        stride *= shape[axis];
        if (random() % 3 == 0) {
            layout.offset += (shape[axis] - 1) * layout.strides[axis];
            layout.strides[axis] = -layout.strides[axis];
        }
    }
    layout.bytes = stride + item * 8;
    return layout;
}

void copy_one_by_one(const Shape& shape, std::size_t axis, const Shape& to_strides,
                     const Shape& from_strides, char* to, const char* from, std::size_t item) {
    if (axis == shape.size()) {
        std::memcpy(to, from, item);
        return;
    }
    for (std::int64_t i = 0; i < shape[axis]; ++i)
        copy_one_by_one(shape, axis + 1, to_strides, from_strides, to + i * to_strides[axis],
                        from + i * from_strides[axis], item);
}

TEST(StridedCopy, AgreesWithOneByOne) {
    const unsigned seed = std::random_device()();
    std::mt19937 random(seed);
    SCOPED_TRACE(seed);
    for (int round = 0; round < 4000; ++round) {
        const std::size_t item = std::size_t{1} << (random() % 5);
        Shape shape(random() % 5);
        for (auto& extent : shape) extent = 1 + static_cast<std::int64_t>(random() % 9);
        if (shape.size() == 2 && round % 4 == 0)
            for (auto& extent : shape) extent = 1 + static_cast<std::int64_t>(random() % 90);
        const auto step = static_cast<std::int64_t>(item);
        const Layout to = random_layout(shape, step, false, random);
        const Layout from = random_layout(shape, step, true, random);
        std::vector<char> source(static_cast<std::size_t>(from.bytes));
        for (char& c : source) c = static_cast<char>(random());
        std::vector<char> expected(static_cast<std::size_t>(to.bytes), '\x5b');
        std::vector<char> actual = expected;
        copy_one_by_one(shape, 0, to.strides, from.strides, expected.data() + to.offset,
                        source.data() + from.offset, item);
        run_copy(plan_copy(shape, to.strides, from.strides, item), actual.data() + to.offset,
                 source.data() + from.offset);
        ASSERT_EQ(actual, expected) << "round " << round;
    }
}

TEST(StridedCopy, PartsMakeUpTheWholeInAnyOrder) {
    const unsigned seed = std::random_device()();
    std::mt19937 random(seed);
    SCOPED_TRACE(seed);
    const Shape shapes[] = {{1500, 700}, {3, 900, 401}, {2, 3, 170000}, {1000003}, {40, 50, 60, 9}};
    for (const Shape& shape : shapes) {
        for (int round = 0; round < 4; ++round) {
            const std::size_t item = std::size_t{1} << (random() % 4);
            const auto step = static_cast<std::int64_t>(item);
            const Layout to = random_layout(shape, step, false, random);
            const Layout from = random_layout(shape, step, true, random);
            std::vector<char> source(static_cast<std::size_t>(from.bytes));
            for (char& c : source) c = static_cast<char>(random());
            std::vector<char> expected(static_cast<std::size_t>(to.bytes), '\x5b');
            std::vector<char> actual = expected;
            const StridedCopy copy = plan_copy(shape, to.strides, from.strides, item);
            run_copy(copy, expected.data() + to.offset, source.data() + from.offset);
            const CopyParts parts(copy);
            EXPECT_GT(parts.count(), 1);
            std::vector<std::uint64_t> order(parts.count());
            std::iota(order.begin(), order.end(), 0);
            std::shuffle(order.begin(), order.end(), random);
            for (const std::uint64_t part : order)
                run_copy(parts.part(part), actual.data() + to.offset, source.data() + from.offset);
            ASSERT_EQ(actual, expected) << "round " << round;
        }
    }
}

TEST(StridedCopy, ContiguousCopiesAreOneRun) {
    const Shape shape{4, 1, 5, 6};
    const Shape strides = c_strides(shape, 8);
    const StridedCopy copy = plan_copy(shape, strides, strides, 8);
    EXPECT_TRUE(copy.is_contiguous());
    EXPECT_EQ(copy.size(), 120);
    // Fortran order on both sides is one run too.
    const Shape fortran{8, 1000, 32, 160};
    EXPECT_TRUE(plan_copy(shape, fortran, fortran, 8).is_contiguous());
}

}  // namespace
}  // namespace heald::array
