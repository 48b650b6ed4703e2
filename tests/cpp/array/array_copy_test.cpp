// Copies of elements between arrays and the host, on the devices that are here.

#include <heald/heald.hpp>

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace heald {
namespace {

class Copies : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        try {
            device_.emplace(GetParam());
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        stream_.emplace(*device_);
    }
    const Device& device() { return *device_; }
    const Stream& stream() { return *stream_; }

    Array counted(Shape shape) {
        Array array(std::move(shape), DType::int32, stream());
        std::vector<std::int32_t> values(static_cast<std::size_t>(array.size()));
        std::iota(values.begin(), values.end(), 0);
        array.copy_from_host(values.data(), array.strides(), stream());
        return array;
    }
    std::vector<std::int32_t> values_of(const Array& array) {
        std::vector<std::int32_t> values(static_cast<std::size_t>(array.size()), -1);
        array.copy_to_host(values.data(), c_strides(array.shape(), 4), stream());
        return values;
    }

private:
    std::optional<Device> device_;
    std::optional<Stream> stream_;
};

TEST_P(Copies, ViewsReadTheirElements) {
    const Array matrix = counted({3, 4});
    EXPECT_EQ(values_of(matrix.transpose()), (std::vector{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
    EXPECT_EQ(values_of(matrix.slice(1, 3, -1, -2)), (std::vector{3, 1, 7, 5, 11, 9}));
    EXPECT_EQ(values_of(matrix.index(0, 1)), (std::vector{4, 5, 6, 7}));
    EXPECT_EQ(values_of(matrix.transpose().copy(stream())),
              (std::vector{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
}

TEST_P(Copies, ViewsWriteTheirElements) {
    const Array matrix = counted({3, 4});
    matrix.slice(1, 0, 4, 2).copy_from(counted({3, 2}), stream());
    EXPECT_EQ(values_of(matrix), (std::vector{0, 1, 1, 3, 2, 5, 3, 7, 4, 9, 5, 11}));
    const std::vector<std::int32_t> host{10, 20, 30};
    matrix.index(1, 3).copy_from_host(host.data(), Shape{4}, stream());
    EXPECT_EQ(values_of(matrix), (std::vector{0, 1, 1, 10, 2, 5, 3, 20, 4, 9, 5, 30}));
}

TEST_P(Copies, OverlapIsAsIfCopiedAside) {
    const Array row = counted({8});
    row.slice(0, 1, 8, 1).copy_from(row.slice(0, 0, 7, 1), stream());
    EXPECT_EQ(values_of(row), (std::vector{0, 0, 1, 2, 3, 4, 5, 6}));
    const Array other = counted({6});
    other.copy_from(other.slice(0, 5, -1, -1), stream());
    EXPECT_EQ(values_of(other), (std::vector{5, 4, 3, 2, 1, 0}));
    const Array square = counted({3, 3});
    square.copy_from(square.transpose(), stream());
    EXPECT_EQ(values_of(square), (std::vector{0, 3, 6, 1, 4, 7, 2, 5, 8}));
}

TEST_P(Copies, HostStridesOfEveryOrder) {
    const Array cube = counted({2, 3, 4});
    std::vector<std::int32_t> fortran(24, -1);
    cube.copy_to_host(fortran.data(), Shape{4, 8, 24}, stream());
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 4; ++k)
                EXPECT_EQ(fortran[static_cast<std::size_t>(i + 2 * j + 6 * k)], i * 12 + j * 4 + k);
    Array back({2, 3, 4}, DType::int32, stream());
    back.copy_from_host(fortran.data() + 23, Shape{-4, -8, -24}, stream());
    std::vector<std::int32_t> reversed(24);
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    EXPECT_EQ(values_of(back), reversed);
}

TEST_P(Copies, FillsEveryDtypeAndLayout) {
    const Array matrix = counted({4, 4});
    const std::int32_t seven = 7;
    matrix.slice(0, 0, 4, 2).slice(1, 1, 3, 1).fill(&seven, stream());
    EXPECT_EQ(values_of(matrix),
              (std::vector{0, 7, 7, 3, 4, 5, 6, 7, 8, 7, 7, 11, 12, 13, 14, 15}));
    const Array complex({5}, DType::complex128, stream());
    const double value[2] = {1.5, -2.5};
    complex.fill(value, stream());
    std::vector<double> read(10);
    complex.copy_to_host(read.data(), Shape{16}, stream());
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(read[i], value[i % 2]);
}

TEST_P(Copies, EmptyArraysAreNoOps) {
    const Array empty({0, 3}, DType::float32, stream());
    const float one = 1;
    empty.fill(&one, stream());
    empty.copy_from(Array({0, 3}, DType::float32, stream()), stream());
    empty.copy_to_host(nullptr, Shape{12, 4}, stream());
    EXPECT_EQ(empty.copy(stream()).shape(), (Shape{0, 3}));
    EXPECT_EQ(empty.to(device(), stream()).size(), 0);
}

TEST_P(Copies, WrongShapesAndDtypesAreRefused) {
    const Array a({2, 3}, DType::float32, stream());
    EXPECT_THROW(a.copy_from(Array({3, 2}, DType::float32, stream()), stream()), Error);
    EXPECT_THROW(a.copy_from(Array({2, 3}, DType::float64, stream()), stream()), Error);
    EXPECT_THROW(a.copy_from_host(nullptr, Shape{4}, stream()), Error);
    char memory[8] = {};
    const Array constant(Buffer::wrap(memory, 8, Device("cpu"), nullptr, true), {2},
                         DType::float32);
    EXPECT_THROW(constant.fill(memory, stream()), Error);
}

TEST_P(Copies, LargeTransposesAndOddTypes) {
    const std::int64_t rows = 1037;
    const std::int64_t columns = 521;
    for (const DType dtype : {DType::int8, DType::float16, DType::float64, DType::complex128}) {
        const std::size_t item = size_of(dtype);
        std::vector<char> host(static_cast<std::size_t>(rows * columns) * item);
        std::mt19937 random(7);
        for (char& c : host) c = static_cast<char>(random());
        Array matrix({rows, columns}, dtype, stream());
        matrix.copy_from_host(host.data(), matrix.strides(), stream());
        const Array turned = matrix.transpose().copy(stream());
        std::vector<char> read(host.size());
        turned.copy_to_host(read.data(), turned.strides(), stream());
        for (std::int64_t i = 0; i < rows; i += 13)
            for (std::int64_t j = 0; j < columns; j += 7)
                ASSERT_EQ(
                    std::memcmp(&read[static_cast<std::size_t>(j * rows + i) * item],
                                &host[static_cast<std::size_t>(i * columns + j) * item], item),
                    0);
    }
}

TEST_P(Copies, AcrossDevices) {
    const Array matrix = counted({3, 4});
    for (const Device& other : Device::all()) {
        const Array there = matrix.transpose().to(other, stream());
        EXPECT_EQ(there.device(), other);
        const Array back = there.to(device(), stream());
        EXPECT_EQ(values_of(back.transpose()), values_of(matrix));
        const Array target({3, 8}, DType::int32, other.default_stream());
        target.slice(1, 0, 8, 2).copy_from(matrix, stream());
        EXPECT_EQ(values_of(target.slice(1, 0, 8, 2).to(device(), stream())), values_of(matrix));
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, Copies, ::testing::Values("cpu", "cuda:0"), [](const auto& info) {
    return info.param.substr(0, info.param.find(':'));
});

}  // namespace
}  // namespace heald
