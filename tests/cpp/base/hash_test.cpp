#include "src/base/hash.hpp"

#include <gtest/gtest.h>
#include <set>

namespace heald {
namespace {

// Published vectors of MurmurHash3_x64_128 (seed 0).
TEST(Hash, AgreesWithPublishedValues) {
    EXPECT_EQ(hash_bytes("").low, 0u);
    EXPECT_EQ(hash_bytes("hello").low, 0xcbd8a7b341bd9b02ULL);
    EXPECT_EQ(hash_bytes("hello").high, 0x5b1e906a48ae1d19ULL);
    const auto fox = hash_bytes("The quick brown fox jumps over the lazy dog");
    EXPECT_EQ(fox.low, 0xe34bbc7bbc071b6cULL);
    EXPECT_EQ(fox.high, 0x7a433ca9c49a9347ULL);
}

TEST(Hash, EveryLengthAndByteMatters) {
    std::set<std::string> seen;
    std::string bytes;
    for (int length = 0; length < 80; ++length) {
        EXPECT_TRUE(seen.insert(hash_bytes(bytes).hex()).second) << length;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            std::string changed = bytes;
            changed[i] ^= 1;
            EXPECT_NE(hash_bytes(changed), hash_bytes(bytes)) << length << " " << i;
        }
        bytes += static_cast<char>(length * 7);
    }
}

TEST(Hash, KeysKeepFieldsApart) {
    EXPECT_NE(KeyBuilder().add("ab").add("c").hash(), KeyBuilder().add("a").add("bc").hash());
    EXPECT_NE(KeyBuilder().add("").add("a").hash(), KeyBuilder().add("a").add("").hash());
    EXPECT_EQ(KeyBuilder().add("ab").hash(), KeyBuilder().add("ab").hash());
}

TEST(Hash, HexIsThirtyTwoDigits) {
    EXPECT_EQ((Hash128{0x1, 0xab}).hex(), "000000000000000100000000000000ab");
}

}  // namespace
}  // namespace heald
