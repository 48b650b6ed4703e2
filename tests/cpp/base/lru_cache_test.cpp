#include "src/base/lru_cache.hpp"

#include <gtest/gtest.h>
#include <string>

namespace heald {
namespace {

TEST(LruCache, LeastRecentlyUsedGoesFirst) {
    LruCache<int, std::string> cache(2);
    cache.insert(1, "one");
    cache.insert(2, "two");
    ASSERT_NE(cache.find(1), nullptr);
    cache.insert(3, "three");
    EXPECT_EQ(cache.find(2), nullptr);
    ASSERT_NE(cache.find(1), nullptr);
    EXPECT_EQ(*cache.find(1), "one");
    EXPECT_EQ(*cache.find(3), "three");
    EXPECT_EQ(cache.size(), 2u);
}

TEST(LruCache, CostsAreBounded) {
    LruCache<int, int> cache(10);
    cache.insert(1, 1, 4);
    cache.insert(2, 2, 4);
    cache.insert(3, 3, 6);
    EXPECT_EQ(cache.find(1), nullptr);
    EXPECT_EQ(cache.cost(), 10u);
    cache.insert(4, 4, 11);
    EXPECT_EQ(cache.find(4), nullptr);
    EXPECT_EQ(cache.size(), 2u);
    cache.insert(2, 22, 1);
    EXPECT_EQ(*cache.find(2), 22);
    EXPECT_EQ(cache.cost(), 7u);
    cache.clear();
    EXPECT_EQ(cache.cost(), 0u);
}

TEST(LruCache, GivesBackWhatHadToGo) {
    LruCache<int, std::string> cache(2);
    EXPECT_TRUE(cache.insert(1, "one").empty());
    EXPECT_TRUE(cache.insert(2, "two").empty());
    EXPECT_NE(cache.find(1), nullptr);
    EXPECT_EQ(cache.insert(3, "three"), std::vector<std::string>{"two"});
    cache.set_capacity(1);
    EXPECT_EQ(cache.shrink(cache.capacity()), std::vector<std::string>{"one"});
    EXPECT_EQ(cache.size(), 1U);
    cache.set_capacity(0);
    EXPECT_EQ(cache.shrink(0), std::vector<std::string>{"three"});
    EXPECT_TRUE(cache.insert(4, "four").empty());
    EXPECT_EQ(cache.find(4), nullptr);
}

}  // namespace
}  // namespace heald
