#include <heald/error.hpp>
#include <heald/operations.hpp>
#include <heald/random.hpp>
#include <heald/stream.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace heald {
namespace {

template <class T>
std::vector<T> fetched(const Array& x) {
    std::vector<T> all(static_cast<std::size_t>(x.size()));
    const Shape strides = c_strides(x.shape(), sizeof(T));
    x.copy_to_host(all.data(), {strides.data(), strides.size()});
    return all;
}

TEST(Random, KnownAnswers) {
    const Generator source(
        Generator::State{0x299F31D0A4093822, 0x0370734413198A2E, 0x85A308D3243F6A88});
    const auto words = fetched<std::uint32_t>(source.draw("words", Shape{4}, DType::uint32, {}));
    EXPECT_EQ(words, (std::vector<std::uint32_t>{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
}

TEST(Random, FusedOrNot) {
    const Array alone = Generator(7).standard_normal({1000});
    evaluate({alone});
    const auto fused = fetched<double>(Generator(7).standard_normal({1000}) * 2.0);
    const auto values = fetched<double>(alone);
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(fused[i], values[i] * 2.0);
}

TEST(Random, IntegersReachTheirBounds) {
    const Generator source(3);
    const auto x = fetched<std::int64_t>(source.integers(-2, 2, {500}));
    std::vector<int> seen(5);
    for (const std::int64_t value : x) ++seen.at(static_cast<std::size_t>(value + 2));
    for (const int count : seen) EXPECT_GT(count, 50);
    EXPECT_EQ(source.state().position, 125U);
    EXPECT_THROW((void)source.integers(2, 1, {3}), Error);
}

TEST(Random, CopiesAreOneSequence) {
    const Generator source(3);
    const Generator copy = source;
    (void)copy.random({8});
    EXPECT_EQ(source.state().position, 4U);
    EXPECT_NE(source.jumped().state(), source.state());
    EXPECT_THROW((void)source.draw("cauchy", Shape{3}, DType::float32, {}), Error);
}

}  // namespace
}  // namespace heald
