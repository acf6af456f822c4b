// How fast one thread takes records from a ring in host memory and hands them to the store: what bounds the
// rate of a GPU's trace beyond its pool. The ring is written past the caches, as a device does, and the
// reader is timed by its own CPU time.
#include <benchmark/benchmark.h>
#include <emmintrin.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/store_patterns.h"
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

/// A ring of one's own, filled lap by lap.
class FilledRing {
 public:
  FilledRing() : slots_(ringSlots) {
    ring_.device = 0;
    ring_.slots = slots_.data();
    ring_.slotCount = ringSlots;
    ring_.consumed = &consumed_;
    // Every resident warp in its own turn of one loop, in any order, as many multiprocessors write them.
    std::mt19937 random(1);
    std::vector<std::uint32_t> turns(4096);
    for (std::size_t i = 0; i < 64; ++i) {
      Slots& slots = batches_.emplace_back();
      while (slots.size() < batch) {
        const std::uint32_t warp = random() % 4096, turn = turns[warp]++;
        slots.push_back(header(0, 0x700000000000 + std::uint64_t{warp + turn} * 128, 4, AddressForm::affine,
                               warp / 8, warp % 8));
      }
    }
  }
  const CuiRing& ring() const { return ring_; }
  void fill() {
    ++lap_;
    const auto tag = static_cast<std::uint8_t>(1 + (lap_ - 1) % 255);
    for (std::uint64_t i = 0; i < ringSlots; ++i) {
      format::WarpRecord record = batches_[i / batch % batches_.size()][i % batch];
      record.generationA = tag;
      record.siteAndGeneration |= std::uint32_t{tag} << 24;
      __m128i halves[2];
      std::memcpy(halves, &record, sizeof halves);
      auto* to = reinterpret_cast<__m128i*>(slots_[i].word);
      _mm_stream_si128(to, halves[0]);
      _mm_stream_si128(to + 1, halves[1]);
    }
    _mm_sfence();
  }

 private:
  std::vector<Slot> slots_;
  volatile std::uint64_t consumed_ = 0;
  CuiRing ring_{};
  std::vector<Slots> batches_;
  std::uint64_t lap_ = 0;
};

void readRing(benchmark::State& state) {
  FilledRing filled;
  hostlib::RingReader reader(filled.ring());
  for (auto _ : state) {
    filled.fill();
    const double begin = threadSeconds();
    while (!reader.poll().empty()) {
    }
    state.SetIterationTime(threadSeconds() - begin);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * ringSlots));
}
BENCHMARK(readRing)->UseManualTime();

void ringToTrace(benchmark::State& state) {
  std::string folder = (std::filesystem::temp_directory_path() / "cui_bench_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) std::abort();
  FilledRing filled;
  hostlib::RingReader reader(filled.ring());
  db::WriterOptions options;
  options.encoderThreads = 1;
  std::string error;
  const auto sink = hostlib::openTraceSink(folder + "/a.db", options, false, error);
  hostlib::UnitRegistry units;
  std::uint64_t id = 1;
  hostlib::Router router(*sink, units, [&id] { return ++id; }, 1u << 28);
  CuiDevice device{};
  device.name = device.driverVersion = device.runtimeVersion = "";
  device.backend = "cuda";
  router.handle(hostlib::UnitEvent{&unit, 0});
  router.handle(hostlib::DeviceEvent{device, "", "cuda", "", ""});
  CuiLaunch launch{};
  launch.grid[0] = launch.grid[1] = launch.grid[2] = 1;
  router.handle(hostlib::LaunchEvent{0, launch});
  for (auto _ : state) {
    filled.fill();
    const double begin = threadSeconds();
    for (auto slots = reader.poll(); !slots.empty(); slots = reader.poll())
      router.route(-1, slots.data(), slots.size());
    state.SetIterationTime(threadSeconds() - begin);
  }
  sink->close();
  std::filesystem::remove_all(folder);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * ringSlots));
}
BENCHMARK(ringToTrace)->UseManualTime();

}  // namespace

BENCHMARK_MAIN();
