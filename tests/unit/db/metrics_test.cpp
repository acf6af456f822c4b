// The cost of single accesses: by hand, and random ones against the definitions.
#include "db/store/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <random>
#include <set>

namespace cui::db {

void PrintTo(const AccessCost& c, std::ostream* out) {
  *out << c.sectors << '/' << c.idealSectors << " sectors, " << c.wavefronts << '/' << c.idealWavefronts
       << " wavefronts, " << c.usefulBytes << " bytes";
}

namespace {

using format::Space;
constexpr std::uint32_t all = ~0u;

AccessCost globalCost(std::uint32_t sectors, std::uint32_t ideal, std::uint32_t useful) {
  return {sectors, ideal, 0, 0, useful};
}
AccessCost sharedCost(std::uint32_t wavefronts, std::uint32_t ideal) {
  return {0, 0, wavefronts, ideal, 0};
}

TEST(GlobalCost, ConsecutiveFloatsFillFourSectors) {
  // 32 lanes of 4 bytes from a multiple of 32: 128 bytes = 4 sectors.
  EXPECT_EQ(measureAffine(Space::global, 4, all, 1024, 4), globalCost(4, 4, 128));
  // From 4 bytes further, [1028, 1156) touches sectors 32 to 36: one more.
  EXPECT_EQ(measureAffine(Space::global, 4, all, 1028, 4), globalCost(5, 4, 128));
}

TEST(GlobalCost, AColumnTouchesASectorPerLane) {
  // Rows of 4096 bytes: 32 lanes, 32 sectors; 128 useful bytes would fit in 4.
  EXPECT_EQ(measureAffine(Space::global, 4, all, 0, 4096), globalCost(32, 4, 128));
  // The same downwards.
  EXPECT_EQ(measureAffine(Space::global, 4, all, 1 << 20, -4096), globalCost(32, 4, 128));
}

TEST(GlobalCost, EveryOtherFloatTouchesTwiceTheSectors) {
  // Stride 8: the last lane ends at 31 * 8 + 4 = 252: sectors 0 to 7.
  EXPECT_EQ(measureAffine(Space::global, 4, all, 0, 8), globalCost(8, 4, 128));
}

TEST(GlobalCost, ABroadcastIsOneSector) {
  EXPECT_EQ(measureAffine(Space::global, 4, all, 64, 0), globalCost(1, 1, 4));
  // 8 bytes across a sector boundary: two sectors, ideally one.
  EXPECT_EQ(measureAffine(Space::global, 8, all, 60, 0), globalCost(2, 1, 8));
}

TEST(GlobalCost, AWholeStructurePerLane) {
  // 28-byte particles one after the other: 32 * 28 = 896 bytes = 28 sectors, all useful.
  EXPECT_EQ(measureAffine(Space::global, 28, all, 0, 28), globalCost(28, 28, 896));
  // One float of each: still all 28 sectors (the last field begins at 31 * 28 = 868, sector 27).
  EXPECT_EQ(measureAffine(Space::global, 4, all, 0, 28), globalCost(28, 4, 128));
}

TEST(GlobalCost, InactiveLanesDoNotCount) {
  // Lanes 0 and 31 of consecutive floats: bytes 0-3 and 124-127, two sectors, 8 useful bytes.
  EXPECT_EQ(measureAffine(Space::global, 4, 0x80000001u, 0, 4), globalCost(2, 1, 8));
  // Lane 5 alone; the address is the lowest active lane's.
  EXPECT_EQ(measureAffine(Space::global, 4, 1u << 5, 96, 4), globalCost(1, 1, 4));
}

TEST(GlobalCost, IrregularLanesShareSectors) {
  // Lanes 0-15 read float 0, lanes 16-31 float 9 (byte 36, sector 1): 2 sectors, 8 useful bytes.
  std::array<std::uint64_t, 32> address{};
  for (std::size_t lane = 16; lane < 32; ++lane) address[lane] = 36;
  EXPECT_EQ(measureLanes(Space::global, 4, all, address.data()), globalCost(2, 1, 8));
}

TEST(SharedCost, ATileReadByColumns) {
  // float tile[32][32] by columns: stride 128 bytes = 32 words, every lane in bank 0: 32 passes.
  EXPECT_EQ(measureAffine(Space::shared, 4, all, 0, 128), sharedCost(32, 1));
  // tile[32][33]: stride 33 words, lane i in bank i: 1 pass.
  EXPECT_EQ(measureAffine(Space::shared, 4, all, 0, 132), sharedCost(1, 1));
}

TEST(SharedCost, AStrideOfFourWordsConflictsFourWays) {
  // Lanes fall into banks 0, 4, ..., 28: 8 banks, 4 distinct words each: 4 passes, 3 conflicts. 512
  // such requests have the 1,536 conflicts that the hardware counts.
  EXPECT_EQ(measureAffine(Space::shared, 4, all, 0, 16), sharedCost(4, 1));
}

TEST(SharedCost, OneWordForAllIsABroadcast) {
  EXPECT_EQ(measureAffine(Space::shared, 4, all, 64, 0), sharedCost(1, 1));
  // Bytes of the same words: 32 chars are 8 words in 8 banks.
  EXPECT_EQ(measureAffine(Space::shared, 1, all, 0, 1), sharedCost(1, 1));
}

TEST(SharedCost, WideLanesGoInHalvesAndQuarters) {
  // 32 doubles: two half warps of 16 * 2 = 32 words, each conflict-free.
  EXPECT_EQ(measureAffine(Space::shared, 8, all, 0, 8), sharedCost(2, 2));
  // 32 float4: four quarter warps.
  EXPECT_EQ(measureAffine(Space::shared, 16, all, 0, 16), sharedCost(4, 4));
  // doubles at stride 16: a half warp's 16 lanes use banks 0,1,4,5,…,28,29: 16 banks, 2 words each: 2 passes,
  // times 2.
  EXPECT_EQ(measureAffine(Space::shared, 8, all, 0, 16), sharedCost(4, 2));
  // Only the lower half active: one pass is ideal.
  EXPECT_EQ(measureAffine(Space::shared, 8, 0xffffu, 0, 8), sharedCost(1, 1));
}

TEST(SharedCost, AStructureGoesInPieces) {
  // float3: three 4-byte passes, each with stride 3 words, coprime to 32: conflict-free.
  EXPECT_EQ(measureAffine(Space::shared, 12, all, 0, 12), sharedCost(3, 3));
}

TEST(OtherSpaces, ConstantCostsNeither) {
  EXPECT_EQ(measureAffine(Space::constant, 4, all, 0, 4), AccessCost());
  EXPECT_EQ(measureAffine(Space::global, 0, all, 0, 4), AccessCost());
}

/// The definitions of docs/metrics.md, word for word and slowly.
AccessCost byDefinition(Space space, std::uint32_t bytes, std::uint32_t mask,
                        const std::array<std::uint64_t, 32>& address) {
  AccessCost cost;
  if (space == Space::global) {
    std::set<std::uint64_t> touched, sectors;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (std::uint32_t byte = 0; byte < bytes && (mask >> lane & 1); ++byte)
        touched.insert(address[lane] + byte);
    for (const std::uint64_t byte : touched) sectors.insert(byte / 32);
    return globalCost(static_cast<std::uint32_t>(sectors.size()),
                      static_cast<std::uint32_t>((touched.size() + 31) / 32),
                      static_cast<std::uint32_t>(touched.size()));
  }
  std::uint32_t piece = 16;
  while (bytes % piece != 0) piece /= 2;
  const unsigned lanes = piece == 16 ? 8 : piece == 8 ? 16 : 32;
  for (std::uint32_t offset = 0; offset < bytes; offset += piece)
    for (unsigned group = 0; group < 32; group += lanes) {
      std::map<std::uint64_t, std::set<std::uint64_t>> wordsOfBank;
      for (unsigned lane = group; lane < group + lanes; ++lane)
        for (std::uint32_t byte = 0; byte < piece && (mask >> lane & 1); ++byte) {
          const std::uint64_t word = (address[lane] + offset + byte) / 4;
          wordsOfBank[word % 32].insert(word);
        }
      std::size_t most = 0;
      for (const auto& [bank, words] : wordsOfBank) most = std::max(most, words.size());
      cost.wavefronts += static_cast<std::uint32_t>(most);
      cost.idealWavefronts += most != 0;
    }
  return cost;
}

class RandomAccesses : public testing::Test {
 protected:
  std::int64_t pick(std::initializer_list<std::int64_t> choices) {
    return choices.begin()[random_() % choices.size()];
  }
  std::uint32_t mask() {
    return static_cast<std::uint32_t>(pick({all, all, all >> random_() % 32, all << random_() % 32,
                                            static_cast<std::int64_t>(random_() & random_())})) |
           1u << random_() % 32;
  }
  Space space() { return pick({0, 1}) == 0 ? Space::global : Space::shared; }
  std::uint32_t bytes() {
    return static_cast<std::uint32_t>(pick({1, 2, 4, 4, 4, 8, 16, 12, 28, 32, 48, 3}));
  }
  std::mt19937 random_{20240229};
};

TEST_F(RandomAccesses, AffineCostsAreThoseOfTheDefinition) {
  for (int i = 0; i < 10'000; ++i) {
    const Space where = space();
    const std::uint32_t size = bytes(), active = mask();
    const auto stride = static_cast<std::int32_t>(pick({0, 1, 4, 8, 12, 16, 28, 33, 36, 64, 128, 132, 4096,
                                                        static_cast<std::int64_t>(random_() % 400)}) *
                                                  pick({1, -1}));
    const std::uint64_t address = 1'000'000 + random_() % 512 * static_cast<std::uint64_t>(pick({1, 4}));
    std::array<std::uint64_t, 32> lanes{};
    for (int lane = 0; lane < 32; ++lane)
      lanes[static_cast<std::size_t>(lane)] =
          address + static_cast<std::uint64_t>(std::int64_t{stride} * (lane - std::countr_zero(active)));
    const AccessCost expected = byDefinition(where, size, active, lanes);
    ASSERT_EQ(measureAffine(where, size, active, address, stride), expected)
        << "bytes " << size << " stride " << stride << " mask " << active << " address " << address;
    ASSERT_EQ(measureLanes(where, size, active, lanes.data()), expected);
  }
}

TEST_F(RandomAccesses, IrregularCostsAreThoseOfTheDefinition) {
  for (int i = 0; i < 5'000; ++i) {
    const Space where = space();
    const std::uint32_t size = bytes(), active = mask();
    const auto unit = static_cast<std::uint64_t>(pick({1, 4, size}));
    const auto range = static_cast<std::uint64_t>(pick({4, 64, 2000}));
    std::array<std::uint64_t, 32> lanes{};
    for (std::uint64_t& lane : lanes) lane = 4096 + random_() % range * unit;
    ASSERT_EQ(measureLanes(where, size, active, lanes.data()), byDefinition(where, size, active, lanes))
        << "bytes " << size << " mask " << active << " case " << i;
  }
}

}  // namespace
}  // namespace cui::db
