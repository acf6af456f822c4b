// Chunks: every record form comes back as it was, and damaged chunks are refused without harm.
#include "db/store/chunk_builder.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <random>

#include "tests/unit/db/chunk_columns.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

struct Input {
  format::WarpRecord record;
  Slots payload;
  std::uint32_t site;
};

const std::uint8_t* payloadOf(const Input& input) {
  return reinterpret_cast<const std::uint8_t*>(input.payload.data());
}

/// Records of all forms, spaces, sizes and masks; half of them regular, as kernels make them, and a part of
/// the others with lanes that lie as another record's do.
std::vector<Input> randomInputs(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Input> inputs;
  struct Lanes {
    std::uint32_t mask = 0;
    std::array<std::int32_t, 32> offset{};  // of inactive lanes 0, of the lowest active one 0
  };
  std::vector<Lanes> known;
  for (std::size_t i = 0; i < count; ++i) {
    const auto form = static_cast<AddressForm>(random() % 2 == 0 ? 0 : random() % 3);
    const bool values = random() % 4 == 0;
    const std::uint32_t bytes = values ? 1u << random() % 5 : static_cast<std::uint32_t>(random() % 2048);
    Lanes lanes;
    if (!known.empty() && random() % 2 == 0) {
      lanes = known[known.size() - 1 - random() % std::min<std::size_t>(known.size(), 9)];
    } else {
      lanes.mask = random() % 3 == 0 ? ~0u : static_cast<std::uint32_t>(random()) | 1u << random() % 32;
      for (int lane = std::countr_zero(lanes.mask) + 1; lane < 32; ++lane)
        if (lanes.mask >> lane & 1)
          lanes.offset[static_cast<std::size_t>(lane)] = static_cast<std::int32_t>(random()) / 4 * 4;
    }
    const std::uint32_t mask = lanes.mask;
    Input input;
    input.site = static_cast<std::uint32_t>(random() % 40 * 1000);
    input.record =
        header(0, random() % 2 ? i * 128 : random(), static_cast<std::int32_t>(random() % 9) * 4 - 16, mask,
               bytes, static_cast<Space>(random() % 5), form, values,
               static_cast<std::uint32_t>(random() % 4 ? i / 8 : random()), i % 32);
    const int first = std::countr_zero(mask);
    if (form == AddressForm::offsets32) {
      appendBytes(input.payload, lanes.offset.data(), sizeof lanes.offset);
    } else if (form == AddressForm::full64) {
      std::uint64_t address[32] = {};
      const bool near = random() % 2 == 0;
      for (int lane = first; lane < 32; ++lane)
        if (mask >> lane & 1)
          address[lane] =
              near || lane == first
                  ? input.record.address +
                        static_cast<std::uint64_t>(std::int64_t{lanes.offset[static_cast<std::size_t>(lane)]})
                  : random();
      appendBytes(input.payload, address, sizeof address);
    }
    if (form != AddressForm::affine) known.push_back(lanes);
    if (values) {
      std::vector<std::uint8_t> data(32 * bytes);
      for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
      appendBytes(input.payload, data.data(), data.size());
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::vector<std::uint8_t> encode(const std::vector<Input>& inputs) {
  ChunkBuilder builder;
  std::vector<SiteInChunk> sites(40'000);
  for (const Input& input : inputs)
    builder.add(input.record, payloadOf(input), input.site, format::bytesOf(input.record), sites[input.site]);
  const auto data = builder.seal();
  return {data.begin(), data.end()};
}

TEST(ChunkCodec, EveryFormComesBack) {
  const std::vector<Input> inputs = randomInputs(5000, 1);
  const std::vector<std::uint8_t> data = encode(inputs);
  ChunkReader reader;
  ASSERT_TRUE(reader.open(data, inputs.size(), chunkCodecVersion)) << reader.error();
  AccessRecord record;
  for (const Input& input : inputs) {
    ASSERT_TRUE(reader.next(record)) << reader.error();
    const format::WarpRecord& r = input.record;
    EXPECT_EQ(record.siteNumber, input.site);
    EXPECT_EQ(record.block, r.block);
    EXPECT_EQ(record.warp, format::warpOf(r));
    EXPECT_EQ(record.mask, r.activeMask);
    EXPECT_EQ(record.bytes, format::bytesOf(r));
    EXPECT_EQ(record.flags, r.flags);
    EXPECT_EQ(record.stride, r.stride);
    EXPECT_EQ(record.address, r.address);
    std::uint64_t expected[32];
    laneAddresses(r, payloadOf(input), expected);
    const std::uint8_t* values = payloadOf(input) + 32 * format::payloadSlots(r.flags & 0x7f, 0);
    const std::uint8_t* decoded = record.values;
    ASSERT_EQ(decoded != nullptr, format::hasValues(r.flags));
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!(r.activeMask >> lane & 1)) continue;
      ASSERT_EQ(record.lane[lane], expected[lane]);
      if (!decoded) continue;
      ASSERT_TRUE(std::equal(decoded, decoded + record.bytes, values + lane * record.bytes));
      decoded += record.bytes;
    }
  }
  EXPECT_FALSE(reader.next(record));
  EXPECT_EQ(reader.error(), "");
}

TEST(ChunkCodec, ABuilderIsReusable) {
  ChunkBuilder builder;
  SiteInChunk site;
  for (std::uint64_t address : {100u, 9000u}) {
    builder.add(header(0, address, 4, ~0u, 4, Space::global), nullptr, 3, 4, site);
    const auto data = builder.seal();
    ChunkReader reader;
    AccessRecord record;
    ASSERT_TRUE(reader.open(data, 1, chunkCodecVersion));
    ASSERT_TRUE(reader.next(record));
    EXPECT_EQ(record.address, address);
    EXPECT_EQ(record.siteNumber, 3u);
  }
}

TEST(ChunkCodec, ARegularKernelTakesUnderAByteARecord) {
  // 256 blocks of 8 warps, two loads and a store of consecutive floats, blocks interleaved by 16.
  std::vector<Input> inputs;
  for (std::uint32_t group = 0; group < 16; ++group)
    for (std::uint32_t warp = 0; warp < 8; ++warp)
      for (std::uint32_t site = 0; site < 3; ++site)
        for (std::uint32_t b = 0; b < 16; ++b) {
          const std::uint32_t block = group * 16 + (b * 7 + warp) % 16;
          inputs.push_back({header(0, (site << 24) + block * 1024 + warp * 128, 4, ~0u, 4, Space::global,
                                   AddressForm::affine, false, block, warp),
                            {},
                            site});
        }
  EXPECT_LT(encode(inputs).size(), inputs.size());
}

/// 16 × 16 threads: a warp's lanes are in two rows. The rows' distance is spelled once; after that a record
/// costs what an affine one does, also where warps take turns, and where two sites share their lanes'
/// pattern.
TEST(ChunkCodec, PatternsThatComeBackAreNotSpelledAgain) {
  std::vector<Input> inputs;
  std::mt19937 random(6);
  std::array<std::array<std::int32_t, 32>, 8> offset{};  // eight warps gather with indices of their own
  for (auto& warp : offset)
    for (std::size_t lane = 1; lane < 32; ++lane) warp[lane] = static_cast<std::int32_t>(random() >> 8) * 4;
  for (std::uint32_t turn = 0; turn < 1000; ++turn)
    for (std::uint32_t warp = 0; warp < 8; ++warp)
      for (std::uint32_t site = 0; site < 2; ++site) {  // p[index].x, p[index].y
        Input input = {header(0, 0x10000000 + turn * 4096 + site * 4, 0, ~0u, 4, Space::global,
                              AddressForm::offsets32, false, turn, warp),
                       {},
                       site};
        appendBytes(input.payload, offset[warp].data(), sizeof offset[warp]);
        inputs.push_back(std::move(input));
      }
  // 8 patterns of 31 offsets with 24 bits: 93 bytes each. The rest compresses to almost nothing.
  EXPECT_LT(encode(inputs).size(), 8 * 110 + inputs.size() / 10);
}

/// What is stored of 32 unrelated elements is little more than there is to know: 32 numbers of 20 bits and a
/// base of 28, 83.5 bytes.
TEST(ChunkCodec, UnrelatedLanesTakeTheBitsTheyHave) {
  std::vector<Input> inputs;
  std::mt19937 random(8);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    Input input = {header(0, 0x10000000 + (random() >> 4) * 4, 0, ~0u, 4, Space::global,
                          AddressForm::offsets32, false, i / 8, i % 8),
                   {},
                   0};
    std::array<std::int32_t, 32> offset{};
    for (std::size_t lane = 1; lane < 32; ++lane)
      offset[lane] = static_cast<std::int32_t>(random() >> 12) * 4;
    appendBytes(input.payload, offset.data(), sizeof offset);
    inputs.push_back(std::move(input));
  }
  EXPECT_LT(encode(inputs).size(), inputs.size() * 90);
}

TEST(ChunkCodec, DamageIsRefused) {
  const std::vector<Input> inputs = randomInputs(300, 2);
  const std::vector<std::uint8_t> good = encode(inputs);
  ChunkReader reader;
  AccessRecord record;
  EXPECT_FALSE(reader.open(good, inputs.size(), chunkCodecVersion + 1));
  EXPECT_FALSE(reader.open(good, 0, chunkCodecVersion));
  EXPECT_FALSE(reader.open(good, std::uint64_t{maxChunkRecords} + 1, chunkCodecVersion));
  for (std::size_t length = 0; length < good.size(); length += 1 + good.size() / 97)
    EXPECT_FALSE(reader.open(std::span(good).first(length), inputs.size(), chunkCodecVersion)) << length;
  // A wrong record count: either too few records, or some left over.
  for (const std::size_t count : {inputs.size() - 1, inputs.size() + 1}) {
    ASSERT_TRUE(reader.open(good, count, chunkCodecVersion));
    while (reader.next(record)) {
    }
    EXPECT_NE(reader.error(), "");
  }
  std::vector<std::uint64_t> addresses;
  for (const Input& input : inputs) addresses.push_back(input.record.address);
  // Every flipped bit is noticed: frames have checksums, and the header has to fit them.
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::uint8_t> bad = good;
    const std::size_t bit = i < 600 ? static_cast<std::size_t>(i) : random() % (8 * bad.size());
    bad[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    std::vector<std::uint64_t> seen;
    if (reader.open(bad, inputs.size(), chunkCodecVersion))
      while (reader.next(record)) seen.push_back(record.address);
    if (!reader.error().empty()) continue;
    // A few bits of a frame's header mean nothing: then nothing may have changed.
    ASSERT_EQ(seen, addresses) << "bit " << bit;
  }
}

/// Valid frames around changed contents: what a checksum cannot catch. Anything may come out, as long as it
/// ends and stays inside its memory (the sanitizers look), and is the same one record at a time and all at
/// once.
TEST(ChunkCodec, ChangedColumnsAreRefusedOrDecoded) {
  std::mt19937 random(11);
  std::size_t refused = 0, decoded = 0;
  ChunkReader reader;
  DecodedChunk all;
  AccessRecord record;
  for (unsigned turn = 0; turn < 2000; ++turn) {
    const std::size_t count = 1 + random() % 40;
    std::vector<std::vector<std::uint8_t>> columns = columnsOf(encode(randomInputs(count, turn)));
    for (unsigned changes = random() % 3;; --changes) {
      std::vector<std::uint8_t>& column = columns[random() % columns.size()];
      const std::size_t at = column.empty() ? 0 : random() % column.size();
      switch (random() % 4) {
        case 0:
          column.resize(at);
          break;
        case 1:
          column.insert(column.begin() + static_cast<std::ptrdiff_t>(at),
                        static_cast<std::uint8_t>(random()));
          break;
        default:
          if (!column.empty()) column[at] = static_cast<std::uint8_t>(column[at] ^ 1u << random() % 8);
      }
      if (changes == 0) break;
    }
    const std::vector<std::uint8_t> data = chunkOf(chunkCodecVersion, columns);
    std::size_t one = 0;
    if (reader.open(data, count, chunkCodecVersion))
      while (reader.next(record)) ++one;
    const std::string error = reader.error();
    if (reader.open(data, count, chunkCodecVersion) && reader.decode(all)) {
      EXPECT_EQ(error, "");
      EXPECT_EQ(one, all.records.size());
      ++decoded;
    } else {
      EXPECT_EQ(reader.error(), error);
      ++refused;
    }
  }
  EXPECT_GT(refused, 400u);
  EXPECT_GT(decoded, 400u);
}

}  // namespace
}  // namespace cui::db
