// Copies between layouts on the GPU, compared element by element.

#include "tests/gpu/check.hpp"

#include <heald/heald.hpp>

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

using namespace heald;

namespace {

struct Case {
    Shape shape;
    std::vector<int> axes;  ///< of the transposed view
};

/// The bytes of a transposed array in C order, one element at a time.
std::vector<char> transposed(const std::vector<char>& data, const Shape& shape,
                             const std::vector<int>& axes, std::size_t item) {
    const Shape strides = c_strides(shape, item);
    std::vector<char> result(data.size());
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::size_t at = 0; at < data.size(); at += item) {
        std::int64_t from = 0;
        for (std::size_t i = 0; i < axes.size(); ++i)
            from += index[i] * strides[static_cast<std::size_t>(axes[i])];
        std::memcpy(&result[at], &data[static_cast<std::size_t>(from)], item);
        for (std::size_t i = axes.size(); i-- > 0;) {
            if (++index[i] < shape[static_cast<std::size_t>(axes[i])]) break;
            index[i] = 0;
        }
    }
    return result;
}

}  // namespace

GPU_TEST(copies_of_transposed_arrays) {
    const Device gpu("cuda:0");
    const Stream stream(gpu);
    const std::vector<Case> cases{
        {{256, 128}, {1, 0}},           {{130, 200}, {1, 0}},           {{9, 8}, {1, 0}},
        {{3, 64, 192}, {0, 2, 1}},      {{70, 5, 90}, {2, 1, 0}},       {{70, 5, 90}, {1, 2, 0}},
        {{4, 70, 3, 66}, {0, 3, 2, 1}}, {{1, 500, 2, 40}, {3, 2, 1, 0}}};
    for (const DType dtype :
         {DType::uint8, DType::int16, DType::float32, DType::int64, DType::complex128})
        for (const Case& test : cases) {
            std::vector<char> data(size_of(dtype));
            for (const std::int64_t extent : test.shape)
                data.resize(data.size() * static_cast<std::size_t>(extent));
            for (std::size_t i = 0; i < data.size(); ++i)
                data[i] = static_cast<char>(i * 2654435761U >> 11);
            const Array array(Buffer::from_host(data.data(), data.size(), stream), test.shape,
                              dtype);
            const Array view = array.transpose(test.axes);
            const Array copy(view.shape(), dtype, stream);
            copy.buffer().fill(0xAB, 1, stream);
            copy.copy_from(view, stream);
            std::vector<char> back(data.size());
            copy.buffer().copy_to_host(back.data(), back.size(), stream);
            EXPECT(back == transposed(data, test.shape, test.axes, size_of(dtype)));
        }
}

GPU_TEST(copies_of_slices) {
    const Device gpu("cuda:0");
    const Stream stream(gpu);
    std::vector<int> data(300 * 200);
    std::iota(data.begin(), data.end(), 7);
    const Array array(Buffer::from_host(data.data(), 4 * data.size(), stream), {300, 200},
                      DType::int32);
    for (const auto [start, step] : {std::array{0, 1}, {1, 1}, {3, 2}, {4, 4}}) {
        for (const int axis : {0, 1}) {
            const Array view = array.slice(axis, start, axis == 0 ? 299 : 197, step);
            const Array copy = view.copy(stream);
            const auto rows = copy.shape()[0], columns = copy.shape()[1];
            std::vector<int> back(static_cast<std::size_t>(rows * columns));
            copy.buffer().copy_to_host(back.data(), 4 * back.size(), stream);
            int wrong = 0;
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < columns; ++j) {
                    const std::int64_t row = axis == 0 ? start + i * step : i;
                    const std::int64_t column = axis == 1 ? start + j * step : j;
                    wrong += back[static_cast<std::size_t>(i * columns + j)] !=
                             data[static_cast<std::size_t>(row * 200 + column)];
                }
            EXPECT_EQUAL(wrong, 0);
        }
    }
}
