// Plain tables up to the limit, none beyond it, and all of them on request.
#include "db/store/materialize.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

/// `flushes` times 10 records, flushed; then closed.
void record(const std::string& path, std::uint64_t limit, int flushes) {
  WriterOptions options;
  options.materializeLimit = limit;
  options.chunkRecords = 4;
  auto writer = openWriter(path, options);
  EXPECT_OK(writer->addLaunch(launchRow(1)));
  EXPECT_OK(writer->updateLaunch(1, 2000, 0, ""));
  for (int flush = 0; flush < flushes; ++flush) {
    Slots slots;
    for (std::uint32_t i = 0; i < 10; ++i) slots.push_back(header(0, 128 * i, 4, ~0u, 4, Space::global));
    EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
    EXPECT_OK(writer->flush());
  }
  EXPECT_OK(writer->close());
}

TEST(Materialize, UpToTheLimit) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  record(path, 30, 3);
  EXPECT_EQ(rows(path, "SELECT count(*), count(DISTINCT sequence) FROM access"), "30|30");
  EXPECT_TRUE(openReader(path)->materialized());
  EXPECT_EQ(rows(path, "SELECT count(*) FROM trace_stat"), "0");
}

TEST(Materialize, BeyondTheLimitTheTablesGoAndTheTraceSaysSo) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  record(path, 25, 3);
  const auto reader = openReader(path);
  EXPECT_FALSE(reader->materialized());
  EXPECT_EQ(rows(*reader, "SELECT name, severity FROM trace_stat"), "access_not_materialized|info");
  EXPECT_EQ(rows(*reader, "SELECT requests, sectors FROM hot_site"), "30|120");  // exact regardless
  EXPECT_EQ(rows(*reader, "SELECT count(*) FROM access"), "30");                 // from the chunks
  EXPECT_EQ(problems(*reader), "");
}

// Thirty-two rows of lanes for each of them.
TEST(Materialize, LanesOfIrregularRecordsCount) {
  TemporaryFolder folder;
  for (const std::uint64_t limit : {std::uint64_t{329}, std::uint64_t{330}}) {
    const std::string path = folder.file(limit == 330 ? "fits.db" : "full.db");
    WriterOptions options;
    options.materializeLimit = limit;
    auto writer = openWriter(path, options);
    EXPECT_OK(writer->addLaunch(launchRow(1)));
    for (std::uint32_t i = 0; i < 10; ++i) {
      Slots slots = {header(0, 0, 0, ~0u, 4, Space::global, AddressForm::offsets32)};
      for (std::int32_t payload = 0; payload < 4; ++payload) slots.emplace_back();
      EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
    }
    EXPECT_OK(writer->close());
    EXPECT_EQ(openReader(path)->materialized(), limit == 330);
  }
}

// Writing them takes longer than recording.
TEST(Materialize, ManyRowsWaitForTheEnd) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  auto writer = openWriter(path, WriterOptions{});
  EXPECT_OK(writer->addLaunch(launchRow(1)));
  EXPECT_OK(writer->updateLaunch(1, 2000, 0, ""));
  for (int flush = 0; flush < 3; ++flush) {
    Slots slots;
    for (std::uint32_t i = 0; i < 10'000; ++i) slots.push_back(header(0, 128 * i, 4, ~0u, 4, Space::global));
    EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
    EXPECT_OK(writer->flush());
    EXPECT_EQ(openReader(path)->materialized(), flush < 2);
    EXPECT_EQ(rows(path, "SELECT count(*) FROM access"), std::to_string((flush + 1) * 10'000));
  }
  EXPECT_OK(writer->close());
  const auto reader = openReader(path);
  EXPECT_TRUE(reader->materialized());
  EXPECT_EQ(rows(*reader, "SELECT count(*), count(DISTINCT sequence) FROM access"), "30000|30000");
  EXPECT_EQ(problems(*reader), "");
}

TEST(Materialize, DroppedTablesLeaveNoHole) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  WriterOptions options;
  options.materializeLimit = 30'000;
  auto writer = openWriter(path, options);
  EXPECT_OK(writer->addLaunch(launchRow(1)));
  EXPECT_OK(writer->updateLaunch(1, 2000, 0, ""));
  const Slots slots(20'000, header(0, 128, 4, ~0u, 4, Space::global));
  EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
  EXPECT_OK(writer->flush());  // 20,000 rows of some 50 bytes: a megabyte
  EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
  EXPECT_OK(writer->close());
  EXPECT_LT(std::filesystem::file_size(path), 400'000u);
  EXPECT_EQ(problems(*openReader(path)), "");
}

TEST(Materialize, OnRequest) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  record(path, 0, 3);
  std::uint64_t total = 0;
  EXPECT_OK(materialize(path, [&total](std::uint64_t, std::uint64_t all) {
    total = all;
    return true;
  }));
  EXPECT_EQ(rows(path, "SELECT count(*), max(sequence) FROM access"), "30|29");
  EXPECT_EQ(rows(path, "SELECT count(*) FROM access_lane"), "960");
  EXPECT_TRUE(openReader(path)->materialized());
  EXPECT_EQ(rows(path, "SELECT count(*) FROM trace_stat"), "0");
  EXPECT_OK(materialize(path));  // again: the same
  EXPECT_EQ(rows(path, "SELECT count(*) FROM access"), "30");
}

TEST(Materialize, CancelledItChangesNothing) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  record(path, 0, 2000);
  const auto unchanged = [&](const std::function<bool(std::uint64_t, std::uint64_t)>& proceed) {
    EXPECT_EQ(materialize(path, proceed).code, ErrorCode::cancelled);
    EXPECT_FALSE(openReader(path)->materialized());
    EXPECT_EQ(rows(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'access'"), "0");
  };
  unchanged([](std::uint64_t, std::uint64_t) { return false; });
  // When all rows are written there is the index to make, which asks, too.
  int complete = 0;
  unchanged([&](std::uint64_t done, std::uint64_t total) { return done < total || ++complete < 2; });
}

TEST(Materialize, NotWhileTheTraceIsWritten) {
  TemporaryFolder folder;
  const std::string path = folder.file("a.db");
  auto writer = openWriter(path);
  EXPECT_OK(writer->addLaunch(launchRow(1)));
  EXPECT_OK(writer->flush());
  EXPECT_EQ(materialize(path).code, ErrorCode::busy);
  EXPECT_OK(writer->close());
  EXPECT_OK(materialize(path));
}

TEST(Materialize, NotATrace) {
  EXPECT_EQ(materialize("/dev/null").code, ErrorCode::notADatabase);
}

}  // namespace
}  // namespace cui::db
