#include "src/core/scalar_conversion.hpp"

#include <gtest/gtest.h>
#include <cstdint>
#include <limits>

namespace heald::core {
namespace {

template <class To, class From>
Conversion convert(DType from_type, From value, DType to_type, To& result) {
    return convert_scalar(from_type, &value, to_type, &result);
}

TEST(ScalarConversion, IntegersFitOrAreRefused) {
    std::int8_t small = 0;
    EXPECT_EQ(convert(DType::int32, std::int32_t{127}, DType::int8, small), Conversion::done);
    EXPECT_EQ(small, 127);
    EXPECT_EQ(convert(DType::int32, std::int32_t{128}, DType::int8, small),
              Conversion::out_of_range);
    std::uint32_t natural = 0;
    EXPECT_EQ(convert(DType::int64, std::int64_t{-1}, DType::uint32, natural),
              Conversion::out_of_range);
    EXPECT_EQ(convert(DType::int64, std::int64_t{4294967295}, DType::uint32, natural),
              Conversion::done);
    EXPECT_EQ(natural, 4294967295u);
    std::int64_t wide = 0;
    EXPECT_EQ(convert(DType::uint64, std::numeric_limits<std::uint64_t>::max(), DType::int64, wide),
              Conversion::out_of_range);
}

TEST(ScalarConversion, FloatsAreNotIntegersButIntegersAreFloats) {
    std::int32_t integer = 0;
    EXPECT_EQ(convert(DType::float64, 1.0, DType::int32, integer), Conversion::wrong_type);
    double real = 0;
    EXPECT_EQ(convert(DType::int32, std::int32_t{-3}, DType::float64, real), Conversion::done);
    EXPECT_EQ(real, -3.0);
    float single = 0;
    EXPECT_EQ(convert(DType::float64, 0.1, DType::float32, single), Conversion::done);
    EXPECT_EQ(single, 0.1f);
    EXPECT_EQ(convert(DType::float64, 1e300, DType::float32, single), Conversion::out_of_range);
    EXPECT_EQ(
        convert(DType::float64, std::numeric_limits<double>::infinity(), DType::float32, single),
        Conversion::done);
}

TEST(ScalarConversion, Booleans) {
    bool flag = false;
    EXPECT_EQ(convert(DType::int32, std::int32_t{1}, DType::boolean, flag), Conversion::done);
    EXPECT_TRUE(flag);
    EXPECT_EQ(convert(DType::int32, std::int32_t{2}, DType::boolean, flag),
              Conversion::out_of_range);
}

}  // namespace
}  // namespace heald::core
