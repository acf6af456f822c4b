// Where records go when the first chunks are full: to others of the pool, to chunks in the host's memory, to
// the ring; and what else they say: values and barriers.
#include <time.h>

#include <cstring>

#include "exactness.h"
#if !defined(CUI_RECORDER_LINKED)  // there, functions of the module announce kernels
#include "emulated/facts.h"
#endif

namespace {

using namespace recordertest;

char memory[1 << 16];

/// Whole warps and parts of them, records of one slot, of five and of nine.
__global__ void mixture(Probe probe, const char* a, unsigned times) {
  for (unsigned time = 0; time < times; ++time) {
    probe.one(0, a + 4 * threadIdx.x, 4);
    probe.one(1, a + threadIdx.x * threadIdx.x % 61 * 4, 4);
    if (threadIdx.x % 3 != 0) probe.one(2, a + threadIdx.x * 8 + (time % 2 != 0 ? 1ll << 40 : 0), 8);
    if (threadIdx.x % 32 > 29) probe.two(3, a + 4 * threadIdx.x, 4, a + 64, 4);
  }
}

void expectAllKept(const DeviceSettings& settings, unsigned times = 60) {
  expectTraced(
      {4, 96}, 6 * times, [&](const Probe& probe) { mixture<<<4, 96>>>(probe, memory, times); }, settings);
}

TEST(Room, OfThePool) {
  expectAllKept({});
}

TEST(Room, OfTheRingAlone) {
  expectAllKept({.spareUnits = 0, .ringSlots = 1u << 18}, 200);
}

TEST(Room, OfChunksInTheHostsMemory) {
  expectAllKept({.spareUnits = 0, .hostChunks = 2048}, 200);
}

TEST(Room, OfAFewChunksThenTheRing) {
  expectAllKept({.spareUnits = 20, .hostChunks = 40, .waitNs = 50000}, 60);
}

__global__ void together(Probe probe, const char* a) {
  for (unsigned time = 0; time < 20; ++time) {
    probe.two(0, a + 4 * threadIdx.x, 4, a + 8 * threadIdx.x, 4);
    probe.one(4, a + threadIdx.x * threadIdx.x % 61 * 4, 4);
  }
}

// The entries of another launch are in the first places of all counts of one half of the table.
TEST(Room, ForCountsBesideAnotherLaunchs) {
  for (const unsigned half : {0u, 1u}) {
    SCOPED_TRACE("half " + std::to_string(half));
    Device device;
    CounterTable& table = *device.context().constants.counters;
    for (unsigned i = 0; i < counterTableSize / 2; ++i) {
      CounterKey& key = table.keys[half * counterTableSize / 2 + i];
      key.key = counterKey(~0u, i);
      key.inverse = ~key.key;
    }
    const Notes notes(device, 4 * 96, 200);
    mixture<<<4, 96>>>(notes.probe(), memory, 20);
    finish();
    together<<<4, 96>>>(notes.probe(), memory);
    finish();
    expectExact(device, notes, device.requests(), 96);
  }
}

TEST(Room, NoneIsCountedAndEndsTheWait) {
  Device device({.spareUnits = 0, .ringSlots = 64, .waitNs = 1000000});
  const Notes notes(device, 4 * 96, 1200);
  mixture<<<4, 96>>>(notes.probe(), memory, 200);
  finish();
  EXPECT_GT(device.context().state.dropped, 0u);
  // Counted they are all the same, so that what is missing is known.
  std::uint64_t counted = 0;
  for (const auto& [site, sums] : device.counts()) counted += sums.first;
  EXPECT_EQ(counted, device.requests().size() + device.context().state.dropped);
}

__global__ void storing(Probe probe, const float* a, const double2* wide) {
  const LaneAccess own = laneAccess(*probe.unit, {0, 4, a + threadIdx.x});
  recordGeneral(probe.unit->context, __activemask(), own.key, own.address, 4, a + threadIdx.x);
  if (threadIdx.x % 2 == 0) return;
  const LaneAccess pair = laneAccess(*probe.unit, {1, 16, wide + threadIdx.x * threadIdx.x});
  recordGeneral(probe.unit->context, __activemask(), pair.key, pair.address, 16, wide + threadIdx.x);
}

TEST(Room, OfValues) {
  float values[64];
  double2 wide[64];
  for (int i = 0; i < 64; ++i) {
    values[i] = static_cast<float>(i) + 0.5f;
    wide[i] = double2{i + 0.25, -i - 0.75};
  }
  Device device;
  const Notes notes(device, 64, 1);
  storing<<<1, 64>>>(notes.probe(), values, wide);
  finish();
  std::size_t lanes = 0;
  for (const Request& request : device.requests())
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((request.mask >> lane & 1u) == 0) continue;
      const unsigned thread = request.warp * 32 + lane;
      const bool narrow = request.bytes == 4;
      const void* const expected = narrow ? static_cast<const void*>(&values[thread]) : &wide[thread];
      ASSERT_EQ(
          std::memcmp(request.values.data() + std::size_t{lane} * request.bytes, expected, request.bytes), 0);
      ++lanes;
    }
  EXPECT_EQ(lanes, 64u + 32u);
}

__global__ void meetingAtBarriers(Probe probe, const char* a) {
  for (unsigned phase = 0; phase < 5; ++phase) {
    probe.one(phase, a + 4 * threadIdx.x, 4);
    if (threadIdx.x % 32 >= 16) probe.one(10 + phase, a + threadIdx.x * 12, 4);
    __syncthreads();
    if (isOn(*probe.unit)) passBarrier(probe.unit->context, __activemask(), false);
  }
}

TEST(Room, OfBarriers) {
  Device device;
  const Notes notes(device, 128, 10);
  meetingAtBarriers<<<1, 128>>>(notes.probe(), memory);
  finish();
  const std::vector<Request> requests = device.requests();
  expectExact(device, notes, requests, 128);
  for (const Request& request : requests)
    EXPECT_EQ(request.barriers, (request.site - DeviceSettings().siteBase) % 10) << "site " << request.site;
}

__global__ void announced(DeviceUnit* unit) {
#if !defined(CUI_RECORDER_LINKED)
  kernelEntry(*unit, 7);
#else
  if (blockIdx.x == 0 && threadIdx.x < 32)
    recordFact(unit->context, __activemask(), cui::format::RecordType::kernelEntry, unit->siteBase, 7,
               blockDim.x, gridDim.x, 0);
#endif
}

// One record, of the first block, with the time; also where only a sample is recorded, in either mode.
TEST(Room, OfAKernelsEntry) {
  for (const bool profile : {false, true}) {
    Device device({.profile = profile});
    device.unit().recordedBlocks = recordedBelow(cui::format::sampleLimit(64));
    const auto now = [] {
      timespec time;
      clock_gettime(CLOCK_MONOTONIC, &time);  // as the CPU backend's %globaltimer
      return time.tv_sec * 1000000000ull + time.tv_nsec;
    };
    const auto began = [](std::uint64_t ns) {
      return cui::format::kernelBeganOf(cui::format::kernelAddress(0, ns));
    };
    const std::uint64_t begin = now();
    announced<<<3, 64>>>(&device.unit());
    finish();
    ASSERT_EQ(device.context().cursor.tail, 1u);
    cui::format::WarpRecord entry;
    std::memcpy(&entry, device.context().slots, sizeof entry);
    EXPECT_EQ(cui::format::typeOf(entry.flags), cui::format::RecordType::kernelEntry);
    EXPECT_EQ(cui::format::kernelNumberOf(entry.address), 7u);
    EXPECT_LE(began(begin), cui::format::kernelBeganOf(entry.address));
    EXPECT_GE(began(now()), cui::format::kernelBeganOf(entry.address));
    EXPECT_EQ(entry.activeMask, 64u);
    EXPECT_EQ(entry.block, 3u);
  }
}

// The host switches recording off while a record is made: that one is completed, and there are no others.
__global__ void switching(DeviceUnit* unit, const float* a) {
#if !defined(CUI_RECORDER_LINKED)
  kernelEntry(*unit, 0);
#endif
  if (!isOn(*unit)) return;
  const LaneAccess own = laneAccess(*unit, {0, 4, a + threadIdx.x});
  __syncthreads();
  if (threadIdx.x == 0) *unit = switchedOff(*unit);
  __syncthreads();
  recordGeneral(unit->context, __activemask(), own.key, own.address, 4, nullptr);
}

TEST(Room, IsThereForARecordThatIsSwitchedOff) {
  Device device;
  const auto run = [&device] {
    switching<<<1, 64>>>(&device.unit(), reinterpret_cast<const float*>(memory));
    finish();
    return device.context().cursor.tail;
  };
  const auto facts = run();
#if !defined(CUI_RECORDER_LINKED)
  EXPECT_NE(facts, 0u);
#endif
  EXPECT_EQ(run(), facts);
  ASSERT_EQ(device.counts().size(), 1u);
  EXPECT_EQ(device.counts().begin()->second.first, 2u);  // one for each warp
}

}  // namespace
