// The store's speed: warp records per second in (measured, compressed, written), bytes per record, and rows
// per second and time per look-up out. Each iteration makes a whole trace, from open to close. Rates are by
// CPU time.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "db/store/chunk_encoder.h"
#include "db/store/materialize.h"
#include "db/store/trace_reader.h"
#include "db/store/trace_writer.h"

namespace {

using namespace cui;
using format::AddressForm;
using format::Space;

constexpr format::FileEntry files[] = {{"bench.cu", "/bench.cu", 1}};
constexpr format::SiteEntry sites[] = {
    {1, 0, 1, 1, 1, 5, format::Kind::load, Space::global, format::Status::instrumented, 4, 0, "k", "a[i]",
     "a", "i", "float", "", "", ""},
    {2, 0, 1, 6, 1, 9, format::Kind::load, Space::global, format::Status::instrumented, 4, 0, "k", "b[i]",
     "b", "i", "float", "", "", ""},
    {3, 0, 1, 10, 1, 14, format::Kind::store, Space::global, format::Status::instrumented, 4, 0, "k", "c[i]",
     "c", "i", "float", "", "", ""}};
constexpr format::UnitTable unit = {format::unitFormatVersion,
                                    1,
                                    "bench.cu",
                                    "bench",
                                    1,
                                    3,
                                    0,
                                    0,
                                    0,
                                    0,
                                    files,
                                    sites,
                                    nullptr,
                                    nullptr,
                                    nullptr,
                                    nullptr};
constexpr std::size_t batch = 4096;  // records a drain hands over at a time

using Slots = std::vector<format::WarpRecord>;

format::WarpRecord header(std::uint32_t site, std::uint64_t address, std::int32_t stride, AddressForm form,
                          std::uint32_t block, std::uint32_t warp) {
  format::WarpRecord r = {};
  r.address = address;
  r.activeMask = ~0u;
  r.warpAndBytes = format::makeWarpAndBytes(warp, 4);
  r.flags = format::makeFlags(format::RecordType::access, form, Space::global, false);
  r.siteAndGeneration = site;
  r.block = block;
  r.stride = stride;
  return r;
}

/// Vector addition by blocks of 8 warps; `interleaved`: 64 blocks run at once, their warps in random order.
Slots regular(std::size_t first, bool interleaved) {
  Slots slots;
  std::mt19937 random(static_cast<unsigned>(first));
  for (std::size_t i = 0; i < batch; ++i) {
    const std::size_t n = first + i;
    auto warp = static_cast<std::uint32_t>(n / 3);
    if (interleaved) warp = warp / 512 * 512 + random() % 512;
    slots.push_back(header(n % 3, 0x700000000000 + (std::uint64_t{n % 3} << 30) + warp * std::uint64_t{128},
                           4, AddressForm::affine, warp / 8, warp % 8));
  }
  return slots;
}

/// A matrix product by blocks of 16 × 16 threads: a warp covers two rows, whose addresses are affine each.
Slots rows(std::size_t first) {
  Slots slots;
  constexpr std::uint64_t pitch = 512 * 4;
  for (std::size_t i = 0; i < batch; ++i) {
    // Each warp runs a loop of 512 turns, two loads in each; 8 warps take turns.
    const std::size_t n = first + i;
    const std::uint64_t k = n / 16 % 512, block = n / 16 / 512;
    const auto warp = static_cast<std::uint32_t>(n / 2 % 8);
    const bool left = n % 2 == 0;
    const std::uint64_t address = left ? 0x700000000000 + (block / 32 * 16 + warp * 2) * pitch + k * 4
                                       : 0x700010000000 + k * pitch + block % 32 * 64;
    slots.push_back(
        header(left ? 0 : 1, address, 0, AddressForm::offsets32, static_cast<std::uint32_t>(block), warp));
    std::int32_t offset[32];
    for (int lane = 0; lane < 32; ++lane)
      offset[lane] = left ? lane / 16 * static_cast<int>(pitch) : lane % 16 * 4;
    slots.resize(slots.size() + 4);
    std::memcpy(static_cast<void*>(&slots[slots.size() - 4]), offset, sizeof offset);
  }
  return slots;
}

/// Random gathers: 32 unrelated elements of 256 MiB in each record.
Slots gather(std::size_t first) {
  Slots slots;
  std::mt19937 random(static_cast<unsigned>(first));
  for (std::size_t i = 0; i < batch; ++i) {
    const auto warp = static_cast<std::uint32_t>(first + i);
    slots.push_back(header(0, 0x700010000000, 0, AddressForm::offsets32, warp / 8, warp % 8));
    std::int32_t offset[32];
    for (int lane = 0; lane < 32; ++lane)
      offset[lane] = lane == 0 ? 0 : static_cast<std::int32_t>(random() % (1u << 26)) * 4;
    slots.resize(slots.size() + 4);
    std::memcpy(static_cast<void*>(&slots[slots.size() - 4]), offset, sizeof offset);
  }
  return slots;
}

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
  db::LaunchRow launch;
  launch.launchId = 1;
  launch.grid[0] = 1u << 20;
  launch.block[0] = 256;
  launch.kernel = "k";
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
    db::LaunchRow launch;
    launch.launchId = 1;
    launch.grid[0] = largeRecords / 3 / 8 + 1;
    launch.block[0] = 256;
    launch.kernel = "k";
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
BENCHMARK_CAPTURE(query, count, "SELECT count(*) FROM access", largeRecords)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(query, max, "SELECT max(address) FROM access", largeRecords)->Unit(benchmark::kMillisecond);
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
BENCHMARK(validate)->Unit(benchmark::kMillisecond);
BENCHMARK(materializeLater)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
