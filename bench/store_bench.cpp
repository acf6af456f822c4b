// The store's speed: warp records per second in (measured, compressed, written), bytes per record, and rows
// per second and time per look-up out. Each iteration makes a whole trace, from open to close. Rates are by
// CPU time.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/store_bound.h"
#include "bench/store_patterns.h"
#include "db/store/chunk_encoder.h"
#include "db/store/materialize.h"
#include "db/store/trace_reader.h"
#include "db/store/trace_writer.h"

namespace {

using namespace cui;
using namespace cui::bench;

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "cui_bench_XXXXXX").string();
    if (mkdtemp(name.data())) path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string trace() const { return (path_ / "a.db").string(); }

 private:
  std::filesystem::path path_;
};

/// Records `count` records made of a few prepared batches; the file's size.
std::uintmax_t record(const std::string& path, const std::vector<Slots>& batches, std::size_t count,
                      std::uint64_t materializeLimit, unsigned threads = 0) {
  db::WriterOptions options;
  options.materializeLimit = materializeLimit;
  options.encoderThreads = threads;
  db::Error error;
  auto writer = db::TraceWriter::open(path, options, error);
  if (!writer) std::abort();
  const db::LaunchRow launch = launchOf(count);
  error = writer->addUnit(unit, 0);
  if (!error) error = writer->addLaunch(launch);
  for (std::size_t done = 0, next = 0; done < count && !error;
       done += batch, next = (next + 1) % batches.size())
    error = writer->addRecords(1, batches[next].data(), batches[next].size());
  if (!error) error = writer->close();
  if (error) std::abort();
  return std::filesystem::file_size(path);
}

std::vector<Slots> batchesOf(int pattern) {
  std::vector<Slots> batches;
  for (std::size_t i = 0; i < 256; ++i)
    batches.push_back(pattern == 3   ? rows(i * batch)
                      : pattern == 2 ? gather(i * batch)
                                     : regular(i * batch, pattern == 1));
  return batches;
}

void ingest(benchmark::State& state, int pattern, std::size_t count, std::uint64_t materializeLimit,
            unsigned threads = 0) {
  const std::vector<Slots> batches = batchesOf(pattern);
  const Folder folder;
  std::uintmax_t bytes = 0;
  for (auto _ : state) bytes = record(folder.trace(), batches, count, materializeLimit, threads);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * count));
  state.counters["bytes_per_record"] = static_cast<double>(bytes) / static_cast<double>(count);
}

/// Small launches, whose records come in turn: one of each, again and again, as a GPU's pool hands on what
/// its warp slots did.
void inTurn(benchmark::State& state, std::uint64_t launches, std::size_t rounds) {
  const Slots slots = regular(0, false);
  const Folder folder;
  for (auto _ : state) {
    db::WriterOptions options;
    options.materializeLimit = 0;
    options.encoderThreads = 0;
    db::Error error;
    const auto writer = db::TraceWriter::open(folder.trace(), options, error);
    if (!writer) std::abort();
    error = writer->addUnit(unit, 0);
    for (std::uint64_t id = 1; id <= launches && !error; ++id) {
      db::LaunchRow launch = launchOf(rounds);
      launch.launchId = id;
      error = writer->addLaunch(launch);
    }
    for (std::size_t round = 0; round < rounds; ++round)
      for (std::uint64_t id = 1; id <= launches && !error; ++id)
        error = writer->addRecords(id, &slots[round % slots.size()], 1);
    if (!error) error = writer->close();
    if (error) std::abort();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * launches * rounds));
  state.counters["bytes_per_record"] = static_cast<double>(std::filesystem::file_size(folder.trace())) /
                                       static_cast<double>(launches * rounds);
}

/// The encoder alone, as its threads run it: no drain, no database.
void encodeOnly(benchmark::State& state, int pattern) {
  const std::vector<Slots> batches = batchesOf(pattern);
  db::ChunkEncoder encoder;
  db::Segment segment;
  segment.siteBytes = std::make_shared<std::vector<std::uint32_t>>(3, 4);
  for (std::size_t i = 0; i < 8; ++i)
    for (const format::WarpRecord* record = batches[i].data();
         record != batches[i].data() + batches[i].size();) {
      const std::size_t slots = 1 + format::payloadSlots(record->flags, format::bytesOf(*record));
      segment.append(record, slots, format::siteOf(*record));
      record += slots;
    }
  std::size_t bytes = 0;
  for (auto _ : state) bytes = encoder.encode(segment).data.size();
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * segment.recordCount));
  state.counters["bytes_per_record"] = static_cast<double>(bytes) / static_cast<double>(segment.recordCount);
}

constexpr std::size_t largeRecords = 1 << 25;

/// A large trace without plain tables, made once: 2^25 warp records, 2^30 thread accesses, of a vector
/// addition in blocks that run 64 at a time.
const std::string& largeTrace() {
  static const Folder folder;
  static const std::string path = [] {
    db::WriterOptions options;
    options.materializeLimit = 0;
    db::Error error;
    const auto writer = db::TraceWriter::open(folder.trace(), options, error);
    if (!writer) std::abort();
    const db::LaunchRow launch = launchOf(largeRecords);
    error = writer->addUnit(unit, 0);
    if (!error) error = writer->addLaunch(launch);
    for (std::size_t done = 0; done < largeRecords && !error; done += batch) {
      const Slots slots = regular(done, true);
      error = writer->addRecords(1, slots.data(), slots.size());
    }
    if (!error) error = writer->close();
    if (error) std::abort();
    return folder.trace();
  }();
  return path;
}

/// One query on the virtual tables; `rows`: how many it looks at, 0 where that says nothing. `?` in the SQL
/// is another number for each run.
void query(benchmark::State& state, const char* sql, std::size_t rows) {
  db::Error error;
  const auto reader = db::TraceReader::open(largeTrace(), error);
  if (!reader) {
    state.SkipWithError(error.message.c_str());
    return;
  }
  std::int64_t number = 0;
  for (auto _ : state) {
    number = (number * 6364136223846793005 + 1442695040888963407) & 0x7fffffff;
    const db::Value parameter = number % static_cast<std::int64_t>(largeRecords / 3);
    const bool takes = std::string_view(sql).find('?') != std::string_view::npos;
    error = reader->query(sql, [](db::Row) { return true; }, {&parameter, takes ? 1u : 0u});
    if (error) state.SkipWithError(error.message.c_str());
  }
  if (rows != 0) state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * rows));
}

/// The bound of the scans above: a table that does nothing but count.
void bound(benchmark::State& state, const char* sql) {
  const CountingTable table(largeRecords);
  for (auto _ : state) benchmark::DoNotOptimize(table.ask(sql));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * largeRecords));
}

void validate(benchmark::State& state) {
  constexpr std::size_t count = 8 << 20;
  const Folder folder;
  record(folder.trace(), batchesOf(1), count, 0);
  for (auto _ : state) {
    db::Error error;
    const auto reader = db::TraceReader::open(folder.trace(), error);
    benchmark::DoNotOptimize(reader->validate(error));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * count));
}

void materializeLater(benchmark::State& state) {
  constexpr std::size_t count = 1 << 20;
  const Folder folder;
  record(folder.trace(), batchesOf(0), count, 0);
  for (auto _ : state)
    if (db::materialize(folder.trace())) state.SkipWithError("materialize failed");
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * count));
}

BENCHMARK_CAPTURE(encodeOnly, affine, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encodeOnly, affine_interleaved, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encodeOnly, gather, 2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encodeOnly, rows, 3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ingest, affine, 0, 16 << 20, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ingest, affine_interleaved, 1, 16 << 20, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ingest, gather, 2, 1 << 20, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ingest, rows, 3, 1 << 20, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ingest, affine_with_plain_rows, 0, 1 << 19, 1 << 20)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ingest, affine_2_threads, 0, 16 << 20, 0, 2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ingest, gather_2_threads, 2, 1 << 20, 0, 2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(inTurn, 200_launches, 200, 1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(inTurn, 10000_launches, 10'000, 100)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, count, "SELECT count(*) FROM access", largeRecords)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, max, "SELECT max(address) FROM access", largeRecords)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, total_by_site,
                  "SELECT site_id, sum(requests), sum(thread_accesses) FROM access_total GROUP BY site_id",
                  largeRecords)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, total_by_warp_and_mask,
                  "SELECT warp, active_mask, sum(requests) FROM access_total GROUP BY 1, 2", largeRecords)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, total_extent, "SELECT min(min_address), max(max_address) FROM access_total",
                  largeRecords)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, total_by_block, "SELECT block_x, sum(requests) FROM access_total GROUP BY 1 LIMIT 1",
                  largeRecords)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(
    query, group,
    "SELECT site_id, count(*), sum(bytes) FROM access WHERE launch_id = 1 AND sequence < 1048576 "
    "GROUP BY site_id",
    1 << 20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, filtered,
                  "SELECT count(*) FROM access WHERE warp = 7 AND block_x > 1000 AND address > 99",
                  largeRecords)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, max_lanes,
                  "SELECT max(address) FROM thread_access WHERE launch_id = 1 AND sequence < 1048576",
                  (1 << 20) * 32)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, point_sequence, "SELECT * FROM access WHERE launch_id = 1 AND sequence = ?", 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, point_block,
                  "SELECT * FROM access WHERE launch_id = 1 AND block_x = ? / 8 AND warp = 3", 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, point_address, "SELECT * FROM access WHERE address = 123145302310912 + ? * 128", 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, point_lane, "SELECT * FROM access_lane WHERE launch_id = 1 AND sequence = ?", 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bound, max, "SELECT max(address) FROM counting")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bound, count, "SELECT count(*) FROM counting")->Unit(benchmark::kMillisecond);
BENCHMARK(validate)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(materializeLater)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
