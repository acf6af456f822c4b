// The simulated caches: what hits where, access by access.
#include "db/analyses/cache_model.h"

#include <gtest/gtest.h>

#include <vector>

namespace cui::db {
namespace {

using format::Kind;

/// 2 multiprocessors with 32 KiB of L1 (16 sets of 16 lines), and 64 KiB of L2.
constexpr GpuPreset small = {"small", "small", 2, 32, 64, 1000, 1000};

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
  const CacheTraffic traffic = model.access(record, record.lane, kind);
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

}  // namespace
}  // namespace cui::db
