// Records that kernels write themselves, into chunks that their lanes hold (in_place.h): whatever else the
// lanes record in between, and wherever there is room. How such a record is written is PTX, which the command
// writes (cli/compile/in_place_text.cpp): here the same by hand.
#include "emulated/in_place.h"
#include "exactness.h"

namespace {

using namespace recordertest;

char memory[1 << 16];

constexpr unsigned sites = 3;

/// What a lane has in registers.
struct Lane {
  unsigned long long held = 0;
  unsigned counted[sites] = {};
};

__device__ void writeInPlace(const Probe& probe, Lane& lane, unsigned site, const char* address,
                             unsigned bytes) {
  probe.note(site, address, bytes);
  const DeviceUnit& unit = *probe.unit;
  const LaneAccess own = laneAccess(unit, {site, bytes, address});
  // In a kernel each site asks by itself who comes.
  const unsigned mask = __match_any_sync(__activemask(), site), leader = lowestLane(mask);
  const bool leads = laneIndex() == leader;
  unsigned next = static_cast<unsigned>(lane.held), above = static_cast<unsigned>(lane.held >> 32);
  const unsigned long long first = __shfl_sync(mask, own.address, static_cast<int>(leader));
  const long long distance = static_cast<long long>(own.address - first);
  const bool line = __all_sync(mask, distance == (static_cast<int>(laneIndex()) - static_cast<int>(leader)) *
                                                     static_cast<long long>(bytes));
  const bool counts = (lane.counted[site] & cui::format::fullCount) == 0;
  const bool near = distance == static_cast<int>(distance);
  const auto hasRoom = [&] {
    return !leads || (above >> cui::format::heldRoomShift) >= cui::format::mostHeldSlots;
  };
  const auto canWrite = [&] { return __all_sync(mask, hasRoom() && counts && near) != 0; };
  if (!canWrite()) {
    lane.held = holdAnew(unit, lane.held, cui::format::mostHeldSlots);
    next = static_cast<unsigned>(lane.held), above = static_cast<unsigned>(lane.held >> 32);
    if (!canWrite()) {
      lane.held = recordAndHold(unit, own.key, own.address, bytes, lane.held, lane.counted[site]);
      lane.counted[site] = 0;
      return;
    }
  }
  const unsigned slot = __shfl_sync(mask, next, static_cast<int>(leader));
  unsigned char* const place = slotAt(unit.constants, slot);
  if (!line)
    reinterpret_cast<int*>(place + cui::format::slotBytes)[laneIndex()] = static_cast<int>(distance);
  if (!leads) return;
  lane.counted[site] += (1u << cui::format::ledShift) + static_cast<unsigned>(std::popcount(mask));
  RecordHead head;
  head.address = first;
  head.maskWord = mask;
  head.site = own.key >> keyShift;
  head.stride = line && (mask & (mask - 1)) != 0 ? static_cast<int>(bytes) : 0;
  using Form = cui::format::AddressForm;
  head.shape = makeShape(bytes, line ? Form::affine : Form::offsets32, spaceOf(own.key), false);
  *reinterpret_cast<cui::format::WarpRecord*>(place) = accessHeader(head, launchKey(), above & 0xffu);
  const unsigned slots = line ? 1 : 5;
  next += slots;
  above -= slots << cui::format::heldRoomShift;
  lane.held = static_cast<unsigned long long>(above) << 32 | next;
}

/// Three accesses of a loop of a whole warp, of which the i-th goes on by 4 * (i + 1) bytes.
__device__ void writeLoopInPlace(const Probe& probe, Lane& lane, unsigned long long& where, unsigned site,
                                 const char* address, unsigned times) {
  constexpr unsigned accesses = 3, slots = 1 + accesses, mask = 0xffffffffu;
  for (unsigned time = 0; time < times; ++time)
    for (unsigned i = 0; i < accesses; ++i) probe.note(site + i, address + 64 * i + 4 * (i + 1) * time, 4);
  const DeviceUnit& unit = *probe.unit;
  LoopAccess own = {};
  for (unsigned i = 0; i < accesses; ++i) {
    const LaneAccess access = laneAccess(unit, {site + i, 4, address + 64 * i});
    const unsigned long long first = __shfl_sync(mask, access.address, 0);
    if (laneIndex() == i) own = {{first, 4, 0, 0}, static_cast<int>(4 * (i + 1)), access.key, 4};
  }
  const auto isReady = [&] {
    const bool room =
        laneIndex() != 0 || (static_cast<unsigned>(lane.held >> 32) >> cui::format::heldRoomShift) >= slots;
    return __all_sync(mask, room && (laneIndex() >= accesses || where != 0)) != 0;
  };
  if (!isReady()) {
    lane.held = holdAnew(unit, lane.held, slots);
    where = findCounts(unit, own.key, accesses);
  }
  if (!isReady()) {
    putChunkBack(unit, lane.held);
    lane.held = 0;
    recordForms(unit, own, accesses, times);
    return;
  }
  const unsigned above = __shfl_sync(mask, static_cast<unsigned>(lane.held >> 32), 0);
  const unsigned slot = __shfl_sync(mask, static_cast<unsigned>(lane.held), 0), index = laneIndex();
  cui::format::WarpRecord record = loopRecord(own);
  record.siteAndGeneration &= index == accesses ? 0 : ~0u;
  if (index == accesses) makeLoopHeader(record, mask, accesses, times);
  record.generationA = static_cast<unsigned char>(above);
  record.siteAndGeneration |= (above & 0xffu) << 24;
  if (index <= accesses)
    *reinterpret_cast<cui::format::WarpRecord*>(
        slotAt(unit.constants, slot + (index == accesses ? 0 : 1 + index))) = record;
  if (index < accesses) atomicAdd(reinterpret_cast<unsigned long long*>(where), times);
  if (index == 0)
    lane.held += slots - (static_cast<unsigned long long>(slots << cui::format::heldRoomShift) << 32);
}

__device__ void putBack(const Probe& probe, Lane& lane) {
  putChunkBack(*probe.unit, lane.held);
  lane.held &= 0xffffffffu;
}
__device__ void end(const Probe& probe, Lane& lane) {
  unsigned counts[2 * sites];
  for (unsigned site = 0; site < sites; ++site) {
    counts[site] = lane.counted[site];
    counts[sites + site] = site << keyShift | 1;
  }
  endInPlace(*probe.unit, lane.held, counts, sites);
}

__device__ unsigned noise(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

/// Whole warps and parts, lines and tables, far places, and in between what the recorder writes.
__global__ void mixture(Probe probe, const char* a, unsigned times, unsigned others) {
  unsigned state = threadIdx.x + 64 * blockIdx.x;
  Lane lane;
  for (unsigned time = 0; time < times; ++time) {
    writeInPlace(probe, lane, 0, a + 4 * threadIdx.x, 4);
    const unsigned at = noise(state) % 700;
    if (at % 4 != 0) writeInPlace(probe, lane, 1, a + 8 * at, 8);
    if (at % 16 == 3) writeInPlace(probe, lane, 2, a + at + (at % 5 == 0 ? 1ll << 40 : 0), 1);
    if (time % others != others - 1) continue;
    if (at % 2 != 0) continue;  // a part puts back what it holds, the others go on
    putBack(probe, lane);
    probe.one(3, a + 4 * at, 4);
  }
  end(probe, lane);
}
void expectAllKept(const DeviceSettings& settings, unsigned times = 60) {
  for (const unsigned others : {1u, 7u, 1000u})
    expectTraced(
        {3, 96}, 4 * times, [&](const Probe& probe) { mixture<<<3, 96>>>(probe, memory, times, others); },
        settings);
}
TEST(InPlace, InThePool) {
  expectAllKept({});
}
/// In blocks narrower than a warp, too.
TEST(InPlace, OfNarrowBlocks) {
  expectTraced({2, dim3(8, 8)}, 4 * 60,
               [](const Probe& probe) { mixture<<<2, dim3(8, 8)>>>(probe, memory, 60, 7); });
}
/// In a sample, where lanes that lead have large chunks as long as the pool has many.
constexpr unsigned nearlyAllBlocks = ~2u;
TEST(InPlace, OfASample) {
  expectAllKept({.sampleLimit = nearlyAllBlocks}, 80);
  expectAllKept({.spareUnits = 600, .sampleLimit = nearlyAllBlocks}, 80);
  expectAllKept({.spareUnits = 40, .hostChunks = 2048, .sampleLimit = nearlyAllBlocks}, 120);
}
TEST(InPlace, WithoutAPool) {
  expectAllKept({.spareUnits = 0, .ringSlots = 1u << 18}, 120);
}
TEST(InPlace, ThenInTheHostsMemory) {
  expectAllKept({.spareUnits = 0, .hostChunks = 2048}, 120);
  expectAllKept({.spareUnits = 60, .hostChunks = 40, .waitNs = 50000}, 60);
}

/// Two warps in one slot of the hardware, as it were: one is moved there while the other's lanes hold their
/// chunks, of whom nobody else knows then.
__global__ void moved(Probe probe, const char* a, unsigned times) {
  Lane lane, other;
  for (unsigned time = 0; time < times; ++time) {
    writeInPlace(probe, lane, 0, a + 4 * threadIdx.x, 4);
    if (time % 3 == 0) probe.one(3, a + threadIdx.x * threadIdx.x % 61 * 4, 4);
    if (time % 5 == 0) writeInPlace(probe, other, 1, a + 12 * threadIdx.x, 4);
    if (time % 16 == 7) putBack(probe, lane);
  }
  end(probe, other);
  end(probe, lane);
}
TEST(InPlace, AlsoOfWarpsThatAreMoved) {
  for (const unsigned limit : {~0u, nearlyAllBlocks})
    expectTraced({2, 64}, 3 * 100, [](const Probe& probe) { moved<<<2, 64>>>(probe, memory, 100); },
                 {.sampleLimit = limit});
}

/// Lanes that end before the others do, down to one by itself: fewer than there are sites to count.
__global__ void endings(Probe probe, const char* a) {
  Lane lane;
  for (unsigned time = 0; time < 40; ++time) {
    writeInPlace(probe, lane, time % sites, a + 4 * (threadIdx.x + time), 4);
    if (time == 10 && threadIdx.x % 4 != 1) return end(probe, lane);
    if (time == 20 && laneIndex() != 5) return end(probe, lane);
  }
  end(probe, lane);
}
TEST(InPlace, LanesThatEndByThemselves) {
  for (const unsigned limit : {~0u, nearlyAllBlocks})
    expectTraced({2, 64}, 40, [](const Probe& probe) { endings<<<2, 64>>>(probe, memory); },
                 {.sampleLimit = limit});
}

/// Loops, too, and single accesses between them.
__global__ void loops(Probe probe, const char* a, unsigned rounds) {
  Lane lane;
  unsigned long long where = 0;
  unsigned state = threadIdx.x;
  for (unsigned round = 0; round < rounds; ++round) {
    writeLoopInPlace(probe, lane, where, 4, a + 4 * threadIdx.x, 1 + round % 5);
    if (noise(state) % 4 == 0) writeInPlace(probe, lane, 1, a + 8 * (state % 700), 8);
    if (round % 16 != 7) continue;
    putBack(probe, lane);
    where = 0;  // as kernels forget it behind other calls
    probe.one(3, a + threadIdx.x * threadIdx.x % 61 * 4, 4);
  }
  end(probe, lane);
}
TEST(InPlace, AllOfALoop) {
  const DeviceSettings sample = {.sampleLimit = nearlyAllBlocks};
  for (const DeviceSettings& settings :
       {DeviceSettings{}, sample, DeviceSettings{.spareUnits = 60, .hostChunks = 2048}})
    expectTraced(
        {2, 64}, 5 * 3 * 100 + 200, [](const Probe& probe) { loops<<<2, 64>>>(probe, memory, 100); },
        settings);
}

/// There are twelve bits for records.
__global__ void manyTimes(Probe probe, const char* a) {
  Lane lane;
  lane.counted[0] = laneIndex() == 0 ? 4095u << cui::format::ledShift | 4095u * 32 : 0;
  for (unsigned time = 0; time < 3; ++time) writeInPlace(probe, lane, 0, a + 4 * threadIdx.x, 4);
  end(probe, lane);
}
TEST(InPlace, CountsDoNotOverflow) {
  Device device;
  const Notes notes(device, 32, 3);
  manyTimes<<<1, 32>>>(notes.probe(), memory);
  finish();
  ASSERT_EQ(device.counts().size(), 1u);
  EXPECT_EQ(device.counts().begin()->second.first, 4095u + 3u);
  EXPECT_EQ(device.counts().begin()->second.second, 0u);
}

}  // namespace
