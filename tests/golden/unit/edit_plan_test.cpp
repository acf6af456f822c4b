// The edit plan: order of texts at one offset, nesting, refusal of partial overlaps.
#include "edit/edit_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace cui::edit {
namespace {

TEST(EditPlan, AnEmptyPlanGivesTheOriginal) {
  const EditPlan plan("a\nb");
  EXPECT_TRUE(plan.empty());
  EXPECT_EQ(plan.apply(), "a\nb");
}

TEST(EditPlan, NestedRangesThatBeginTogetherOpenOutermostFirst) {
  // p->a, p->a.b and p->a.b[i] begin in one column; the order of adding does not matter.
  std::vector<int> order = {0, 1, 2};
  do {
    EditPlan plan("p->a.b[i];");
    const std::size_t ends[] = {4, 6, 9};
    for (const int i : order) ASSERT_TRUE(plan.wrap(0, ends[i], std::to_string(i) + "(", ")"));
    EXPECT_EQ(plan.apply(), "2(1(0(p->a).b)[i]);");
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(EditPlan, NestedRangesThatEndTogetherCloseInnermostFirst) {
  EditPlan plan("*a[i]");
  ASSERT_TRUE(plan.wrap(1, 5, "x(", ")x"));
  ASSERT_TRUE(plan.wrap(0, 5, "y(", ")y"));
  EXPECT_EQ(plan.apply(), "y(*x(a[i])x)y");
}

TEST(EditPlan, OfEqualRangesTheFirstAddedIsInnermost) {
  EditPlan plan("f(a)");
  ASSERT_TRUE(plan.wrap(2, 3, "inner(", ")"));
  ASSERT_TRUE(plan.wrap(2, 3, "middle(", ")"));
  ASSERT_TRUE(plan.wrap(2, 3, "outer(", ")"));
  EXPECT_EQ(plan.apply(), "f(outer(middle(inner(a))))");
}

TEST(EditPlan, NeighboursCloseBeforeTheyOpen) {
  EditPlan plan("ab");
  ASSERT_TRUE(plan.wrap(1, 2, "(", ")"));
  ASSERT_TRUE(plan.wrap(0, 1, "[", "]"));
  EXPECT_EQ(plan.apply(), "[a](b)");
}

TEST(EditPlan, PointsStandBetweenClosingsAndOpenings) {
  EditPlan plan("ab");
  ASSERT_TRUE(plan.insert(1, ",", 1));
  ASSERT_TRUE(plan.insert(1, ";"));
  ASSERT_TRUE(plan.insert(1, ".", 1));
  ASSERT_TRUE(plan.wrap(1, 2, "(", ")"));
  ASSERT_TRUE(plan.wrap(0, 1, "[", "]"));
  ASSERT_TRUE(plan.insert(0, "^"));
  ASSERT_TRUE(plan.insert(2, "$"));
  EXPECT_EQ(plan.apply(), "^[a];,.(b)$");
}

TEST(EditPlan, TextThatWouldFuseWithANameIsSeparated) {
  for (const std::string before : {"return", "return/**/"}) {
    EditPlan plan(before + "*p");
    ASSERT_TRUE(plan.wrap(before.size(), before.size() + 2, "f(", ")"));
    ASSERT_TRUE(plan.wrap(before.size(), before.size() + 2, "g(", ")"));
    EXPECT_EQ(plan.apply(), before + "/**/g(f(*p))");
  }
}

TEST(EditPlan, RefusesPartialOverlapEmptyAndOutside) {
  EditPlan plan("0123456789");
  ASSERT_TRUE(plan.wrap(2, 6, "(", ")"));
  EXPECT_FALSE(plan.wrap(0, 4, "x", "x"));
  EXPECT_FALSE(plan.wrap(4, 8, "x", "x"));
  EXPECT_FALSE(plan.wrap(3, 3, "x", "x"));
  EXPECT_FALSE(plan.wrap(8, 11, "x", "x"));
  EXPECT_FALSE(plan.insert(11, "x"));
  EXPECT_EQ(plan.apply(), "01(2345)6789");
}

// Against the definition: whatever the order of adding, exactly the ranges that cross an accepted one are
// refused, and the closings and openings of the result pair up as brackets.
TEST(EditPlan, RandomRangesNestOrAreRefused) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::string original(20, '.');
    EditPlan plan(original);
    std::vector<std::pair<std::size_t, std::size_t>> accepted;
    for (int i = 0; i < 25; ++i) {
      const std::size_t begin = random() % 20;
      const std::size_t end = begin + 1 + random() % (20 - begin);
      const bool crosses = std::any_of(accepted.begin(), accepted.end(), [&](const auto& other) {
        return (begin < other.first && other.first < end && end < other.second) ||
               (other.first < begin && begin < other.second && other.second < end);
      });
      ASSERT_EQ(plan.wrap(begin, end, "<", ">"), !crosses);
      if (!crosses) accepted.emplace_back(begin, end);
    }
    std::vector<std::size_t> open;
    std::vector<std::pair<std::size_t, std::size_t>> found;
    std::size_t offset = 0;
    for (const char c : plan.apply()) {
      if (c == '<') {
        open.push_back(offset);
      } else if (c == '>') {
        ASSERT_FALSE(open.empty());
        found.emplace_back(open.back(), offset);
        open.pop_back();
      } else {
        ++offset;
      }
    }
    std::sort(found.begin(), found.end());
    std::sort(accepted.begin(), accepted.end());
    EXPECT_EQ(found, accepted);
  }
}

}  // namespace
}  // namespace cui::edit
