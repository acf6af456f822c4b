#include "cuinstrument/backend/cuda/counter_room.h"

#include <gtest/gtest.h>

namespace cui::backend {
namespace {

constexpr std::size_t size = 1u << 18;

/// Launches until the table is to be read.
unsigned int launchesUntilFull(CounterRoom& room) {
  for (unsigned int i = 1; i < size * 2; ++i)
    if (room.isFilledBy()) return i;
  return 0;
}

TEST(CounterRoom, IsReadEarlyUntilItIsKnownWhatLaunchesTake) {
  CounterRoom room = {};
  EXPECT_EQ(launchesUntilFull(room), CounterRoom::first + 1);
}

TEST(CounterRoom, HasAQuarterOfTheTableInUse) {
  CounterRoom room = {};
  const unsigned int launches = launchesUntilFull(room);
  room.wasRead(std::size_t{3} * launches, size);
  room.wasCleared();
  EXPECT_EQ(launchesUntilFull(room), size / 4 / 3 + 1);
}

/// Reading takes as long as some launches do.
TEST(CounterRoom, IsNotReadBeforeEachLaunch) {
  CounterRoom room = {};
  const unsigned int launches = launchesUntilFull(room);
  room.wasRead(std::size_t{10000} * launches, size);
  room.wasCleared();
  EXPECT_EQ(launchesUntilFull(room), CounterRoom::least + 1);
}

TEST(CounterRoom, OfLaunchesThatCountNothingIsNotReadAgain) {
  CounterRoom room = {};
  launchesUntilFull(room);
  room.wasRead(0, size);
  EXPECT_GT(launchesUntilFull(room), size - 1000);
}

/// What has been read and is not cleared, as there is much room left, counts on.
TEST(CounterRoom, CountsOnWhereItIsNotCleared) {
  CounterRoom room = {};
  const unsigned int launches = launchesUntilFull(room);
  room.wasRead(launches, size);
  EXPECT_EQ(launches + launchesUntilFull(room), size / 4 + 1);
}

TEST(CounterRoom, WaitsForABusyDeviceAfterTwiceAsManyEachTime) {
  CounterRoom room = {};
  launchesUntilFull(room);
  for (unsigned int after = CounterRoom::retries; after < 1000; after *= 2) {
    room.wasBusy();
    EXPECT_EQ(launchesUntilFull(room), after);
  }
  room.wasCleared();
  EXPECT_EQ(launchesUntilFull(room), CounterRoom::first + 1);
}

}  // namespace
}  // namespace cui::backend
