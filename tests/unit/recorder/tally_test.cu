// What lanes' tallies come to where they are added up (tally.h), whoever of a team has come by then. What an
// access adds to its lanes' is PTX, which the command writes (cli/compile/tally_text.cpp): here the same by
// hand, in traces the access itself.
#include "emulated/tally.h"
#include "exactness.h"

namespace {

using namespace recordertest;

alignas(64) char memory[1 << 16];

/// A lane's tally of a site.
struct Tally {
  unsigned counts = 0, low = ~0u, high = 0, window = ~0u;
  unsigned long long costs = 0;
};

__device__ void flush(const Probe& probe, Tally& tally, unsigned key, unsigned bytes) {
  addTally(*probe.unit, key, tally.counts, tally.costs, tally.low, tally.high, tally.window, bytes);
  tally = Tally();
}

/// Adds an access, of lanes in one window.
__device__ void add(const Probe& probe, Tally& tally, unsigned site, const volatile void* address,
                    unsigned bytes, unsigned most = 1u << 15) {
  if ((probe.unit->firstKey & profileBit) == 0) return probe.one(site, address, bytes);
  probe.note(site, address, bytes);
  const LaneAccess own = laneAccess(*probe.unit, {site, bytes, address});
  const unsigned mask = __activemask(), low = static_cast<unsigned>(own.address);
  const unsigned window = static_cast<unsigned>(own.address >> 32);
  const LaneTeam team = teamOf(mask);
  const bool fits = (tally.window == ~0u || tally.window == window) && (tally.counts & 0xffffu) < most &&
                    window == __shfl_sync(mask, window, static_cast<int>(team.leader));
  if (!__all_sync(mask, fits)) {
    flush(probe, tally, own.key, bytes);
    return recordUntallied(*probe.unit, own.key, own.address, bytes);
  }
  unsigned long long costs;
  if (spaceOf(own.key) == cui::format::Space::shared) {
    costs = tallyWavefronts(low);
  } else {
    const PlacesCost found = mask == 0xffffffffu ? costOfWarp(low) : costOfPart(team, low);
    const unsigned long long ideal = (found.places * bytes + 31) / 32;
    costs =
        found.cost | ideal << tallyBits | static_cast<unsigned long long>(found.places) << (2 * tallyBits);
  }
  const bool leads = laneIndex() == team.leader;
  tally.counts += leads ? 1u << 16 | 1u : 1u;
  tally.costs += leads ? costs : 0;
  tally.low = min(tally.low, low);
  tally.high = max(tally.high, low);
  tally.window = window;
}

__device__ unsigned noise(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

/// Lanes come and go: who leads a team is in other teams when its tally is added.
__global__ void parts(Probe probe, const char* a, unsigned bytes, unsigned most) {
  unsigned state = threadIdx.x + 64 * blockIdx.x + bytes;
  Tally tally;
  for (unsigned time = 0; time < 24; ++time) {
    const unsigned at = noise(state) % (time % 3 == 0 ? 16 : 700);
    if (noise(state) % 4 == 0) continue;
    add(probe, tally, 0, a + at * bytes, bytes, most);
    if (time > 10 && noise(state) % 9 == 0) break;
  }
  flush(probe, tally, probe.unit->firstKey + (0 << keyShift | 1), bytes);
}
TEST(Tally, OfPartsOfWarps) {
  for (const unsigned bytes : {1u, 4u, 16u})
    for (const unsigned most : {1u << 15, 5u}) {
      SCOPED_TRACE(std::to_string(bytes) + " bytes, " + std::to_string(most));
      expectExactly({2, 64}, 24, [&](const Probe& probe) { parts<<<2, 64>>>(probe, memory, bytes, most); });
    }
}

/// In two windows of 2^32 bytes, by teams in one of them and in both.
__global__ void windows(Probe probe, const char* a) {
  unsigned state = threadIdx.x;
  Tally tally;
  for (unsigned time = 0; time < 20; ++time) {
    const unsigned side = noise(state) % 2, at = noise(state) % 64;
    const char* const place = a + side * (1ull << 32) + at * 4;
    if (time % 4 == 0)
      add(probe, tally, 3, place, 4);
    else if (side == time / 2 % 2)
      add(probe, tally, 3, place, 4);
  }
  flush(probe, tally, probe.unit->firstKey + (3 << keyShift | 1), 4);
}
TEST(Tally, InTwoWindows) {
  expectExactly({1, 64}, 20, [](const Probe& probe) { windows<<<1, 64>>>(probe, memory); });
}

__global__ void wavefronts(Probe probe) {
  __shared__ unsigned words[1024];
  unsigned state = threadIdx.x;
  Tally tally;
  for (unsigned time = 0; time < 20; ++time) {
    const unsigned at = noise(state) % (time % 2 == 0 ? 64 : 1024);
    if (noise(state) % 3 != 0) add(probe, tally, 1, &words[at], 4);
  }
  flush(probe, tally, probe.unit->firstKey + (1 << keyShift | 2), 4);
}
TEST(Tally, OfSharedMemory) {
  expectExactly({2, 96}, 20, [](const Probe& probe) { wavefronts<<<2, 96>>>(probe); });
}

/// Nothing has been counted by anyone, or by some lanes only.
__global__ void someNever(Probe probe, const char* a, unsigned those) {
  Tally tally;
  if (threadIdx.x % 32 < those) add(probe, tally, 2, a + 4 * threadIdx.x, 4);
  flush(probe, tally, probe.unit->firstKey + (2 << keyShift | 1), 4);
}
TEST(Tally, OfNobody) {
  for (const unsigned those : {0u, 1u, 31u})
    expectExactly({1, 32}, 1, [&](const Probe& probe) { someNever<<<1, 32>>>(probe, memory, those); });
}

}  // namespace
