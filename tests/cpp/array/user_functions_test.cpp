#include <heald/elementwise.hpp>
#include <heald/error.hpp>
#include <heald/operations.hpp>
#include <heald/program.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace heald {
namespace {

std::vector<double> fetched(const Array& x) {
    std::vector<double> all(static_cast<std::size_t>(x.size()));
    const Shape strides = c_strides(x.shape(), sizeof(double));
    x.copy_to_host(all.data(), {strides.data(), strides.size()});
    return all;
}

TEST(UserFunctions, AreFused) {
    const ElementwiseFunction function("T x, T y", "T z, bool more", "z = x * y + i; more = x > n",
                                       "scaled");
    const std::array<Operand, 2> arguments{range(0, 1, 5) + 1.0, 2.0};
    const std::vector<Array> results = function(arguments);
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[1].dtype(), DType::boolean);
    EXPECT_EQ(fetched(results[0] * 10.0), (std::vector<double>{20, 50, 80, 110, 140}));
}

TEST(UserFunctions, FoldOverAxes) {
    const ReductionFunction norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm");
    const std::array<Operand, 1> arguments{range(0, 1, 6).reshape({2, 3})};
    EXPECT_EQ(fetched(norm(arguments, std::vector{1})),
              (std::vector<double>{std::sqrt(5.0), std::sqrt(50.0)}));
    EXPECT_EQ(norm(arguments, std::vector{-1}, true).shape(), (Shape{2, 1}));
    EXPECT_EQ(fetched(norm(arguments)), (std::vector<double>{std::sqrt(55.0)}));
}

TEST(UserFunctions, ErrorsAreRaisedAtTheCall) {
    const ElementwiseFunction wrong("T x", "T y", "y = oops", "wrong");
    const std::array<Operand, 1> arguments{range(0, 1, 5)};
    EXPECT_THROW((void)wrong(arguments), CompileError);
    EXPECT_THROW(ElementwiseFunction("T", "T y", "y = 1"), Error);
    const ElementwiseFunction two("T x, T y", "T z", "z = x");
    const std::array<Operand, 2> mixed{range(0, 1, 5), range(0, 1, 5, DType::float32)};
    EXPECT_THROW((void)two(mixed), Error);
}

}  // namespace
}  // namespace heald
