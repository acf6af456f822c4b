// How fast one thread takes records from host memory, out of chunks or a ring, and hands them to the store:
// what bounds the rate of a GPU's trace beyond its pool. They are written past the caches, as a device does,
// and the reader is timed by its own CPU time. And how long small launches take that thread.
#include <benchmark/benchmark.h>
#include <emmintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/store_patterns.h"
#include "cuinstrument/format/chunks.h"
#include "hostlib/chunk_dealer.h"
#include "hostlib/chunk_reader.h"
#include "hostlib/ring_reader.h"
#include "hostlib/router.h"
#include "hostlib/trace_sink.h"
#include "hostlib/unit_registry.h"

namespace {

using namespace cui;
using namespace cui::bench;
using hostlib::Slot;

constexpr std::uint64_t ringSlots = 1u << 21;  // 64 MiB

double threadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// What resident warps record, each in its own turn of one loop, in any order, as many multiprocessors write
/// it.
class ResidentWarps {
 public:
  format::WarpRecord next() { return of(random_() % warps); }
  format::WarpRecord of(std::uint32_t warp) {
    const std::uint32_t turn = turns_[warp]++;
    return header(0, 0x700000000000 + std::uint64_t{warp + turn} * 128, 4, AddressForm::affine, warp / 8,
                  warp % 8);
  }
  static constexpr std::uint32_t warps = 4096;

 private:
  std::mt19937 random_{1};
  std::vector<std::uint32_t> turns_ = std::vector<std::uint32_t>(warps);
};

/// Past the caches, as a device writes.
void writeSlot(Slot& slot, format::WarpRecord record, std::uint8_t tag) {
  record.generationA = tag;
  record.siteAndGeneration |= std::uint32_t{tag} << 24;
  __m128i halves[2];
  std::memcpy(halves, &record, sizeof halves);
  auto* to = reinterpret_cast<__m128i*>(slot.word);
  _mm_stream_si128(to, halves[0]);
  _mm_stream_si128(to + 1, halves[1]);
}

/// A ring of one's own, filled lap by lap.
class FilledRing {
 public:
  FilledRing() : slots_(ringSlots) {
    ring_.device = 0;
    ring_.slots = slots_.data();
    ring_.slotCount = ringSlots;
    ring_.consumed = &consumed_;
    ResidentWarps warps;
    for (std::size_t i = 0; i < 64; ++i) {
      Slots& slots = batches_.emplace_back();
      while (slots.size() < batch) slots.push_back(warps.next());
    }
  }
  const CuiRing& ring() const { return ring_; }
  void fill() {
    ++lap_;
    const auto tag = static_cast<std::uint8_t>(1 + (lap_ - 1) % 255);
    for (std::uint64_t i = 0; i < ringSlots; ++i)
      writeSlot(slots_[i], batches_[i / batch % batches_.size()][i % batch], tag);
    _mm_sfence();
  }

 private:
  std::vector<Slot> slots_;
  volatile std::uint64_t consumed_ = 0;
  CuiRing ring_{};
  std::vector<Slots> batches_;
  std::uint64_t lap_ = 0;
};

/// Chunks of one's own, as many slots as in the ring; each is one warp's.
class FilledChunks {
 public:
  static constexpr std::uint32_t log2Count = 14, count = 1u << log2Count;
  static constexpr std::size_t slotsPerChunk = hostlib::ChunkReader::slotsPerChunk;
  static constexpr std::uint64_t records = std::uint64_t{count} * slotsPerChunk;

  FilledChunks() : slots_(records), full_(count), free_(count) {
    chunks_.chunks = slots_.data();
    chunks_.chunkCount = count;
    chunks_.log2QueueSize = log2Count;
    chunks_.fullQueue = full_.data();
    chunks_.freeQueue = free_.data();
    chunks_.freed = &freed_;
  }
  const CuiChunks& chunks() const { return chunks_; }
  /// All of them, and hands them over in another order than they lie.
  void fill() {
    for (std::uint32_t i = 0; i < count; ++i, ++ticket_) {
      const std::uint32_t number = (std::exchange(free_[ticket_ % count], 0) - 1) * 9973 % count;
      for (std::size_t slot = 0; slot < slotsPerChunk; ++slot)
        writeSlot(slots_[number * slotsPerChunk + slot], warps_.of(i % ResidentWarps::warps), 1);
      full_[ticket_ % count] = format::fullChunkWord(number, slotsPerChunk, ticket_, log2Count);
    }
    _mm_sfence();
  }

 private:
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> full_;
  std::vector<std::uint32_t> free_;
  std::uint64_t freed_ = 0, ticket_ = 0;
  ResidentWarps warps_;
  CuiChunks chunks_{};
};

/// How long it takes to `read` what has been filled, which is `records` each time.
template <class Filled, class Read>
void measureReading(benchmark::State& state, Filled& filled, std::uint64_t records, const Read& read) {
  for (auto _ : state) {
    filled.fill();
    const double begin = threadSeconds();
    read();
    state.SetIterationTime(threadSeconds() - begin);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * records));
}

void readRing(benchmark::State& state) {
  FilledRing filled;
  hostlib::RingReader reader(filled.ring());
  measureReading(state, filled, ringSlots, [&] {
    while (!reader.poll().empty()) {
    }
  });
}
BENCHMARK(readRing)->UseManualTime();

/// A router of one launch's records into a trace that goes with it.
class Trace {
 public:
  Trace() {
    folder_ = (std::filesystem::temp_directory_path() / "cui_bench_XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) std::abort();
    db::WriterOptions options;
    options.encoderThreads = 1;
    options.materializeLimit = 0;
    std::string error;
    sink_ = hostlib::openTraceSink(folder_ + "/a.db", options, false, error);
    router_ = std::make_unique<hostlib::Router>(*sink_, units_, [this] { return ++id_; }, 1u << 28);
    CuiDevice device{};
    device.name = device.driverVersion = device.runtimeVersion = "";
    device.backend = "cuda";
    router_->handle(hostlib::UnitEvent{&unit, 0});
    router_->handle(hostlib::DeviceEvent{device, "", "cuda", "", ""});
    CuiLaunch launch{};
    launch.grid[0] = launch.grid[1] = launch.grid[2] = 1;
    router_->handle(hostlib::LaunchEvent{0, launch});
  }
  ~Trace() {
    close();
    std::filesystem::remove_all(folder_);
  }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  void route(std::span<const Slot> records) { router_->route(-1, records.data(), records.size()); }
  void route(hostlib::SlotBatch& records) { router_->route(-1, records); }
  hostlib::Router& router() { return *router_; }
  void close() { sink_->close(); }
  void commit() { sink_->commit(); }

 private:
  std::string folder_;
  std::unique_ptr<hostlib::RecordSink> sink_;
  hostlib::UnitRegistry units_;
  std::uint64_t id_ = 1;
  std::unique_ptr<hostlib::Router> router_;
};

void ringToTrace(benchmark::State& state) {
  FilledRing filled;
  hostlib::RingReader reader(filled.ring());
  Trace trace;
  measureReading(state, filled, ringSlots, [&] {
    for (auto slots = reader.poll(); !slots.empty(); slots = reader.poll()) trace.route(slots);
  });
}
BENCHMARK(ringToTrace)->UseManualTime();

/// What one thread of those that read chunks does.
void readChunks(benchmark::State& state) {
  FilledChunks filled;
  hostlib::ChunkReader reader(filled.chunks());
  hostlib::ChunkDealer dealer(0);
  measureReading(state, filled, FilledChunks::records, [&] {
    if (dealer.poll(reader, FilledChunks::count, [](hostlib::SlotBatch&) {}) != FilledChunks::count)
      std::abort();
  });
}
BENCHMARK(readChunks)->UseManualTime();

/// What is left to the thread that hands them to the store, where so many others read them.
void chunksToTrace(benchmark::State& state) {
  FilledChunks filled;
  hostlib::ChunkReader reader(filled.chunks());
  hostlib::ChunkDealer dealer(static_cast<unsigned>(state.range(0)));
  Trace trace;
  measureReading(state, filled, FilledChunks::records, [&] {
    if (dealer.poll(reader, FilledChunks::count,
                    [&](hostlib::SlotBatch& records) { trace.route(records); }) != FilledChunks::count)
      std::abort();
  });
}
BENCHMARK(chunksToTrace)->ArgName("readers")->Arg(0)->Arg(1)->Arg(2)->UseManualTime();

/// Small launches of four warps, which load, load and store: `lead` of them have run before the thread hears
/// of the first launch, as where a rush of them found it busy. The process's time has what encodes them and
/// what writes rows in it.
void smallLaunches(benchmark::State& state) {
  constexpr std::int32_t device = 0;
  constexpr std::uint32_t takenOverAtOnce = 5000;
  const auto count = static_cast<std::uint32_t>(state.range(0)),
             lead = static_cast<std::uint32_t>(state.range(1));
  for (auto _ : state) {
    Trace trace;
    hostlib::Router& router = trace.router();
    router.handle(hostlib::GridBaseEvent{device, 1});
    router.attachRing(device);
    CuiLaunch launch = {};
    launch.device = device;
    launch.grid[0] = launch.grid[1] = launch.grid[2] = 1;
    launch.block[0] = 128;
    launch.block[1] = launch.block[2] = 1;
    const auto run = [&](std::uint32_t grid) {
      Slot slots[13];
      for (std::uint32_t i = 0; i < 13; ++i) {
        format::WarpRecord record =
            header((i + 2) % 3, 0x700000000000 + i * 128, 4, AddressForm::affine, 0, i % 4);
        if (i == 0) {
          record.flags =
              format::makeFlags(format::RecordType::kernelEntry, AddressForm::affine, Space::global, false);
          record.activeMask = 128;
          record.block = 1;
          record.address = std::uint64_t{1 + grid} << format::kernelNumberBits;  // when kernel 0 began
          record.siteAndGeneration = 0;
          record.stride = 0;  // of no graph
        }
        record.launch = grid;
        std::memcpy(&slots[i], &record, sizeof record);
      }
      router.route(device, slots, 13);
    };
    const auto tell = [&](std::uint64_t id) {
      router.handle(
          hostlib::LaunchMadeEvent{{id, launch}, {id, static_cast<std::int64_t>(1000 * id), 0, ""}});
      router.handle(
          hostlib::LaunchTimeEvent{id, CUI_BEGIN_IN_ENTRY, static_cast<std::int64_t>(1000 * id + 5000)});
    };
    hostlib::CountersEvent counters{device, {}};
    std::mt19937 random{1};
    const double begin = threadSeconds();
    for (std::uint32_t i = 1; i <= count + lead; ++i) {
      if (i <= count) run(i);
      if (i > lead) tell(i - lead);
      if (i <= lead || i % takenOverAtOnce != 0) continue;
      for (std::uint32_t grid = i - lead; grid > i - lead - takenOverAtOnce; --grid)
        for (std::uint32_t site = 0; site < 3; ++site) counters.counters.push_back({grid, site, 4, 128});
      std::shuffle(counters.counters.begin(), counters.counters.end(), random);  // as in the device's table
      router.handle(counters);
      counters.counters.clear();
      router.handle(hostlib::SettleEvent{device});
      trace.commit();
    }
    router.finish();
    trace.close();
    state.SetIterationTime(threadSeconds() - begin);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * count));
}
BENCHMARK(smallLaunches)
    ->ArgNames({"launches", "lead"})
    ->Args({10000, 0})
    ->Args({10000, 10000})
    ->Args({100000, 0})
    ->Args({100000, 100000})
    ->MeasureProcessCPUTime()
    ->UseManualTime();

}  // namespace

BENCHMARK_MAIN();
