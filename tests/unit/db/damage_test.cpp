// Truncated and bit-flipped trace files: an error or wrong rows, never a crash, a hang or a change.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "db/analyses/analyses.h"
#include "db/store/chunk_codec.h"
#include "tests/unit/db/chunk_columns.h"
#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

/// CUI_SEED chooses other damage: the test suite's is always the same.
unsigned seed(unsigned usual) {
  const char* const chosen = std::getenv("CUI_SEED");
  return chosen ? usual + 1000 * static_cast<unsigned>(std::atoi(chosen)) : usual;
}

std::string makeTrace(const std::string& path, std::uint64_t materializeLimit = 1000) {
  WriterOptions options;
  options.materializeLimit = materializeLimit;
  options.chunkRecords = 20;
  auto writer = openWriter(path, options);
  EXPECT_OK(writer->addLaunch(launchRow(1, 64, 32)));
  Slots slots;
  for (std::uint32_t block = 0; block < 64; ++block)
    slots.push_back(header(block % 3, block * 97 % 64 * 128, 4, ~0u, 4,
                           block % 3 == 2 ? Space::shared : Space::global, AddressForm::affine, false,
                           block));
  EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
  EXPECT_OK(writer->close());
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Everything a user can do with a trace; only has to come back.
void exercise(const std::string& path) {
  Error error;
  const auto reader = TraceReader::open(path, error);
  ASSERT_EQ(reader == nullptr, static_cast<bool>(error));
  if (!reader) {
    EXPECT_EQ(error.message.find('\n'), std::string::npos);
    return;
  }
  int budget = 200;  // a damaged index can make a query very long
  reader->setProgress([&budget] { return --budget < 0; });
  for (const char* sql :
       {"SELECT * FROM access", "SELECT count(*), sum(address) FROM access_lane",
        "SELECT * FROM stored_thread_access WHERE block_x > 3",
        "SELECT * FROM stored_access WHERE launch_id = 1 AND sequence = 30",
        "SELECT count(*) FROM stored_access WHERE site_id = 1001 AND address < 9999",
        "SELECT site_id, space, sum(requests), max(max_address) FROM access_total GROUP BY 1, 2",
        "SELECT * FROM hot_site", "SELECT * FROM launch_summary"})
    (void)reader->query(sql, [](Row) { return true; });
  std::vector<AnalysisResult> results;
  for (const Analysis& analysis : analyses()) {
    const Analysis* const one[] = {&analysis};
    (void)runAnalyses(one, *reader, {}, results);
  }
  (void)reader->validate(error);
}

class BitFlips : public testing::TestWithParam<bool> {};

TEST_P(BitFlips, DoNoHarm) {
  TemporaryFolder folder;
  const std::string good = makeTrace(folder.file("good.db"), GetParam() ? 1000 : 0),
                    path = folder.file("bad.db");
  std::mt19937 random(seed(7));
  for (int i = 0; i < 100; ++i) {  // under AddressSanitizer a quarter of a second each
    std::string bad = good;
    // A third in the header and the schema page, the others anywhere, some in clusters.
    const std::size_t at = i % 3 == 0 ? random() % 8192 : random() % bad.size();
    for (std::size_t k = 0; k <= random() % 8; ++k)
      bad[(at + k) % bad.size()] = static_cast<char>(bad[(at + k) % bad.size()] ^ (1 << random() % 8));
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bad;
    exercise(path);
    std::ifstream in(path, std::ios::binary);
    ASSERT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), bad) << "the file was changed";
    for (const char* suffix : {"-wal", "-shm", "-journal"}) std::filesystem::remove(path + suffix);
  }
}

INSTANTIATE_TEST_SUITE_P(Damage, BitFlips, testing::Bool(), [](const auto& plain) {
  return std::string(plain.param ? "PlainTables" : "ChunksOnly");
});

/// Chunks whose checksums are right but whose contents are not: what zstd cannot catch for us. Mere noise, of
/// which next to nothing can be decoded; chunk_codec_test.cpp changes columns that can.
TEST(Damage, NoiseForColumnsIsRefused) {
  std::mt19937 random(seed(13));
  std::size_t refused = 0;
  ChunkReader reader;
  DecodedChunk chunk;
  AccessRecord record;
  for (int i = 0; i < 3000; ++i) {
    const auto count = 1 + random() % 40;
    const auto version = static_cast<std::uint8_t>(1 + i % chunkCodecVersion);  // older ones are read too
    std::vector<std::vector<std::uint8_t>> columns(chunk::columnsOf(version));
    for (std::size_t column = 0; column < columns.size(); ++column) {
      std::vector<std::uint8_t>& raw = columns[column];
      raw.resize(column == chunk::dictionary ? 4 : random() % 5 == 0 ? random() % 200 : count);
      // Small numbers mostly: they come further than random ones.
      for (std::uint8_t& byte : raw)
        byte = static_cast<std::uint8_t>(random() % 4 == 0 ? random() : random() % 4);
    }
    const std::vector<std::uint8_t> data = chunkOf(version, columns);
    // One record at a time, and all at once: the same answer.
    std::size_t one = 0;
    if (reader.open(data, count, version))
      while (reader.next(record)) ++one;
    const std::string error = reader.error();
    if (reader.open(data, count, version) && reader.decode(chunk)) {
      EXPECT_EQ(error, "");
      EXPECT_EQ(one, chunk.records.size());
    } else {
      EXPECT_EQ(reader.error(), error);
      ++refused;
    }
  }
  EXPECT_GT(refused, 2900u);
}

TEST(Damage, TruncationIsNoticed) {
  TemporaryFolder folder;
  const std::string good = makeTrace(folder.file("good.db")), path = folder.file("bad.db");
  for (std::size_t length = 0; length < good.size(); length += 4001) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << good.substr(0, length);
    Error error;
    EXPECT_EQ(TraceReader::open(path, error), nullptr) << length;
    EXPECT_EQ(error.code, length < 100 ? ErrorCode::notADatabase : ErrorCode::truncated) << length;
  }
}

}  // namespace
}  // namespace cui::db
