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
  room.wasRead(std::size_t{12} * launches, size);
  room.isEmpty();
  EXPECT_EQ(launchesUntilFull(room), size / 4 / 12 + 1);
}

/// Reading takes as long as some launches do.
TEST(CounterRoom, IsNotReadBeforeEachLaunch) {
  CounterRoom room = {};
  const unsigned int launches = launchesUntilFull(room);
  room.wasRead(std::size_t{10000} * launches, size);
  room.isEmpty();
  EXPECT_EQ(launchesUntilFull(room), CounterRoom::least + 1);
}

/// Records wait beside the counts.
TEST(CounterRoom, OfLaunchesThatCountLittleIsReadNowAndThen) {
  for (const std::size_t each : {0, 1, 3}) {
    CounterRoom room = {};
    const unsigned int launches = launchesUntilFull(room);
    room.wasRead(each * launches, size);
    room.isEmpty();
    EXPECT_EQ(launchesUntilFull(room), CounterRoom::most + 1);
  }
}

/// What has been read and is not cleared, as there is much room left, counts on.
TEST(CounterRoom, CountsOnWhereItIsNotCleared) {
  CounterRoom room = {};
  const unsigned int launches = launchesUntilFull(room);
  room.wasRead(std::size_t{16} * launches, size);
  EXPECT_EQ(launches + launchesUntilFull(room), size / 4 / 16 + 1);
}

TEST(CounterRoom, WaitsForABusyDeviceAfterTwiceAsManyEachTime) {
  CounterRoom room = {};
  launchesUntilFull(room);
  for (unsigned int after = CounterRoom::retries; after < 1000; after *= 2) {
    room.wasBusy();
    EXPECT_EQ(launchesUntilFull(room), after);
  }
  room.isEmpty();
  EXPECT_EQ(launchesUntilFull(room), CounterRoom::first + 1);
}

}  // namespace
}  // namespace cui::backend
