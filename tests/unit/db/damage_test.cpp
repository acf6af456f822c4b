// Truncated and bit-flipped trace files: an error or wrong rows, never a crash, a hang or a change.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "db/analyses/analyses.h"
#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

std::string makeTrace(const std::string& path) {
  auto writer = openWriter(path);
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
  for (const char* sql : {"SELECT * FROM access", "SELECT count(*), sum(address) FROM access_lane",
                          "SELECT * FROM hot_site", "SELECT * FROM launch_summary"})
    (void)reader->query(sql, [](Row) { return true; });
  std::vector<AnalysisResult> results;
  for (const Analysis& analysis : analyses()) {
    const Analysis* const one[] = {&analysis};
    (void)runAnalyses(one, *reader, {}, results);
  }
  (void)reader->validate(error);
}

TEST(Damage, BitFlipsDoNoHarm) {
  TemporaryFolder folder;
  const std::string good = makeTrace(folder.file("good.db")), path = folder.file("bad.db");
  std::mt19937 random(7);
  for (int i = 0; i < 250; ++i) {
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
