#include "db/store/ordered_work.h"

#include <gtest/gtest.h>

namespace cui::db {
namespace {

struct Doubling {
  void operator()(int& job) const {
    if (job < 0) throw std::runtime_error("negative");
    job *= 2;
  }
};

class Threads : public testing::TestWithParam<unsigned> {};

TEST_P(Threads, HandBackJobsInOrder) {
  OrderedWork<int, Doubling> work(GetParam());
  std::exception_ptr failure;
  for (int i = 0; i < 100; ++i) {
    work.submit(i % 10 == 3 ? -1 : i);
    if (i % 3 != 0) continue;
    const int oldest = i - static_cast<int>(work.count()) + 1;
    EXPECT_EQ(work.take(failure), oldest % 10 == 3 ? -1 : 2 * oldest);
    EXPECT_EQ(failure != nullptr, oldest % 10 == 3);
  }
  while (work.count() != 0) work.take(failure);
  EXPECT_FALSE(work.ready());
}

/// To look through those that have been started for each that is next would take minutes.
TEST_P(Threads, TakeManyThatWait) {
  constexpr int many = 300'000;
  OrderedWork<int, Doubling> work(GetParam());
  for (int i = 0; i < many; ++i) work.submit(i);
  std::exception_ptr failure;
  for (int i = 0; i < many; ++i) ASSERT_EQ(work.take(failure), 2 * i);
}

INSTANTIATE_TEST_SUITE_P(OrderedWork, Threads, testing::Values(0u, 1u, 3u));

}  // namespace
}  // namespace cui::db
