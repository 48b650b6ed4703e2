#include "src/array/random/seed.hpp"

#include <array>
#include <cstddef>

namespace heald::array {
namespace {

constexpr std::size_t pool_size = 4;
using Pool = std::array<std::uint32_t, pool_size>;

class Hash {
public:
    Hash(std::uint32_t start, std::uint32_t factor) : constant_(start), factor_(factor) {}

    std::uint32_t operator()(std::uint32_t value) {
        value ^= constant_;
        constant_ *= factor_;
        value *= constant_;
        return value ^ value >> 16;
    }

private:
    std::uint32_t constant_, factor_;
};

std::uint32_t mixed(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t result = 0xCA01F9DDU * x - 0x4973F715U * y;
    return result ^ result >> 16;
}

}  // namespace

std::uint64_t key_from_entropy(std::span<const std::uint32_t> entropy) {
    Hash hash(0x43B0D7E5U, 0x931E8875U);
    Pool pool{};
    for (std::size_t i = 0; i < pool_size; ++i) pool[i] = hash(i < entropy.size() ? entropy[i] : 0);
    for (std::size_t from = 0; from < pool_size; ++from)
        for (std::size_t to = 0; to < pool_size; ++to)
            if (from != to) pool[to] = mixed(pool[to], hash(pool[from]));
    for (std::size_t from = pool_size; from < entropy.size(); ++from)
        for (std::uint32_t& word : pool) word = mixed(word, hash(entropy[from]));
    Hash out(0x8B51F9DDU, 0x58F38DEDU);
    const std::uint64_t low = out(pool[0]);
    return low | static_cast<std::uint64_t>(out(pool[1])) << 32;
}

}  // namespace heald::array
