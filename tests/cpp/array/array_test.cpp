// Shapes, strides and views, with NumPy's rules.

#include <heald/heald.hpp>

#include <gtest/gtest.h>
#include <limits>

namespace heald {
namespace {

constexpr std::int64_t huge = std::int64_t{1} << 40;

template <class Function>
std::string failure(Function&& function) {
    try {
        function();
    } catch (const Error& error) {
        return error.what();
    }
    ADD_FAILURE() << "did not throw";
    return "";
}

class Views : public ::testing::Test {
protected:
    Stream stream = Device("cpu").default_stream();
    Array cube{Shape{2, 3, 4}, DType::float32, stream};
};

TEST_F(Views, NewArraysAreInCOrder) {
    EXPECT_EQ(cube.strides(), (Shape{48, 16, 4}));
    EXPECT_EQ(cube.size(), 24);
    EXPECT_EQ(cube.nbytes(), 96u);
    EXPECT_TRUE(cube.is_c_contiguous());
    EXPECT_FALSE(cube.is_f_contiguous());
    EXPECT_TRUE(cube.transpose().is_f_contiguous());
    const Array scalar({}, DType::int64, stream);
    EXPECT_EQ(scalar.size(), 1);
    EXPECT_EQ(scalar.nbytes(), 8u);
    EXPECT_TRUE(scalar.is_c_contiguous());
}

TEST_F(Views, AxesOfOneAndEmptyArraysAreBothContiguous) {
    const Array odd(cube.buffer(), {1, 24, 1}, DType::float32, {12345, 4, -7});
    EXPECT_TRUE(odd.is_c_contiguous());
    EXPECT_TRUE(odd.is_f_contiguous());
    for (const Shape& shape : {Shape{0}, Shape{0, 3}, Shape{3, 0, 2}}) {
        const Array empty(shape, DType::float64, stream);
        EXPECT_EQ(empty.size(), 0);
        EXPECT_EQ(empty.data(), nullptr);
        EXPECT_TRUE(empty.is_c_contiguous());
        EXPECT_TRUE(empty.is_f_contiguous());
        EXPECT_TRUE(empty.transpose().is_c_contiguous());
    }
}

TEST_F(Views, SlicesAsInPython) {
    const Array back = cube.slice(2, 3, -1, -1);
    EXPECT_EQ(back.shape(), (Shape{2, 3, 4}));
    EXPECT_EQ(back.strides(), (Shape{48, 16, -4}));
    EXPECT_EQ(back.offset(), 12);
    EXPECT_EQ(back.byte_range(), std::make_pair(std::int64_t{0}, std::int64_t{96}));
    const Array odd = cube.slice(1, 0, 3, 2);
    EXPECT_EQ(odd.shape(), (Shape{2, 2, 4}));
    EXPECT_EQ(odd.strides(), (Shape{48, 32, 4}));
    EXPECT_EQ(cube.slice(0, 1, 1, 1).size(), 0);
    EXPECT_EQ(cube.slice(0, 2, 0, 5).size(), 0);
    EXPECT_NE(failure([&] { (void)cube.slice(0, 0, 3, 1); }).find("out of bounds"),
              std::string::npos);
    EXPECT_NE(failure([&] { (void)cube.slice(0, 0, 1, 0); }).find("zero"), std::string::npos);
    EXPECT_NE(failure([&] { (void)cube.slice(3, 0, 1, 1); }).find("axis 3 is out of bounds"),
              std::string::npos);
}

TEST_F(Views, IndexDropsTheAxis) {
    const Array row = cube.index(1, -1);
    EXPECT_EQ(row.shape(), (Shape{2, 4}));
    EXPECT_EQ(row.offset(), 32);
    EXPECT_NE(failure([&] {
                  (void)cube.index(0, 2);
              }).find("index 2 is out of bounds for axis 0 with size 2"),
              std::string::npos);
}

TEST_F(Views, TransposeChecksItsAxes) {
    const std::array<int, 3> axes{2, 0, 1};
    EXPECT_EQ(cube.transpose(axes).shape(), (Shape{4, 2, 3}));
    const std::array<int, 3> negative{-1, 0, 1};
    EXPECT_EQ(cube.transpose(negative).shape(), (Shape{4, 2, 3}));
    const std::array<int, 3> twice{0, 0, 1};
    EXPECT_NE(failure([&] { (void)cube.transpose(twice); }).find("repeated axis"),
              std::string::npos);
    const std::array<int, 2> few{0, 1};
    EXPECT_NE(failure([&] { (void)cube.transpose(few); }).find("don't match"), std::string::npos);
}

TEST_F(Views, ReshapeViewsWhereItCan) {
    EXPECT_EQ(cube.reshape({6, 4}).data(), cube.data());
    EXPECT_EQ(cube.reshape({-1}).shape(), (Shape{24}));
    EXPECT_EQ(cube.reshape({2, -1, 2}).shape(), (Shape{2, 6, 2}));
    EXPECT_TRUE(cube.slice(2, 0, 4, 2).can_view_as({6, 2}));
    EXPECT_FALSE(cube.slice(2, 0, 3, 1).can_view_as({18}));
    EXPECT_FALSE(cube.transpose().can_view_as({24}));
    EXPECT_TRUE(cube.transpose().can_view_as({4, 3, 2, 1}));
    EXPECT_TRUE(Array(Shape{0, 3}, DType::int8, stream).can_view_as({3, 0, 7}));
    EXPECT_NE(cube.transpose().reshape({24}).data(), cube.data());
    EXPECT_NE(failure([&] { (void)cube.reshape({5, 5}); }).find("cannot reshape array of size 24"),
              std::string::npos);
    EXPECT_NE(failure([&] { (void)cube.reshape({-1, -1}); }).find("one unknown"),
              std::string::npos);
    EXPECT_NE(failure([&] {
                  (void)Array(Shape{0}, DType::int8, stream).reshape({0, -1});
              }).find("cannot reshape"),
              std::string::npos);
}

TEST_F(Views, EveryElementMustBeInTheBuffer) {
    const Buffer memory(96, stream);
    EXPECT_NO_THROW(Array(memory, {24}, DType::float32));
    EXPECT_NO_THROW(Array(memory, {24}, DType::float32, {-4}, 92));
    EXPECT_NO_THROW(Array(memory, {huge}, DType::float32, {0}, 92));  // one element, repeated
    EXPECT_THROW(Array(memory, {25}, DType::float32), Error);
    EXPECT_THROW(Array(memory, {24}, DType::float32, {-4}, 88), Error);
    EXPECT_THROW(Array(memory, {1}, DType::float32, {4}, 93), Error);
    EXPECT_THROW(Array(memory, {1}, DType::float32, {4}, -1), Error);
    EXPECT_THROW(Array(memory, {2, 2}, DType::float32, {4}), Error);
    EXPECT_THROW(Array(memory, {huge}, DType::float32, {std::numeric_limits<std::int64_t>::max()}),
                 Error);
    EXPECT_THROW(Array(memory, {4}, DType::opaque), Error);
}

TEST_F(Views, SizesDoNotOverflow) {
    EXPECT_NE(failure([&] { Array({huge, huge}, DType::float32, stream); }).find("too big"),
              std::string::npos);
    EXPECT_NE(failure([&] { Array({huge, 0, huge}, DType::int8, stream); }).find("too big"),
              std::string::npos);
    EXPECT_NE(failure([&] { Array({-1}, DType::int8, stream); }).find("negative"),
              std::string::npos);
    try {
        Array({huge, 1 << 20}, DType::int8, stream);
        FAIL() << "did not throw";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::out_of_memory) << error.what();
    }
}

}  // namespace
}  // namespace heald
