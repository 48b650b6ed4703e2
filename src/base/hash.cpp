#include "src/base/hash.hpp"

#include <bit>

namespace heald {
namespace {

constexpr std::uint64_t c1 = 0x87c37b91114253d5ULL;
constexpr std::uint64_t c2 = 0x4cf5ad432745937fULL;

std::uint64_t load(const char* from) noexcept {
    std::uint64_t value;
    std::memcpy(&value, from, sizeof value);
    if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
    return value;
}

std::uint64_t scramble1(std::uint64_t k) noexcept {
    return std::rotl(k * c1, 31) * c2;
}
std::uint64_t scramble2(std::uint64_t k) noexcept {
    return std::rotl(k * c2, 33) * c1;
}

std::uint64_t finish(std::uint64_t k) noexcept {
    k = (k ^ (k >> 33)) * 0xff51afd7ed558ccdULL;
    k = (k ^ (k >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return k ^ (k >> 33);
}

}  // namespace

Hash128 hash_bytes(std::string_view bytes, std::uint32_t seed) noexcept {
    std::uint64_t h1 = seed;
    std::uint64_t h2 = seed;
    const char* data = bytes.data();
    const char* const blocks_end = data + bytes.size() / 16 * 16;
    for (; data != blocks_end; data += 16) {
        h1 ^= scramble1(load(data));
        h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729;
        h2 ^= scramble2(load(data + 8));
        h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    std::array<char, 16> tail{};
    const std::size_t rest = bytes.size() % 16;
    if (rest != 0) std::memcpy(tail.data(), data, rest);
    if (rest > 8) h2 ^= scramble2(load(tail.data() + 8));
    if (rest > 0) h1 ^= scramble1(load(tail.data()));

    h1 ^= bytes.size();
    h2 ^= bytes.size();
    h1 += h2;
    h2 += h1;
    h1 = finish(h1);
    h2 = finish(h2);
    h1 += h2;
    h2 += h1;
    return {h1, h2};
}

std::string Hash128::hex() const {
    static constexpr char digits[] = "0123456789abcdef";
    std::string result(32, '0');
    for (int i = 0; i < 16; ++i) {
        result[static_cast<std::size_t>(15 - i)] = digits[(low >> (4 * i)) & 15];
        result[static_cast<std::size_t>(31 - i)] = digits[(high >> (4 * i)) & 15];
    }
    return result;
}

}  // namespace heald
