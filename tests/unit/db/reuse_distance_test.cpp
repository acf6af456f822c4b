// The tree against the definition.
#include "db/analyses/reuse_distance.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace cui::db {
namespace {

constexpr std::uint64_t memoryBytes = 64 << 20;

/// The cells used since, counted one by one.
std::uint64_t counted(const std::vector<std::uint64_t>& uses, std::size_t at) {
  std::set<std::uint64_t> between;
  for (std::size_t i = at; i-- > 0;) {
    if (uses[i] == uses[at]) return between.size();
    between.insert(uses[i]);
  }
  return ReuseDistance::never;
}

TEST(ReuseDistance, IsTheNumberOfOtherCellsInBetween) {
  std::mt19937 random(5);
  std::vector<std::uint64_t> uses;
  ReuseDistance distance(memoryBytes);
  for (int i = 0; i < 3000; ++i) {
    uses.push_back(0x700000000 + (random() % 3 == 0 ? random() % 500 : random() % 20));
    ASSERT_EQ(distance.use(uses.back()), counted(uses, uses.size() - 1)) << i;
  }
}

TEST(ReuseDistance, KeepsCountingWhenItsTimesAreUsedUp) {
  // A loop over 1,000 cells: 999 others in between, however often it runs. 300,000 uses are more times than
  // the tree begins with.
  ReuseDistance distance(memoryBytes);
  for (std::uint64_t i = 0; i < 300'000; ++i)
    ASSERT_EQ(distance.use(i % 1000), i < 1000 ? ReuseDistance::never : 999) << i;
}

TEST(ReuseDistance, ForgetsAtOnce) {
  ReuseDistance distance(memoryBytes);
  distance.use(7);
  distance.clear();
  EXPECT_EQ(distance.use(7), ReuseDistance::never);
  EXPECT_EQ(distance.use(7), 0u);
}

TEST(ReuseDistance, CellsBeyondItsMemoryAreNew) {
  ReuseDistance distance(4096);  // one page of 1,024 cells
  EXPECT_EQ(distance.use(1), ReuseDistance::never);
  EXPECT_EQ(distance.use(5000), ReuseDistance::never);
  EXPECT_EQ(distance.use(5000), ReuseDistance::never);
  EXPECT_EQ(distance.use(1), 0u);
  EXPECT_TRUE(distance.full());
}

}  // namespace
}  // namespace cui::db
