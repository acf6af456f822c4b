// What a GPU's sums become in the trace, by numbers worked out by hand.
#include "hostlib/profile.h"

#include <gtest/gtest.h>

namespace cui::hostlib {
namespace {

/// Ten accesses of whole warps to neighbouring words that begin in the middle of a sector: 5 sectors where 4
/// would do. Two of 16 lanes that all want one word.
CuiProfile memory() {
  CuiProfile p = {};
  p.launchKey = 7;
  p.site = 3;
  p.sums[0] = {12,   10 * 128 + 2 * 64,   10, 32, 2 * (std::uint64_t{32} - 64), 2 * 60,
               1999, ~std::uint64_t{1000}};
  return p;
}

TEST(Profile, SectorsBytesAndLanes) {
  const db::AccessTotals t = totalsOf(memory());
  EXPECT_EQ(t.site, 3u);
  EXPECT_EQ(t.requests, 12u);
  EXPECT_EQ(t.threadAccesses, 10u * 32 + 2 * 16);
  EXPECT_EQ(t.bytes, 10u * 128 + 2 * 64);
  EXPECT_EQ(t.idealSectors, 10u * 4 + 2);
  EXPECT_EQ(t.sectors, 10u * 5 + 2);
  EXPECT_EQ(t.usefulBytes, 10u * 128 + 2 * 4);
  EXPECT_EQ(t.sectorRequests, 12u);
  EXPECT_EQ(t.wavefrontRequests, 0u);
  EXPECT_EQ(t.minAddress, 1000u);
  EXPECT_EQ(t.maxAddress, 1999u);
}

TEST(Profile, SharedMemoryInWavefronts) {
  CuiProfile p = {};
  // Three accesses of four-way conflicts, and one of eight bytes a lane, which takes two passes at best.
  p.sums[1] = {4, 3 * 128 + 256, 9, 0, 1, 0, 4095, ~std::uint64_t{16}};
  const db::AccessTotals t = totalsOf(p);
  EXPECT_EQ(t.requests, 4u);
  EXPECT_EQ(t.threadAccesses, 128u);
  EXPECT_EQ(t.wavefrontRequests, 4u);
  EXPECT_EQ(t.idealWavefronts, 5u);
  EXPECT_EQ(t.wavefronts, 14u);
  EXPECT_EQ(t.sectorRequests, 0u);
  EXPECT_EQ(t.sectors, 0u);
  EXPECT_EQ(t.minAddress, 16u);
  EXPECT_EQ(t.maxAddress, 4095u);
}

// Constant memory costs neither; its requests are noted beside the shared sums.
TEST(Profile, ConstantMemoryCostsNothing) {
  CuiProfile p = {};
  p.sums[0] = {2, 256, 0, 0, std::uint64_t{0} - 256, 256, 5003, ~std::uint64_t{5000}};
  p.sums[1].uselessBytes = 2;
  const db::AccessTotals t = totalsOf(p);
  EXPECT_EQ(t.requests, 2u);
  EXPECT_EQ(t.bytes, 256u);
  EXPECT_EQ(t.sectorRequests, 0u);
  EXPECT_EQ(t.sectors, 0u);
  EXPECT_EQ(t.usefulBytes, 0u);
  EXPECT_EQ(t.wavefrontRequests, 0u);
  EXPECT_EQ(t.maxAddress, 5003u);
}

TEST(Profile, PartsAddUp) {
  CuiProfile sums = memory();
  CuiProfile more = memory();
  more.sums[0].high = 4000;
  addProfile(sums, more);
  const db::AccessTotals t = totalsOf(sums);
  EXPECT_EQ(t.requests, 24u);
  EXPECT_EQ(t.sectors, 2u * 52);
  EXPECT_EQ(t.minAddress, 1000u);
  EXPECT_EQ(t.maxAddress, 4000u);
}

}  // namespace
}  // namespace cui::hostlib
