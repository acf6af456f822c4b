// Lane patterns: packed and back, in the bytes they deserve, and found again.
#include "db/store/lane_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace cui::db {
namespace {

template <class Offset>
std::vector<std::uint8_t> pack(const std::vector<Offset>& offset) {
  ByteBuffer out;
  packOffsets(offset.data(), static_cast<std::uint32_t>(offset.size()), out);
  return {out.bytes().begin(), out.bytes().end()};
}

/// What comes back; empty: refused, or something is left.
std::vector<std::uint64_t> unpack(std::vector<std::uint8_t> packed, std::uint32_t count) {
  const std::size_t size = packed.size();
  packed.resize(size + unpackSlack);
  ColumnCursor in{packed.data(), packed.data() + size};
  std::vector<std::uint64_t> offset(count);
  if (!unpackOffsets(in, count, offset.data()) || in.left() != 0) return {};
  return offset;
}

template <class Offset>
void expectRoundTrip(const std::vector<Offset>& offset) {
  std::vector<std::uint64_t> expected;
  for (const Offset one : offset) expected.push_back(static_cast<std::uint64_t>(std::int64_t{one}));
  ASSERT_EQ(unpack(pack(offset), static_cast<std::uint32_t>(offset.size())), expected);
}

/// The smallest and the greatest numbers, all widths, all counts.
template <class Offset>
void roundTrips(unsigned seed) {
  std::mt19937_64 random(seed);
  constexpr Offset least = std::numeric_limits<Offset>::min(), most = std::numeric_limits<Offset>::max();
  for (int round = 0; round < 20'000; ++round) {
    std::vector<Offset> offset(1 + random() % 32);
    const auto cut = random() % (8 * sizeof(Offset));
    const Offset step = static_cast<Offset>(static_cast<Offset>(random()) >> cut);
    for (std::size_t i = 1; i < offset.size(); ++i) {
      const auto any = static_cast<Offset>(static_cast<Offset>(random()) >> cut);
      switch (round % 5) {
        case 0:
          offset[i] = any;
          break;
        case 1:
          offset[i] = static_cast<Offset>(any & ~Offset{0xfff});
          break;
        case 2:
          offset[i] = random() % 3 == 0 ? least : random() % 2 == 0 ? most : any;
          break;
        default:  // a common step, with exceptions or without
          offset[i] = static_cast<Offset>(
              static_cast<std::make_unsigned_t<Offset>>(offset[i - 1]) +
              static_cast<std::make_unsigned_t<Offset>>(round % 5 == 3 && random() % 8 == 0 ? any : step));
      }
    }
    expectRoundTrip(offset);
  }
}

TEST(LanePatternTest, ComesBack) {
  roundTrips<std::int32_t>(1);
  roundTrips<std::int64_t>(2);
}

TEST(LanePatternTest, TakesTheBytesItDeserves) {
  std::vector<std::int32_t> rows(32), gather(32), sorted(32);
  std::mt19937 random(3);
  for (std::size_t lane = 1; lane < 32; ++lane) {
    rows[lane] = static_cast<std::int32_t>(lane / 16 * 4096 + lane % 16 * 4);
    gather[lane] = static_cast<std::int32_t>(random() >> 16) * 4;
    sorted[lane] = sorted[lane - 1] + static_cast<std::int32_t>(1 + random() % 64) * 4;
  }
  // Two rows: way and shift, width, lowest exception (two bytes), step, which lanes; one exception needs no
  // bits.
  EXPECT_EQ(pack(rows).size(), 1u + 1 + 2 + 1 + 4);
  // 31 unrelated numbers of 16 bits, and where they start: a byte to three.
  EXPECT_LE(pack(gather).size(), 2 + 3 + 31 * 16 / 8u);
  // 31 differences below 64: 6 bits each.
  EXPECT_LE(pack(sorted).size(), 2 + 1 + (31 * 6 + 7) / 8u);
  EXPECT_EQ(pack(std::vector<std::int32_t>(1)).size(), 0u);
  EXPECT_EQ(pack(std::vector<std::int32_t>(32)).size(), 3u);  // all lanes at one address
}

TEST(LanePatternTest, DamageIsRefused) {
  std::mt19937 random(4);
  std::size_t refused = 0;
  for (int round = 0; round < 100'000; ++round) {
    std::vector<std::uint8_t> bytes(random() % 60);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() % 3 ? random() % 8 : random());
    refused += unpack(bytes, 1 + random() % 32).empty();  // and never reads elsewhere: the sanitizers look
  }
  EXPECT_GT(refused, 90'000u);
  std::uint64_t offset[32];
  ColumnCursor nothing;
  EXPECT_FALSE(unpackOffsets(nothing, 0, offset));
  EXPECT_FALSE(unpackOffsets(nothing, 33, offset));
}

LanePattern patternOf(std::int32_t seed) {
  LanePattern pattern;
  pattern.count = 32;
  for (std::size_t lane = 1; lane < 32; ++lane) pattern.offset[lane] = static_cast<std::int32_t>(lane) * seed;
  return pattern;
}

TEST(PatternWindowTest, FindsTheLatest) {
  PatternWindow window;
  std::uint32_t number = 9;
  EXPECT_FALSE(window.find(patternOf(4), number));
  EXPECT_EQ(number, 0u);
  EXPECT_FALSE(window.find(patternOf(8), number));
  EXPECT_EQ(window.skip(), 2u);
  EXPECT_EQ(window.count(), 3u);
  EXPECT_TRUE(window.find(patternOf(4), number));
  EXPECT_EQ(number, 0u);
  LanePattern fewer = patternOf(0), more = fewer;  // differ in their count alone
  fewer.count = 3;
  EXPECT_FALSE(window.find(fewer, number));
  EXPECT_FALSE(window.find(more, number));
  window.clear();
  EXPECT_FALSE(window.find(patternOf(4), number));
  EXPECT_EQ(number, 0u);
}

/// Far more patterns than it holds: what it finds is right, and what is old is forgotten.
TEST(PatternWindowTest, IsBounded) {
  PatternWindow window;
  std::uint32_t number = 0, found = 0;
  for (std::int32_t i = 1; i <= 50'000; ++i) {
    ASSERT_FALSE(window.find(patternOf(i), number));
    ASSERT_EQ(number, static_cast<std::uint32_t>(i) - 1);
  }
  for (std::int32_t i = 50'000; i > 49'000; --i)
    if (window.find(patternOf(i), number)) {
      ++found;
      ASSERT_EQ(number, static_cast<std::uint32_t>(i) - 1);
    }
  EXPECT_GT(found, 100u);
  EXPECT_FALSE(window.find(patternOf(1), number));
}

}  // namespace
}  // namespace cui::db
