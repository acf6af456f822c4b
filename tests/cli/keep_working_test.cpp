#include "cli/compile/keep_working.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace cui::cli {
namespace {

struct Search {
  std::vector<int> kept;
  int calls = 0;
};

/// Of 0 … count-1, where a set works unless it holds one of `bad`.
Search search(int count, const std::set<int>& bad) {
  std::vector<int> items(static_cast<std::size_t>(count));
  std::iota(items.begin(), items.end(), 0);
  Search result;
  const auto works = [&](const std::vector<int>& set) {
    ++result.calls;
    for (const int item : set)
      if (bad.count(item)) return false;
    return true;
  };
  result.kept = KeepWorking(items, works).run();
  return result;
}

TEST(KeepWorking, OneOfOneNeedsNoTry) {
  const Search found = search(1, {0});
  EXPECT_TRUE(found.kept.empty());
  EXPECT_EQ(found.calls, 0);
}

TEST(KeepWorking, NothingOfNothing) {
  EXPECT_TRUE(search(0, {}).kept.empty());
}

TEST(KeepWorking, OneOfTwo) {
  EXPECT_EQ(search(2, {0}).kept, std::vector<int>{1});
  EXPECT_EQ(search(2, {1}).kept, std::vector<int>{0});
  // {0} works, so {1} cannot: what failed was {0, 1}.
  EXPECT_EQ(search(2, {1}).calls, 1);
}

TEST(KeepWorking, SeveralCulprits) {
  EXPECT_EQ(search(7, {2, 3, 6}).kept, (std::vector<int>{0, 1, 4, 5}));
  EXPECT_TRUE(search(4, {0, 1, 2, 3}).kept.empty());
}

TEST(KeepWorking, OneCulpritAmongMany) {
  for (int bad = 0; bad < 64; ++bad) {
    const Search found = search(64, {bad});
    EXPECT_EQ(found.kept.size(), 63U);
    EXPECT_LE(found.calls, 12);  // two a halving, six halvings
  }
}

/// Two items that only together do not work: one of them stays.
TEST(KeepWorking, ItemsThatDoNotWorkTogether) {
  const std::vector<int> items{0, 1, 2, 3};
  const auto works = [](const std::vector<int>& set) {
    const std::set<int> all(set.begin(), set.end());
    return !(all.count(0) && all.count(3));
  };
  EXPECT_EQ(KeepWorking(items, works).run(), (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace cui::cli
