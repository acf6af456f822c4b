// Single accesses: whole warps and parts of them, addresses with a rule and without, spaces, sites that meet.
#include "exactness.h"

namespace {

using namespace recordertest;

char memory[1 << 18];
const char* const middle = memory + (1 << 17);

__global__ void strided(Probe probe, const char* a, int stride, unsigned bytes, unsigned lanes,
                        unsigned site) {
  if (threadIdx.x % 32 < lanes)
    probe.one(site, a + static_cast<long long>(stride) * static_cast<int>(threadIdx.x), bytes);
}

TEST(Access, AffineOfAllSizes) {
  for (const unsigned bytes : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 33u})
    for (const unsigned lanes : {32u, 31u, 1u}) {
      SCOPED_TRACE(std::to_string(bytes) + " bytes, " + std::to_string(lanes) + " lanes");
      expectExactly({2, 64}, 9, [&](const Probe& probe) {
        unsigned site = 0;
        for (const int stride : {0, 1, 4, 8, 16, -4, 36, 128, -1000})
          strided<<<2, 64>>>(probe, middle + bytes, stride, bytes, lanes, site++);
      });
    }
}

__device__ unsigned scrambled(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__global__ void irregular(Probe probe, const char* a, unsigned seed, unsigned every, bool far) {
  const unsigned random = scrambled(seed + threadIdx.x + 1000 * blockIdx.x);
  if (random % every != 0) return;
  const char* const near = a + (random >> 8) % 4096 * 4;
  probe.one(0, far && random >> 31 != 0 ? near + (1ll << 40) : near, 4);
}

TEST(Access, Irregular) {
  for (const unsigned every : {1u, 2u, 7u})
    for (const bool far : {false, true})
      for (unsigned seed = 0; seed < 5; ++seed) {
        SCOPED_TRACE("one of " + std::to_string(every) + (far ? ", far" : "") + ", seed " +
                     std::to_string(seed));
        expectExactly({3, 96}, 1,
                      [&](const Probe& probe) { irregular<<<3, 96>>>(probe, memory, seed, every, far); });
      }
}

// More than a lane's entry takes before it goes to the table; at some, all lanes are far away, which it
// cannot hold with the others, and at some only one is, which no entry can.
constexpr unsigned many = profileLaneRequests + 1000, few = 3;
__host__ __device__ std::uint64_t offsetOf(unsigned time, unsigned lane) {
  const std::uint64_t far = 1ull << 40;
  if (time % 20000 == 7) return far + 4 * lane;
  return (time % 20000 == 9 && lane == 1 ? far : 0) + (time * 37 + lane * 101) % 1000 * 4;
}
__global__ void again(Probe probe, const char* a) {
  for (unsigned time = 0; time < many; ++time) probe.one(0, a + offsetOf(time, threadIdx.x), 4);
}

TEST(Access, ManyOfAPartOfAWarp) {
  Device device({.profile = true});
  const Notes notes(device, few, many);
  again<<<1, few>>>(notes.probe(), memory);
  finish();
  std::vector<Request> requests(many);
  for (unsigned time = 0; time < many; ++time) {
    Request& request = requests[time];
    request.site = DeviceSettings().siteBase;
    request.space = static_cast<std::uint32_t>(cui::format::Space::global);
    request.bytes = 4;
    request.mask = (1u << few) - 1;
    for (unsigned lane = 0; lane < few; ++lane)
      request.address[lane] = reinterpret_cast<std::uintptr_t>(memory) + offsetOf(time, lane);
  }
  expectSameTotals(device.totals(), totalsOf(requests));
}

// Of one site, with and without a rule, of all lanes and of some: of more accesses than a team's entry takes,
// which it gives up for other sizes, spaces and places far away, and whose addresses lie ever further apart.
__global__ void ofAllKinds(Probe probe, const char* a, unsigned seed, unsigned times, bool ofOneKind) {
  __shared__ alignas(16) char array[4096];
  for (unsigned time = 0; time < times; ++time) {
    const unsigned kind = ofOneKind ? 1 : scrambled(seed + time) % 13;
    const unsigned random = scrambled(seed + time + 1000 * threadIdx.x), place = random % 512 * 4;
    const unsigned reach = 4 * (time % 2 == 0 ? time : 0u - time);
    const char* const near = a + static_cast<int>(reach) + place;
    __syncwarp();
    if (kind == 0) probe.one(0, a + 4 * threadIdx.x, 4);
    if (kind >= 1 && kind < 5) probe.one(0, near, 4);
    if (kind >= 5 && kind < 7 && random >> 30 != 0) probe.one(0, near, 4);
    if (kind == 7) probe.one(0, near + random / 512 % 4, 1);
    if (kind == 8) probe.one(0, array + place, 4);
    if (kind == 9) probe.one(0, near + (time % 16 == 0 ? 1ll << 40 : 0), 4);
    if (kind == 10) probe.one(0, near + (random >> 31 != 0 ? 1ll << 33 : 0), 4);
    if (kind == 11) probe.two(1, near, 2, array + place, 4);
    if (kind == 12) probe.one(0, near - (static_cast<long long>(scrambled(time) % 7) << 30), 4);
  }
}

__global__ void descending(Probe probe, const char* a, unsigned times) {
  for (unsigned time = 0; time < times; ++time)
    probe.one(0, a + scrambled(time + 100 * threadIdx.x) % 512 * 4 - (static_cast<long long>(time) << 30), 4);
}

TEST(Access, OfAllKindsAtOneSite) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expectExactly({1, 32}, 2000,
                  [&](const Probe& probe) { ofAllKinds<<<1, 32>>>(probe, middle, seed, 1000, false); });
  }
  expectExactly({1, 32}, 5000,
                [&](const Probe& probe) { ofAllKinds<<<1, 32>>>(probe, middle, 9, 5000, true); });
  // Each a GiB below the one before.
  expectExactly({1, 32}, 12, [&](const Probe& probe) { descending<<<1, 32>>>(probe, middle, 12); });
}

// Lanes in any order that overlap in part, as the members of packed structures and large objects do.
__global__ void overlapping(Probe probe, const char* a, unsigned seed, unsigned bytes) {
  probe.one(0, a + scrambled(seed + threadIdx.x) % 200, bytes);
}

TEST(Access, Overlapping) {
  for (const unsigned bytes : {2u, 3u, 12u, 33u, 100u})
    for (unsigned seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(std::to_string(bytes) + " bytes, seed " + std::to_string(seed));
      expectExactly({1, 50}, 1,
                    [&](const Probe& probe) { overlapping<<<1, 50>>>(probe, memory, seed, bytes); });
    }
}

// Blocks narrower than a warp, whose rows have a rule of their own.
__global__ void rows(Probe probe, const char* a, int pitch, int step, unsigned bytes, unsigned site) {
  __shared__ alignas(16) char array[32768];
  const int i = static_cast<int>(threadIdx.y) * pitch + static_cast<int>(threadIdx.x) * step;
  probe.one(site, a + i, bytes);
  if (step < 0 || pitch < 0) return;
  probe.one(site + 1, array + i, bytes);
  probe.two(site + 2, a + i, site + 3, array + i, bytes);
  const char* const first[2] = {a + i, array + i};
  const int steps[2] = {static_cast<int>(2 * bytes), static_cast<int>(bytes)};
  probe.loop(site + 4, first, steps, bytes, 6);
}

void expectRows(dim3 block, unsigned bytes, int begin) {
  const int size = static_cast<int>(bytes);
  for (const int pitch : {0, 4, 16, 32, 48, 64, 68, 80, 132, 256, 1024, 1056, -4, -256}) {
    if (pitch % size != 0) continue;  // the hardware makes no such access
    SCOPED_TRACE("rows " + std::to_string(pitch) + " bytes apart, from " + std::to_string(begin));
    expectExactly({1, block}, 64, [&](const Probe& probe) {
      unsigned site = 0;
      for (const int step : {0, size, 3 * size, 32}) {
        rows<<<1, block>>>(probe, middle + begin, pitch, step, bytes, site);
        site += 6;
      }
    });
  }
}

TEST(Access, RowsOfNarrowBlocks) {
  for (const unsigned bytes : {4u, 8u, 16u, 2u})
    for (const unsigned width : {1u, 2u, 4u, 8u, 16u, 5u}) {
      SCOPED_TRACE(std::to_string(bytes) + " bytes, " + std::to_string(width) + " wide");
      // Two whole warps and a part of one of the wide ones: others would do the same.
      const unsigned height = width < 5 ? 16 : 64 / width + 1;
      for (const int begin : {0, 16}) expectRows(dim3(width, height), bytes, begin);
    }
}

__global__ void inShared(Probe probe, unsigned stride, unsigned bytes, unsigned begin, unsigned site) {
  __shared__ alignas(16) char array[8192];
  probe.one(site, array + begin + threadIdx.x * stride, bytes);
}

TEST(Access, Shared) {
  for (const unsigned bytes : {1u, 2u, 4u, 8u, 16u}) {
    SCOPED_TRACE(std::to_string(bytes) + " bytes");
    expectExactly({1, 40}, 36, [&](const Probe& probe) {
      unsigned site = 0;
      for (const unsigned stride : {0u, 1u, 2u, 4u, 8u, 16u, 20u, 32u, 128u})
        for (const unsigned begin : {0u, 4u, 16u, 3u})
          if ((stride | begin) % bytes == 0)  // the hardware makes no other access
            inShared<<<1, 40>>>(probe, stride, bytes, begin, site++);
    });
  }
}

// A generic pointer leads into several spaces; what one access is to the program, are several requests.
__global__ void severalSpaces(Probe probe, const char* a, unsigned shared) {
  __shared__ char array[1024];
  const unsigned lane = threadIdx.x % 32;
  const char* const p = (shared >> lane & 1u) != 0 ? array + 4 * threadIdx.x : a + 4 * threadIdx.x;
  probe.one(0, p, 4);
}

TEST(Access, SpacesInOneWarp) {
  for (const unsigned shared : {0u, ~0u, 1u, 0x80000000u, 0xaaaaaaaau, 0xffff0000u}) {
    SCOPED_TRACE("shared in lanes " + std::to_string(shared));
    expectExactly({2, 64}, 1, [&](const Probe& probe) { severalSpaces<<<2, 64>>>(probe, memory, shared); });
  }
}

// The hardware may bring lanes of different sites together in the recorder.
__global__ void meeting(Probe probe, const char* a, unsigned sites, unsigned times) {
  for (unsigned time = 0; time < times; ++time) {
    const unsigned site = scrambled(threadIdx.x + 100 * time) % sites;
    probe.one(site, a + site * 512 + threadIdx.x * 4, site % 2 != 0 ? 4 : 8);
  }
}

TEST(Access, SitesThatMeet) {
  for (const unsigned sites : {2u, 3u, 20u}) {
    SCOPED_TRACE(std::to_string(sites) + " sites");
    expectExactly({2, 64}, 50, [&](const Probe& probe) { meeting<<<2, 64>>>(probe, memory, sites, 50); });
  }
}

}  // namespace
