// The simulated caches: what hits where, access by access.
#include "db/analyses/cache_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "db/analyses/access_lanes.h"
#include "db/analyses/cache_simulation.h"

namespace cui::db {
namespace {

using format::Kind;

/// 2 multiprocessors with 32 KiB of L1 (16 sets of 16 lines), each for 2 blocks and 128 threads at a time; 64
/// KiB of L2.
constexpr GpuPreset small = {"small", "small", 2, 32, 64, 1000, 1000, 128, 2};

/// `lanes` lanes of 4 bytes from `address` on.
AccessRecord record(std::uint64_t address, unsigned lanes = 1, std::uint32_t block = 0) {
  AccessRecord made;
  made.address = address;
  made.mask = static_cast<std::uint32_t>((std::uint64_t{1} << lanes) - 1);
  made.bytes = 4;
  made.stride = 4;
  made.block = block;
  made.flags = format::makeFlags(format::RecordType::access, format::AddressForm::affine,
                                 format::Space::global, false);
  for (unsigned lane = 0; lane < lanes; ++lane) made.lane[lane] = address + 4 * lane;
  return made;
}

std::vector<std::uint64_t> access(CacheModel& model, const AccessRecord& record, Kind kind) {
  std::vector<std::uint64_t> sectors;
  eachSector(record, [&](std::uint64_t sector) { sectors.push_back(sector); });
  const CacheTraffic traffic = model.access(record.block, sectors, kind);
  return {traffic.sectors, traffic.l1Hits, traffic.l2Hits, traffic.dram};
}
using Counts = std::vector<std::uint64_t>;

TEST(CacheModel, SectorsAreFilledOneByOne) {
  CacheModel model(small);
  model.beginLaunch(0);
  EXPECT_EQ(access(model, record(0), Kind::load), (Counts{1, 0, 0, 1}));
  EXPECT_EQ(access(model, record(28), Kind::load), (Counts{1, 1, 0, 0}));      // the same sector
  EXPECT_EQ(access(model, record(32), Kind::load), (Counts{1, 0, 0, 1}));      // the line's next one
  EXPECT_EQ(access(model, record(0, 32), Kind::load), (Counts{4, 2, 0, 2}));   // the whole line
  EXPECT_EQ(access(model, record(16, 32), Kind::load), (Counts{5, 4, 0, 1}));  // one more
}

TEST(CacheModel, MultiprocessorsHaveAnL1EachAndShareL2) {
  CacheModel model(small);
  model.beginLaunch(0);
  EXPECT_EQ(access(model, record(0, 1, 0), Kind::load), (Counts{1, 0, 0, 1}));
  EXPECT_EQ(access(model, record(0, 1, 1), Kind::load), (Counts{1, 0, 1, 0}));  // block 1 is on the other
  EXPECT_EQ(access(model, record(0, 1, 2), Kind::load), (Counts{1, 1, 0, 0}));  // block 2 on the first again
  model.beginLaunch(0);
  EXPECT_EQ(access(model, record(0, 1, 0), Kind::load), (Counts{1, 0, 1, 0}));  // L2 keeps what it has
  model.beginLaunch(0, true);
  EXPECT_EQ(access(model, record(0, 1, 0), Kind::load), (Counts{1, 0, 0, 1}));  // unless it is emptied
}

TEST(CacheModel, StoresGoThroughL1) {
  CacheModel model(small);
  model.beginLaunch(0);
  EXPECT_EQ(access(model, record(0), Kind::store), (Counts{1, 0, 0, 1}));
  EXPECT_EQ(access(model, record(0), Kind::store), (Counts{1, 0, 1, 0}));
  EXPECT_EQ(access(model, record(0), Kind::load), (Counts{1, 0, 1, 0}));  // a store does not fill L1
  EXPECT_EQ(access(model, record(0), Kind::load), (Counts{1, 1, 0, 0}));
  EXPECT_EQ(access(model, record(0), Kind::atomic), (Counts{1, 0, 1, 0}));
}

TEST(CacheModel, AStoreFindsTheLineThatAnotherTook) {
  CacheModel model(small);
  model.beginLaunch(0);
  const auto hits = [&](std::vector<std::uint64_t> sectors) {
    return model.access(0, sectors, Kind::store).l1StoreHits;
  };
  EXPECT_EQ(hits({0, 1}), 0u);     // one look for both
  EXPECT_EQ(hits({2}), 1u);        // the line's third sector
  EXPECT_EQ(hits({3, 4, 5}), 1u);  // its fourth, and two of the next line
  EXPECT_EQ(model.access(0, std::vector<std::uint64_t>{6}, Kind::load).l1Hits, 0u);  // no data in it
}

TEST(CacheModel, HitRatesAreNsightsWhereEveryStoreHitsL2) {
  CacheTraffic traffic;
  EXPECT_EQ(traffic.l1HitRate(), 0);
  EXPECT_EQ(traffic.l2HitRate(), 0);
  // y[i] += x[i]: both loads miss, the store finds its sector in L1 and is L2's third sector.
  CacheModel model(small);
  model.beginLaunch(0);
  const std::uint64_t x[] = {0}, y[] = {100};
  traffic += model.access(0, x, Kind::load);
  traffic += model.access(0, y, Kind::rmw);
  EXPECT_EQ(traffic.l1StoreHits, 1u);
  EXPECT_EQ(traffic.l2Hits, 1u);  // the load of y brought it
  EXPECT_DOUBLE_EQ(traffic.l1HitRate(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(traffic.l2HitRate(), 1.0 / 3);
  const std::uint64_t z[] = {200};
  traffic += model.access(0, z, Kind::store);
  EXPECT_EQ(traffic.dramStores, 1u);
  EXPECT_DOUBLE_EQ(traffic.l1HitRate(), 1.0 / 4);
  EXPECT_DOUBLE_EQ(traffic.l2HitRate(), 2.0 / 4);
}

TEST(CacheModel, AReadModifyWriteIsALoadAndAStore) {
  CacheModel model(small);
  model.beginLaunch(0);
  EXPECT_EQ(access(model, record(0, 32), Kind::rmw), (Counts{8, 0, 4, 4}));
  EXPECT_EQ(access(model, record(0, 32), Kind::rmw), (Counts{8, 4, 4, 0}));
  EXPECT_EQ(access(model, record(0, 32), Kind::copy), (Counts{4, 4, 0, 0}));
}

TEST(CacheModel, WhatWasUsedLeastRecentlyGoesFirst) {
  // 16 KiB of L1 are left beside 16 KiB of shared memory: 128 lines. A stream of 4096 lines leaves nothing in
  // either cache of what came first; a line that is used again and again stays.
  CacheModel model(small);
  model.beginLaunch(16 << 10);
  access(model, record(0), Kind::load);
  for (std::uint64_t line = 1; line < 4096; ++line) {
    access(model, record(128 * line), Kind::load);
    EXPECT_EQ(access(model, record(0), Kind::load), (Counts{1, 1, 0, 0})) << line;
  }
  EXPECT_EQ(access(model, record(128), Kind::load), (Counts{1, 0, 0, 1}));
  EXPECT_EQ(access(model, record(128 * 4095), Kind::load), (Counts{1, 1, 0, 0}));
}

TEST(CacheModel, ACacheHoldsItsSize) {
  // 64 of L1's 256 lines, read twice: hashed sets may collide, but not so that a line gets lost at a quarter.
  CacheModel model(small);
  model.beginLaunch(0);
  for (std::uint64_t line = 0; line < 64; ++line) access(model, record(128 * line, 32), Kind::load);
  std::uint64_t hits = 0;
  for (std::uint64_t line = 0; line < 64; ++line)
    hits += access(model, record(128 * line, 32), Kind::load)[1];
  EXPECT_EQ(hits, 64u * 4);
}

class Simulation : public testing::Test {
 protected:
  void begin(std::uint32_t blocks, std::uint32_t threads = 32) {
    launch_.grid = {blocks, 1, 1};
    launch_.block = {threads, 1, 1};
    simulation_.beginLaunch(launch_, 0);
  }
  /// One sector of `line`.
  void load(std::uint32_t block, std::uint64_t line, std::uint32_t tag = 0, std::uint8_t warp = 0) {
    AccessRecord made = record(128 * line, 1, block);
    made.warp = warp;
    simulation_.add(made, made.lane, Kind::load, tag);
  }
  Counts end() {
    simulation_.endLaunch();
    return {total_.sectors, total_.l1Hits, total_.l2Hits, total_.dram};
  }
  Launch launch_;
  CacheTraffic total_;
  std::vector<std::uint32_t> order_;
  CacheSimulation simulation_{small, 1 << 20, [this](std::uint32_t tag, const CacheTraffic& traffic) {
                                total_ += traffic;
                                order_.push_back(tag);
                              }};
};

TEST_F(Simulation, BlocksAreSpreadOverTheMultiprocessors) {
  begin(4);
  for (std::uint32_t block = 0; block < 4; ++block) load(block, 7);
  // Block 0 fetches the line, 1 finds it in L2, 2 and 3 in the L1 of 0 and of 1.
  EXPECT_EQ(end(), (Counts{4, 2, 1, 1}));
}

TEST_F(Simulation, WarpsTakeTurns) {
  begin(1, 64);
  for (std::uint32_t i = 0; i < 3; ++i)
    load(0, i, 10 + i, 0);  // as a GPU's trace may have them: warp by warp
  for (std::uint32_t i = 0; i < 3; ++i) load(0, i, 20 + i, 1);
  EXPECT_EQ(end(), (Counts{6, 3, 0, 3}));
  EXPECT_EQ(order_, (std::vector<std::uint32_t>{10, 20, 11, 21, 12, 22}));
}

TEST_F(Simulation, ABlockThatEndsMakesRoom) {
  // 128 threads: one block at a time. Block 0 has one access, block 1 five: 2 and 3 follow 0.
  begin(4, 128);
  load(0, 0, 0);
  for (int i = 0; i < 5; ++i) load(1, 1, 1);
  load(2, 0, 2);
  load(3, 0, 3);
  EXPECT_EQ(end(), (Counts{8, 2 + 4, 0, 2}));
  EXPECT_EQ(order_, (std::vector<std::uint32_t>{0, 1, 2, 1, 3, 1, 1, 1}));
}

TEST_F(Simulation, SharedMemoryLimitsTheBlocksAtATime) {
  launch_.grid = {4, 1, 1};
  launch_.block = {32, 1, 1};
  simulation_.beginLaunch(launch_, 20 << 10);  // of 32 KiB
  for (std::uint32_t block = 0; block < 4; ++block)
    for (int i = 0; i < 2; ++i) load(block, block, block);
  end();
  EXPECT_EQ(order_, (std::vector<std::uint32_t>{0, 1, 0, 1, 2, 3, 2, 3}));
}

/// The same accesses, recorded in another order of blocks and warps, hit the same.
TEST_F(Simulation, TheOrderOfRecordingDoesNotMatter) {
  struct Each {
    std::uint32_t block, warp;
    std::vector<std::uint64_t> lines;
  };
  std::mt19937 random(2);
  std::vector<Each> warps;
  for (std::uint32_t block = 0; block < 20; ++block)
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      warps.push_back({block, warp, {}});
      for (unsigned count = random() % 30; count > 0; --count) warps.back().lines.push_back(random() % 700);
    }
  std::vector<Counts> results;
  for (int round = 0; round < 3; ++round) {
    CacheTraffic total;
    CacheSimulation simulation(small, 1 << 20,
                               [&](std::uint32_t, const CacheTraffic& traffic) { total += traffic; });
    launch_.grid = {20, 1, 1};
    launch_.block = {64, 1, 1};
    simulation.beginLaunch(launch_, 0);
    for (const Each& each : warps)
      for (const std::uint64_t line : each.lines) {
        AccessRecord made = record(128 * line, 1, each.block);
        made.warp = static_cast<std::uint8_t>(each.warp);
        simulation.add(made, made.lane, Kind::load, 0);
      }
    simulation.endLaunch();
    results.push_back({total.sectors, total.l1Hits, total.l2Hits, total.dram});
    std::shuffle(warps.begin(), warps.end(), random);
  }
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
  EXPECT_GT(results[0][1], 0u);
}

TEST_F(Simulation, LargeLaunchesGoInParts) {
  CacheTraffic total;
  CacheSimulation simulation(small, 1000,
                             [&](std::uint32_t, const CacheTraffic& traffic) { total += traffic; });
  launch_.grid = {4, 1, 1};
  launch_.block = {32, 1, 1};
  simulation.beginLaunch(launch_, 0);
  for (std::uint32_t i = 0; i < 400; ++i) {
    const AccessRecord made = record(128 * 5, 1, i % 4);
    simulation.add(made, made.lane, Kind::load, 0);
  }
  EXPECT_GT(total.sectors, 0u);
  simulation.endLaunch();
  EXPECT_EQ((Counts{total.sectors, total.l1Hits, total.l2Hits, total.dram}), (Counts{400, 398, 1, 1}));
}

}  // namespace
}  // namespace cui::db
