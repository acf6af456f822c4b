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
  const bool canWrite =
      (lane.counted[site] & cui::format::fullCount) == 0 && distance == static_cast<int>(distance);
  const auto hasRoom = [&] { return !leads || above >= 5u << cui::format::heldRoomShift; };
  if (!__all_sync(mask, hasRoom() && canWrite)) {
    lane.held = holdAnew(unit, lane.held);
    next = static_cast<unsigned>(lane.held), above = static_cast<unsigned>(lane.held >> 32);
    if (!__all_sync(mask, hasRoom() && canWrite)) {
      lane.held = recordAndHold(unit, own.key, own.address, bytes, lane.held, lane.counted[site]);
      lane.counted[site] = 0;
      return;
    }
  }
  const unsigned slot = __shfl_sync(mask, next, static_cast<int>(leader));
  unsigned char* const place = slotAt(unit.constants, slot);
  if (!line) reinterpret_cast<int*>(place + cui::format::slotBytes)[laneIndex()] = static_cast<int>(distance);
  if (!leads) return;
  lane.counted[site] += (1u << cui::format::ledShift) + static_cast<unsigned>(std::popcount(mask));
  RecordHead head;
  head.address = first;
  head.maskWord = mask;
  head.site = own.key >> keyShift;
  head.stride = line && (mask & (mask - 1)) != 0 ? static_cast<int>(bytes) : 0;
  head.shape = makeShape(bytes, line ? cui::format::AddressForm::affine : cui::format::AddressForm::offsets32,
                         spaceOf(own.key), false);
  *reinterpret_cast<cui::format::WarpRecord*>(place) = accessHeader(head, launchKey(), above & 0xffu);
  const unsigned slots = line ? 1 : 5;
  next += slots;
  above -= slots << cui::format::heldRoomShift;
  lane.held = static_cast<unsigned long long>(above) << 32 | next;
}

__device__ void putBack(const Probe& probe, Lane& lane) {
  putChunkBack(*probe.unit, lane.held);
  lane.held &= 0xffffffffu;
}
__device__ void end(const Probe& probe, Lane& lane) {
  for (unsigned site = 0; site < sites; ++site)
    addCounted(*probe.unit, probe.unit->firstKey + (site << keyShift | 1), lane.counted[site]);
  putBack(probe, lane);
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
  expectTraced({2, 64}, 3 * 100, [](const Probe& probe) { moved<<<2, 64>>>(probe, memory, 100); });
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
