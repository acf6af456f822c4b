// Programs made at random: each thread of a warp takes its own way through accesses of every kind.
#include "exactness.h"

namespace {

using namespace recordertest;

char memory[1 << 18];
const char* const middle = memory + (1 << 17);

struct Random {
  std::uint64_t state;
  __host__ __device__ unsigned next() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<unsigned>(state >> 33);
  }
  __host__ __device__ unsigned below(unsigned end) { return next() % end; }
};

/// An address by a rule that the whole block follows, or by none.
__device__ const char* place(Random& block, Random& own, const char* base, unsigned bytes, unsigned room) {
  const unsigned rule = block.below(6), begin = block.below(16) * bytes, step = block.below(5);
  unsigned offset = begin;
  if (rule < 3) offset += step * bytes * threadIdx.x;
  if (rule == 3) offset += step * bytes * (threadIdx.x % 8) + 256 * (threadIdx.x / 8);
  if (rule == 4) offset += own.below(64) * bytes;
  if (rule == 5) offset += (own.below(8) == 0 ? 1 : 0) * bytes;
  return base + offset % room / bytes * bytes;
}

__global__ void wander(Probe probe, const char* base, std::uint64_t seed, unsigned steps, bool inStep) {
  __shared__ alignas(16) char array[4096];
  Random block = {seed * 977 + blockIdx.x};
  Random own = {seed * 1009 + probe.thread() * 7919ull};
  for (unsigned i = 0; i < 10; ++i) block.next(), own.next();
  for (unsigned step = 0; step < steps; ++step) {
    const unsigned kind = block.below(8), who = block.below(5);
    // A site's accesses are of one size.
    const unsigned size = block.below(5), bytes = 1u << size, site = 8 * size + block.below(6);
    const bool shared = block.below(4) == 0;
    const unsigned times = 1 + block.below(6);
    const bool every = block.below(2) == 0;
    const char* const from = shared ? array : base;
    const char* const a = place(block, own, from, bytes, 4096);
    const char* const b = place(block, own, base + 8192, bytes, 4096);
    const char* const c = place(block, own, base + 16384, bytes, 4096);
    const int stride = (static_cast<int>(block.below(5)) - 2) * static_cast<int>(bytes);
    const unsigned lane = threadIdx.x % 32;
    if (inStep) __syncwarp();
    const bool takesPart = who == 0 ? own.below(3) != 0 : who == 1 ? lane < 17 : true;
    if (!takesPart) continue;
    if (kind < 3) probe.one(site, a, bytes);
    if (kind == 3) probe.two(site, a, site + 1, b, bytes);
    if (kind == 4) probe.three(site, a, b, c, bytes);
    if (kind == 5) probe.one(8 * size + own.below(4), b, bytes);  // another site in each lane
    if (kind >= 6) {
      const char* const first[2] = {b, c};
      const int by[2] = {stride, static_cast<int>(bytes)};
      const unsigned turns = every ? times : 1 + own.below(times);
      if (kind == 6)
        probe.loop(site, first, by, bytes, turns);
      else
        probe.fixedLoop(site, first, by, bytes, turns);
    }
  }
}

template <class Expect>
void wanderAll(unsigned first, unsigned last, bool inStep, const Expect& expect) {
  const dim3 blocks[] = {dim3(64), dim3(8, 12), dim3(33), dim3(16, 4), dim3(128)};
  for (unsigned seed = first; seed < last; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const dim3 block = blocks[seed % 5];
    expect(Extents{3, block},
           [&](const Probe& probe) { wander<<<3, block>>>(probe, middle, seed, 40, inStep); });
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Random, ProgramsWhoseWarpsComeTogether) {
  wanderAll(0, 25, true,
            [](const Extents& extents, const auto& launch) { expectExactly(extents, 12 * 40, launch); });
}

TEST(Random, Programs) {
  wanderAll(40, 65, false,
            [](const Extents& extents, const auto& launch) { expectTraced(extents, 12 * 40, launch); });
}

TEST(Random, ProgramsWithLittleRoom) {
  const DeviceSettings settings = {.spareUnits = 8, .hostChunks = 64, .waitNs = 50000};
  wanderAll(80, 105, false, [&](const Extents& extents, const auto& launch) {
    expectTraced(extents, 12 * 40, launch, settings);
  });
}

}  // namespace
