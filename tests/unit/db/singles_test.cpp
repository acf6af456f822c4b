// TraceWriter::addSingles(): accesses that are taken over without a look at each.
#include <gtest/gtest.h>

#include "tests/unit/db/read_back.h"
#include "tests/unit/db/trace_fixture.h"

namespace cui::db {
namespace {

using namespace test;

// Beside the usual way, in between and across the ends of chunks; with a site that no unit has.
TEST(Singles, AreRecordsLikeAll) {
  const TemporaryFolder folder;
  constexpr std::size_t count = 3000;
  Slots slots;
  for (std::uint32_t i = 0; i < count; ++i)
    slots.push_back(header(i % 3, 4096 + 128 * i, 4, ~0u, 4, i % 3 == 2 ? Space::shared : Space::global,
                           AddressForm::affine, false, i / 8, i % 8));
  slots[1500].siteAndGeneration = siteBase + 5;  // the unit has 0 to 4
  const auto record = [&](const char* name, auto&& add) {
    WriterOptions options;
    options.chunkRecords = 1000;
    const std::string path = folder.file(name);
    const auto writer = openWriter(path, options);
    EXPECT_OK(writer->addLaunch(launchRow(1, 1000, 256)));
    EXPECT_OK(writer->addRecords(1, slots.data(), 10));
    for (std::size_t at = 0; at < count; at += 500) EXPECT_OK(add(*writer, slots.data() + at));
    EXPECT_OK(writer->addRecords(1, slots.data(), 10));
    EXPECT_OK(writer->close());
    return path;
  };
  const std::string usual = record("usual.db", [](TraceWriter& writer, const format::WarpRecord* part) {
    return writer.addRecords(1, part, 500);
  });
  const std::string quick = record("quick.db", [](TraceWriter& writer, const format::WarpRecord* part) {
    const bool known = (part->siteAndGeneration & 0xffffff) != siteBase + 5;
    return writer.addSingles(1, part, 500, siteBase, known ? siteBase + 2 : siteBase + 5);
  });
  for (const char* sql :
       {"SELECT sequence, site_id, block_x, warp, active_mask, address, stride, bytes, space FROM access "
        "ORDER BY 1",
        "SELECT * FROM site_metric ORDER BY 1, 2", "SELECT name, severity, value FROM trace_stat ORDER BY 1",
        "SELECT first_sequence, record_count FROM access_chunk ORDER BY 1"})
    EXPECT_EQ(rows(quick, sql), rows(usual, sql)) << sql;
  EXPECT_EQ(rows(quick, "SELECT count(*), max(sequence) FROM access"), "3019|3018");
  EXPECT_EQ(rows(quick, "SELECT name, value FROM trace_stat"), "unknown_site|1");
}

// Their memory is the store's, and what comes before, after and in small pieces keeps its place.
TEST(Singles, ManyInMemoryThatTheStoreTakes) {
  const TemporaryFolder folder;
  WriterOptions options;
  options.chunkRecords = 1000;
  options.encoderThreads = 2;
  Slots slots;
  for (std::uint32_t i = 0; i < 10'000; ++i)
    slots.push_back(header(i % 3, 4096 + 128 * i, 4, ~0u, 4, Space::global, AddressForm::affine, false, i));
  const std::string usual = folder.file("usual.db"), quick = folder.file("quick.db");
  {
    const auto writer = openWriter(usual, options);
    EXPECT_OK(writer->addLaunch(launchRow(1, 1000, 256)));
    EXPECT_OK(writer->addRecords(1, slots.data(), slots.size()));
    EXPECT_OK(writer->close());
  }
  {
    const auto writer = openWriter(quick, options);
    EXPECT_OK(writer->addLaunch(launchRow(1, 1000, 256)));
    SlotMemory memory;
    std::size_t at = 0, kept = 0;
    // Too few, as many as wanted, too many, then a site that no unit has.
    for (const std::size_t count : {10u, 1000u, 700u, 499u, 1000u, 1001u, 1000u, 90u, 1000u, 1000u}) {
      if (memory.capacity() < count) memory = SlotMemory(1001);
      std::copy_n(slots.begin() + static_cast<std::ptrdiff_t>(at), count, memory.data());
      const format::WarpRecord* const before = memory.data();
      EXPECT_OK(writer->takeSingles(1, memory, count, siteBase, siteBase + (at == 6300 ? 5 : 2)));
      kept += memory.data() != before;
      at += count;
    }
    EXPECT_EQ(kept, 5u);
    EXPECT_OK(writer->addRecords(1, slots.data() + at, slots.size() - at));
    EXPECT_EQ(writer->recordCount(), slots.size());
    EXPECT_OK(writer->close());
  }
  for (const char* sql :
       {"SELECT sequence, site_id, block_x, warp, active_mask, address, stride, bytes, space FROM access "
        "ORDER BY 1",
        "SELECT * FROM site_metric ORDER BY 1, 2", "SELECT name, severity, value FROM trace_stat ORDER BY 1"})
    EXPECT_EQ(rows(quick, sql), rows(usual, sql)) << sql;
  EXPECT_EQ(rows(quick, "SELECT first_sequence, record_count FROM access_chunk ORDER BY 1 LIMIT 4"),
            "0|10\n10|1000\n1010|700\n1710|499");
}

}  // namespace
}  // namespace cui::db
