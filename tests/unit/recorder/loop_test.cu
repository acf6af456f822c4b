// Loops, which leave one record for all times round.
#include "exactness.h"

namespace {

using namespace recordertest;

char memory[1 << 18];
const char* const middle = memory + (1 << 17);

template <std::size_t Count>
__global__ void looping(Probe probe, const char* a, int lane, int step, unsigned bytes, unsigned times,
                        unsigned site, bool fixed, unsigned next) {
  const char* first[Count];
  int steps[Count];
  for (unsigned i = 0; i < Count; ++i) {
    first[i] = a + 512 * i + lane * static_cast<int>(threadIdx.x);
    steps[i] = i % 2 != 0 ? -step : step;
  }
  if (fixed)
    probe.fixedLoop(site, first, steps, bytes, times, next);
  else
    probe.loop(site, first, steps, bytes, times, next);
}

template <std::size_t Count>
void expectLoops(bool fixed = false, unsigned next = 1) {
  for (const unsigned bytes : {4u, 16u, 3u})
    for (const int lane : {0, 4, -20}) {
      SCOPED_TRACE(std::to_string(Count) + " accesses of " + std::to_string(bytes) + " bytes, lanes " +
                   std::to_string(lane));
      expectExactly({1, 64}, static_cast<unsigned>(Count) * 4 * 12, [&](const Probe& probe) {
        unsigned site = 0;
        for (const int step : {0, 4, 128, -1024}) {
          for (const unsigned times : {0u, 1u, 2u, 9u})
            looping<Count><<<1, 64>>>(probe, middle, lane, step, bytes, times, site, fixed, next);
          site = (site + Count) % 64;  // there are sums for 128
        }
      });
    }
}

TEST(Loop, OfOneAccess) {
  expectLoops<1>();
}
TEST(Loop, OfTwoAccesses) {
  expectLoops<2>();
}
TEST(Loop, OfThreeAccesses) {
  expectLoops<3>();
}
TEST(Loop, OfManyAccesses) {
  expectLoops<7>();
  expectLoops<cui::format::maxLoopAccesses>();
}

// As the loops in it make them that are written out.
TEST(Loop, OfSeveralPlacesOfASite) {
  for (const bool fixed : {false, true}) {
    expectLoops<2>(fixed, 0);
    expectLoops<3>(fixed, 0);
    expectLoops<5>(fixed, 0);
    expectLoops<cui::format::maxLoopAccesses>(fixed, 0);
  }
}

TEST(Loop, WhoseTimesAreKnown) {
  expectLoops<1>(true);
  expectLoops<2>(true);
  expectLoops<3>(true);
  expectLoops<7>(true);
}

template <bool Fixed, std::size_t Count>
__device__ void run(const Probe& probe, unsigned site, const char* const (&first)[Count],
                    const int (&step)[Count], unsigned bytes, unsigned times) {
  if (Fixed)
    probe.fixedLoop(site, first, step, bytes, times);
  else
    probe.loop(site, first, step, bytes, times);
}

template <bool Fixed>
__global__ void uneven(Probe probe, const char* a) {
  const char* const first[1] = {a + 4 * threadIdx.x};
  const int step[1] = {128};
  run<Fixed>(probe, 0, first, step, 4, threadIdx.x % 5);               // not as often in all lanes
  if (threadIdx.x % 32 < 20) run<Fixed>(probe, 1, first, step, 4, 6);  // not in all lanes
  const int own[1] = {threadIdx.x % 2 != 0 ? 4 : 8};
  run<Fixed>(probe, 2, first, own, 4, 6);  // not by the same step
  const char* const scattered[1] = {a + threadIdx.x * threadIdx.x % 97 * 4};
  run<Fixed>(probe, 3, scattered, step, 4, 6);  // no rule
  const char* const four[4] = {first[0], first[0] + 1024, first[0] + 2048, first[0] + 3072};
  const int steps[4] = {4, 8, 0, 128};
  run<Fixed>(probe, 5, four, steps, 4, 2 + threadIdx.x % 2);
}

TEST(Loop, LanesThatDoNotAgree) {
  expectExactly({2, 64}, 40, [&](const Probe& probe) { uneven<false><<<2, 64>>>(probe, middle); });
  expectExactly({2, 64}, 40, [&](const Probe& probe) { uneven<true><<<2, 64>>>(probe, middle); });
}

#if defined(CUI_RECORDER_MODULE)
constexpr bool partsInFront = true;
#else
constexpr bool partsInFront = false;
#endif

// Some lanes of each warp, as at the edge of an array.
struct Lanes {
  unsigned from, to, each;
};
template <std::size_t Count>
__global__ void inPart(Probe probe, const char* a, Lanes lanes, int lane, int step, unsigned bytes,
                       unsigned times, unsigned next, bool inFront) {
  const unsigned own = threadIdx.x % 32;
  if (own < lanes.from || own >= lanes.to || own % lanes.each != 0) return;
  const char* first[Count];
  int steps[Count];
  for (unsigned i = 0; i < Count; ++i) {
    first[i] = a + 512 * i + lane * static_cast<int>(threadIdx.x);
    steps[i] = i % 2 != 0 ? -step : step;
  }
  if (!probe.loop(0, first, steps, bytes, times, next) && inFront) __trap();
}

// Lanes that go round some times more than others, as at the end of an array, and two loops of one kind.
template <std::size_t Count>
__global__ void atTheEnd(Probe probe, const char* a, unsigned end, unsigned beyond, int lane, unsigned bytes,
                         unsigned next, bool inFront) {
  const char* first[Count];
  int steps[Count];
  for (unsigned i = 0; i < Count; ++i) {
    first[i] = a + 512 * i + lane * static_cast<int>(threadIdx.x);
    steps[i] = i % 2 != 0 ? 32 : 128;
  }
  const unsigned times = 3 + (threadIdx.x < end ? beyond : 0);
  if (!probe.loop(0, first, steps, bytes, times, next) && inFront) __trap();
}

template <std::size_t Count>
void expectLoopsThatEnd(unsigned next = 1) {
  for (const unsigned end : {1u, 17u, 40u, 64u})
    for (const unsigned beyond : {1u, 4u})
      for (const unsigned bytes : {4u, 16u, 3u}) {
        SCOPED_TRACE(std::to_string(Count) + " accesses of " + std::to_string(bytes) + " bytes, " +
                     std::to_string(beyond) + " more up to " + std::to_string(end));
        expectExactly({1, 64}, static_cast<unsigned>(Count) * 2 * 7, [&](const Probe& probe) {
          for (const int lane : {4, -16})
            atTheEnd<Count><<<1, 64>>>(probe, middle, end, beyond, lane, bytes, next, partsInFront);
        });
      }
}

TEST(Loop, OfLanesThatGoRoundMoreOften) {
  expectLoopsThatEnd<1>();
  expectLoopsThatEnd<2>();
  expectLoopsThatEnd<3>();
  expectLoopsThatEnd<5>();
  expectLoopsThatEnd<9>();
  expectLoopsThatEnd<3>(0);
}

template <std::size_t Count>
void expectLoopsOfParts(unsigned next = 1) {
  for (const Lanes lanes :
       {Lanes{1, 32, 1}, Lanes{0, 31, 1}, Lanes{7, 8, 1}, Lanes{4, 20, 1}, Lanes{0, 32, 2}, Lanes{3, 30, 3}})
    for (const unsigned bytes : {4u, 8u, 3u}) {
      SCOPED_TRACE(std::to_string(Count) + " accesses of " + std::to_string(bytes) + " bytes, lanes from " +
                   std::to_string(lanes.from));
      expectExactly({1, 64}, static_cast<unsigned>(Count) * 3 * 3 * 9, [&](const Probe& probe) {
        for (const int lane : {0, 4, -20})
          for (const int step : {4, 128, -36})
            // Traces find no rule where a division would; with the recorder compiled there are no such loops.
            inPart<Count><<<1, 64>>>(probe, middle, lanes, lane, step, bytes, step == 4 ? 9 : 2, next,
                                     partsInFront && lanes.each != 3);
      });
    }
}

TEST(Loop, OfPartsOfWarps) {
  expectLoopsOfParts<1>();
  expectLoopsOfParts<2>();
  expectLoopsOfParts<3>();
  expectLoopsOfParts<5>();
  expectLoopsOfParts<3>(0);
}

// Far more records than the first chunks hold.
__global__ void manyLoops(Probe probe, const char* a) {
  const char* const first[2] = {a + 4 * threadIdx.x, a + 1024};
  const int step[2] = {4, 0};
  for (unsigned i = 0; i < 200; ++i) probe.loop(2 * (i % 4), first, step, 4, 2);
}

TEST(Loop, ManyAfterEachOther) {
  expectExactly({2, 64}, 800, [&](const Probe& probe) { manyLoops<<<2, 64>>>(probe, middle); });
}

}  // namespace
