// What lanes of a sample's blocks log each for itself (lane_log.h): wherever there is room, whatever the
// lanes record in between, and where the pool has no log to give. How an entry is written is PTX, which the
// command writes (cli/compile/logged_text.cpp): here the same by hand.
#include "emulated/lane_log.h"
#include "exactness.h"

namespace {

using namespace recordertest;

char memory[1 << 16];

constexpr unsigned sites = 2;
using Table = unsigned long long;
const Table table[sites] = {Table{4} << cui::format::logAccessBytesShift | 0u << keyShift | 1u,
                            Table{8} << cui::format::logAccessBytesShift | 1u << keyShift | 1u};

/// What a lane has in registers.
struct Lane {
  unsigned long long held = 0;
  unsigned log = 0, counted[sites] = {};
};

__device__ void countsOf(const Lane& lane, unsigned* counts) {
  for (unsigned site = 0; site < sites; ++site) {
    counts[site] = lane.counted[site];
    counts[sites + site] = site << keyShift | 1;
  }
}
__device__ void logOne(const Probe& probe, Lane& lane, unsigned site, const char* address, unsigned bytes) {
  probe.note(site, address, bytes);
  const DeviceUnit& unit = *probe.unit;
  const LaneAccess own = laneAccess(unit, {site, bytes, address});
  const unsigned mask = __match_any_sync(__activemask(), site);
  const auto hasRoom = [&] { return __all_sync(mask, (lane.log & cui::format::logLeftMask) != 0) != 0; };
  if (!hasRoom()) {
    unsigned counts[2 * sites];
    countsOf(lane, counts);
    lane.log = logAnew(unit, lane.log, 1, table, sites, counts, sites);
    for (unsigned i = 0; i < sites; ++i) lane.counted[i] = counts[i];
    if (!hasRoom()) {
      lane.held = recordAndHold(unit, own.key, own.address, bytes, lane.held, lane.counted[site]);
      lane.counted[site] = 0;
      return;
    }
  }
  unsigned char* const row = logAt(unit, lane.log >> cui::format::logRowShift);
  unsigned* const entry = reinterpret_cast<unsigned*>(row) + 4 * laneIndex();
  entry[0] = static_cast<unsigned>(own.address);
  entry[1] = static_cast<unsigned>(own.address >> 32);
  entry[2] = mask;
  entry[3] = launchKey() << cui::format::logLaunchShift | site;
  lane.log += cui::format::logStep;
  if (laneIndex() == lowestLane(mask))
    lane.counted[site] += (1u << cui::format::ledShift) + static_cast<unsigned>(std::popcount(mask));
}
__device__ void endOf(const Probe& probe, Lane& lane) {
  unsigned counts[2 * sites];
  countsOf(lane, counts);
  endLogged(*probe.unit, lane.held, counts, sites, lane.log);
}

/// Whole warps and parts, whose lanes log differently often, and in between what the recorder writes.
__global__ void logs(Probe probe, const char* a, unsigned times, unsigned others) {
  unsigned state = threadIdx.x + 64 * blockIdx.x;
  Lane lane;
  for (unsigned time = 0; time < times; ++time) {
    logOne(probe, lane, 0, a + 4 * threadIdx.x, 4);
    state = state * 1664525u + 1013904223u;
    const unsigned at = (state >> 8) % 700;
    if (at % 4 != 0) logOne(probe, lane, 1, a + 8 * at, 8);
    if (time % others == others - 1 && at % 2 == 0) {
      putChunkBack(*probe.unit, lane.held);
      lane.held &= 0xffffffffu;
      probe.one(3, a + 4 * at, 4);
    }
  }
  endOf(probe, lane);
}
constexpr unsigned nearlyAllBlocks = ~2u;
void expectAllLogged(DeviceSettings settings, unsigned times = 100) {
  settings.sampleLimit = nearlyAllBlocks;
  for (const unsigned others : {1u, 7u, 1000u})
    expectTraced(
        {3, 96}, 4 * times, [&](const Probe& probe) { logs<<<3, 96>>>(probe, memory, times, others); },
        settings);
}
TEST(LaneLog, InThePool) {
  expectAllLogged({});
}
TEST(LaneLog, ThenByTheRecorder) {
  expectAllLogged({.spareUnits = 300});
  expectAllLogged({.spareUnits = 160, .hostChunks = 2048});
}
TEST(LaneLog, WithoutAPool) {
  expectAllLogged({.spareUnits = 0, .ringSlots = 1u << 18}, 40);
}
/// In blocks narrower than a warp, too.
TEST(LaneLog, OfNarrowBlocks) {
  expectTraced({2, dim3(8, 8)}, 4 * 60,
               [](const Probe& probe) { logs<<<2, dim3(8, 8)>>>(probe, memory, 60, 7); });
}

/// More than a lane's counts hold, at two sites of one lane.
__global__ void many(Probe probe, const char* a, unsigned times) {
  Lane lane;
  for (unsigned time = 0; time < times; ++time) {
    const unsigned site = time % 7 == 0;
    logOne(probe, lane, site, a + 8 * threadIdx.x, site == 0 ? 4 : 8);
  }
  endOf(probe, lane);
}
TEST(LaneLog, AddsCountsThatAreNearlyFull) {
  expectTraced({1, 32}, 6000, [](const Probe& probe) { many<<<1, 32>>>(probe, memory, 6000); },
               {.spareUnits = 1u << 14});
}

}  // namespace
