// Encoding on threads gives the same trace, and a trace ends where its size limit is.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "db/store/encoder_pool.h"
#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

/// `count` records, half of them irregular: some 80 bytes each however they are compressed.
Slots irregular(std::size_t count) {
  Slots slots;
  std::mt19937 random(11);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 2 == 0) {
      slots.push_back(header(1, 0x40000 + i * 128, 4, ~0u, 4, Space::global, AddressForm::affine, false,
                             static_cast<std::uint32_t>(i / 8), i % 8));
      continue;
    }
    slots.push_back(header(0, 0x100000, 0, ~0u, 4, Space::global, AddressForm::offsets32, false,
                           static_cast<std::uint32_t>(i / 8), i % 8));
    std::array<std::int32_t, 32> offset{};
    for (std::size_t lane = 1; lane < 32; ++lane)
      offset[lane] = static_cast<std::int32_t>(random() % (1u << 26)) * 4;
    appendBytes(slots, offset.data(), sizeof offset);
  }
  return slots;
}

void record(const std::string& path, const WriterOptions& options, std::size_t launches = 3) {
  auto writer = openWriter(path, options);
  const Slots slots = irregular(5000);
  for (std::uint64_t launch = 1; launch <= launches; ++launch) {
    EXPECT_OK(writer->addLaunch(launchRow(launch, 1000, 256)));
    EXPECT_OK(writer->updateLaunch(launch, 2000, 0, ""));
  }
  // Launches take turns, so that several segments fill at once.
  for (std::size_t part = 0; part < 5; ++part)
    for (std::uint64_t launch = 1; launch <= launches; ++launch)
      EXPECT_OK(writer->addRecords(launch, slots.data(), slots.size()));
  EXPECT_OK(writer->close());
}

TEST(Encoder, ThreadsMakeTheSameTrace) {
  TemporaryFolder folder;
  const auto contents = [&](unsigned threads) {
    WriterOptions options;
    options.materializeLimit = 0;
    options.chunkRecords = 700;
    options.encoderThreads = threads;
    const std::string path = folder.file(("t" + std::to_string(threads) + ".db").c_str());
    record(path, options);
    EXPECT_EQ(problems(*openReader(path)), "");
    return rows(path,
                "SELECT launch_id, first_sequence, record_count, hex(data) FROM access_chunk ORDER BY 1, 2") +
           rows(path, "SELECT * FROM site_metric ORDER BY 1, 2") +
           rows(path, "SELECT * FROM access_chunk_site ORDER BY 1, 2");
  };
  const std::string expected = contents(0);
  EXPECT_GT(expected.size(), 1'000'000u);
  EXPECT_EQ(contents(1), expected);
  EXPECT_EQ(contents(3), expected);
}

TEST(Encoder, BufferedBytesAreBounded) {
  TemporaryFolder folder;
  WriterOptions options;
  options.materializeLimit = 0;
  options.bufferedBytes = 1 << 20;  // far less than one full segment of each launch
  options.encoderThreads = 2;
  record(folder.file("a.db"), options, 20);
  const auto reader = openReader(folder.file("a.db"));
  EXPECT_EQ(problems(*reader), "");
  EXPECT_EQ(rows(*reader, "SELECT sum(record_count) FROM access_chunk"), std::to_string(20 * 25'000));
}

TEST(Encoder, TheTraceEndsAtItsSizeLimit) {
  TemporaryFolder folder;
  const std::string limited = folder.file("limited.db"), whole = folder.file("whole.db");
  WriterOptions options;
  options.materializeLimit = 0;
  options.chunkRecords = 1000;
  record(whole, options);
  options.maxFileBytes = 2 << 20;
  record(limited, options);
  EXPECT_GT(std::filesystem::file_size(whole), 3u << 20);
  EXPECT_LT(std::filesystem::file_size(limited), (2u << 20) + (100u << 10));
  EXPECT_GT(std::filesystem::file_size(limited), 1u << 20);
  // All is measured, not all is stored, and the trace says so.
  EXPECT_EQ(rows(limited, "SELECT * FROM site_metric ORDER BY 1, 2"),
            rows(whole, "SELECT * FROM site_metric ORDER BY 1, 2"));
  EXPECT_EQ(rows(limited, "SELECT count(*) FROM launch"), "3");
  EXPECT_EQ(rows(limited,
                 "SELECT severity, value + (SELECT sum(record_count) FROM access_chunk) FROM trace_stat "
                 "WHERE name = 'size_limit'"),
            "data_loss|75000");
  EXPECT_NE(problems(*openReader(limited)).find("stats data_loss: size_limit: "), std::string::npos);
}

TEST(Encoder, TheWriterKnowsItsLosses) {
  TemporaryFolder folder;
  auto writer = openWriter(folder.file("a.db"));
  EXPECT_OK(writer->addLaunch(launchRow(1)));
  EXPECT_OK(writer->addStat("dropped", "data_loss", 3, 1, "x"));
  EXPECT_OK(writer->addStat("dropped", "data_loss", 4, 2, "x"));
  EXPECT_OK(writer->addStat("note", "info", 5, 0, "x"));
  const Slots slots = {header(200, 0, 4, ~0u, 4, Space::global)};  // of a site that nobody registered
  EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
  const std::map<std::string, std::int64_t> expected = {{"dropped", 7}, {"unknown_site", 1}};
  EXPECT_EQ(writer->losses(), expected);
  EXPECT_OK(writer->close());
  EXPECT_EQ(writer->losses(), expected);
}

/// Chunks come back in the order of submission, whichever thread is first, and memory comes back with them.
TEST(EncoderPoolTest, KeepsTheOrder) {
  const auto siteBytes = std::make_shared<const std::vector<std::uint32_t>>(1, 4);
  EncoderPool pool(3);
  std::vector<Segment> together;
  for (std::uint32_t i = 0; i < 40; ++i) {
    Segment segment;
    segment.launchId = i;
    segment.siteBytes = siteBytes;
    for (std::uint32_t k = 0; k <= (i * 37 % 40) * 50; ++k) {
      const format::WarpRecord one = header(0, k * 128, 4, ~0u, 4, Space::global);
      segment.append(&one, 1, 0);
    }
    together.push_back(std::move(segment));
    if (i % 4 == 0 || i == 39) pool.submit(std::exchange(together, {}));
  }
  EXPECT_EQ(pool.count(), 11u);
  EXPECT_GT(pool.bytes(), 0u);
  std::uint32_t next = 0;
  while (!pool.empty()) {
    const EncoderPool::Job job = pool.take();
    ASSERT_EQ(job.chunks.size(), job.segments.size());
    for (std::size_t i = 0; i < job.chunks.size(); ++i, ++next) {
      EXPECT_EQ(job.chunks[i].launchId, next);
      EXPECT_EQ(job.chunks[i].recordCount, (next * 37 % 40) * 50 + 1);
      EXPECT_EQ(job.segments[i].recordCount, job.chunks[i].recordCount);
    }
  }
  EXPECT_EQ(next, 40u);
  EXPECT_TRUE(pool.empty());
  EXPECT_EQ(pool.bytes(), 0u);
}

}  // namespace
}  // namespace cui::db
