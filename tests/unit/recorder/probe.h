// What kernels of tests call in place of the forms: it notes what each thread is about to access, and hands
// it to the recorder, which must then have the same, access by access.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "emulated/alike_site.h"
#include "emulated/fixed_loop.h"
#include "emulated/loop_site.h"
#include "emulated/profile_row.h"
#include "emulated/row_site.h"
#include "reference.h"

namespace recordertest {

using namespace cui::emulated;

/// What one thread accesses.
struct ThreadAccess {
  std::uint32_t thread;  ///< in the grid
  std::uint32_t site, bytes, space;
  std::uint64_t address;
  auto key() const { return std::tie(thread, site, bytes, space, address); }
  bool operator<(const ThreadAccess& other) const { return key() < other.key(); }
  bool operator==(const ThreadAccess& other) const { return key() == other.key(); }
};

/// What kernels of tests work with, passed by value.
struct Probe {
  const DeviceUnit* unit;
  ThreadAccess* noted;  ///< [threads][capacity]
  unsigned* count;      ///< [threads]
  unsigned capacity;

  __device__ unsigned thread() const {
    return linearBlock() * (blockDim.x * blockDim.y * blockDim.z) + linearThread();
  }
  __device__ void note(unsigned site, const volatile void* address, unsigned bytes) const {
    const LaneAddress own = classify(unit->constants, address);
    unsigned& next = count[thread()];
    if (next == capacity) __trap();
    noted[std::size_t{thread()} * capacity + next++] = {thread(), unit->siteBase + site, bytes, own.space,
                                                        own.address};
  }
  /// The forms of backend.h, as they are where nvcc compiles them.
  __device__ void one(unsigned site, const volatile void* address, unsigned bytes) const {
    note(site, address, bytes);
    if (!isOn(*unit)) return;
    const LaneAccess own = laneAccess(*unit, {site, bytes, address});
    callOne(*unit, own);
  }
  __device__ void two(unsigned siteA, const volatile void* a, unsigned siteB, const volatile void* b,
                      unsigned bytes) const {
    note(siteA, a, bytes);
    note(siteB, b, bytes);
    if (!isOn(*unit)) return;
    callTogether(*unit, laneAccess(*unit, {siteA, bytes, a}), laneAccess(*unit, {siteB, bytes, b}));
  }
  __device__ void three(unsigned site, const volatile void* a, const volatile void* b, const volatile void* c,
                        unsigned bytes) const {
    note(site, a, bytes);
    note(site + 1, b, bytes);
    note(site + 2, c, bytes);
    if (!isOn(*unit)) return;
    callTogether(*unit, laneAccess(*unit, {site, bytes, a}), laneAccess(*unit, {site + 1, bytes, b}),
                 laneAccess(*unit, {site + 2, bytes, c}));
  }
  /// In shared memory, made alike by all blocks at the time of that number; as cuiAlike() in device/alike.h.
  template <class... Address>
  __device__ void alike(unsigned site, unsigned number, unsigned bytes, const Address*... address) const {
    unsigned next = site;
    (note(next++, address, bytes), ...);
    if (!isOn(*unit)) return;
    const unsigned blocks = allOrOwn(*unit);
    if (blocks != 0 && !isOfBlock(site + number)) return;
    together(site | blocks, bytes, address...);
  }
  /// The same for all tiles, as cuiOfTile().
  template <class... Address>
  __device__ void alikeTiles(unsigned site, unsigned number, unsigned tile, unsigned tiles, unsigned bytes,
                             const Address*... address) const {
    unsigned next = site;
    (note(next++, address, bytes), ...);
    if (!isOn(*unit)) return;
    const unsigned int all = tilesOrOwn(*unit, tiles);
    if (all != 0 && !isOfTile(site + number, tile, tiles, all)) return;
    next = site;
    const cui::Accessed of[] = {{next++, bytes, address}...};
    if constexpr (sizeof...(Address) == 1)
      recordOfTiles(*unit, all, of[0]);
    else if constexpr (sizeof...(Address) == 2)
      recordOfTiles(*unit, all, of[0], of[1]);
    else
      recordOfTiles(*unit, all, of[0], of[1], of[2]);
  }
  template <std::size_t Count>
  __device__ void alikeLoop(unsigned site, unsigned number, const char* const (&first)[Count],
                            const int (&step)[Count], unsigned bytes, unsigned times, bool fixed) const {
    noteTimes(site, first, step, bytes, times);
    if (!isOn(*unit) || times == 0) return;
    const unsigned blocks = allOrOwn(*unit);
    if (blocks != 0 && !isOfBlock(site + number)) return;
    cui::LoopPlace places[Count];
    placesOf(site, first, step, bytes, times, places);
    for (cui::LoopPlace& place : places) place.site |= blocks;
    if (fixed) return recordFixedLoop(*unit, places, times);
    if (recordLoop(*unit, places, times)) return;
    for (unsigned time = 0; time < times; ++time)
      for (unsigned i = 0; i < Count; ++i)
        callOne(*unit, laneAccess(*unit, {(site + i) | blocks, bytes,
                                          first[i] + static_cast<long long>(step[i]) * time}));
  }
  template <class Places>
  __device__ void rowInLoop(unsigned site, unsigned number, unsigned bytes, const Places& places) const {
    noteEach(site, bytes, places);
    if (!isOn(*unit) || cuiOfRowInLoop(*unit, number + site, placesOfRow(site, bytes, places))) return;
    recordEach(site, bytes, places);
  }
  /// A loop; `places(thread, block, first, step)` says where each access is the first time, and its steps.
  template <unsigned Corners, std::size_t Count, class Guard, class Places>
  __device__ void loopRow(unsigned site, unsigned number, unsigned bytes, unsigned times, const Guard& guard,
                          const Places& places) const {
    const char* first[Count];
    int step[Count];
    places(own(), ownBlock(), first, step);
    const auto placesOfLoop = [&](const cui::GridIndex& thread, const cui::GridIndex& of,
                                  cui::LoopPlace* all) {
      const char* from[Count];
      int by[Count];
      places(thread, of, from, by);
      placesOf(site, from, by, bytes, times, all);
      return static_cast<unsigned>(Count);
    };
    if (!isOn(*unit) || !cuiOfLoopRow<Corners, Count>(*unit, number, times, guard, placesOfLoop)) {
      loop(site, first, step, bytes, times);
      return;
    }
    noteTimes(site, first, step, bytes, times);
  }
  /// `times` times round a loop with accesses that start at `first[i]` and go on by `step[i]` bytes. `next`:
  /// a site's number less that of the one before; 0: all are of one. Whether it was recorded in front.
  template <std::size_t Count>
  __device__ bool loop(unsigned site, const char* const (&first)[Count], const int (&step)[Count],
                       unsigned bytes, unsigned times, unsigned next = 1) const {
    noteTimes(site, first, step, bytes, times, next);
    if (!isOn(*unit)) return true;
    cui::LoopPlace places[Count];
    placesOf(site, first, step, bytes, times, places, next);
    if (times != 0 && recordLoop(*unit, places, times)) return true;
    for (unsigned time = 0; time < times; ++time)
      for (unsigned i = 0; i < Count; ++i) {
        const LaneAccess own =
            laneAccess(*unit, {site + i * next, bytes, first[i] + static_cast<long long>(step[i]) * time});
        callOne(*unit, own);
      }
    return false;
  }
  /// The same, of a loop of which that is known.
  template <std::size_t Count>
  __device__ void fixedLoop(unsigned site, const char* const (&first)[Count], const int (&step)[Count],
                            unsigned bytes, unsigned times, unsigned next = 1) const {
    noteTimes(site, first, step, bytes, times, next);
    if (!isOn(*unit) || times == 0) return;
    cui::LoopPlace places[Count];
    placesOf(site, first, step, bytes, times, places, next);
    recordFixedLoop(*unit, places, times);
  }
  /// `places(thread, block, then)` calls `then` with the addresses of that thread; `guard(thread, block)` is
  /// what CUI_BY_ROW has.
  template <unsigned Corners, class Guard, class Places>
  __device__ void row(unsigned site, unsigned bytes, const Guard& guard, const Places& places) const {
    if (!guard(own(), ownBlock())) return;
    noteEach(site, bytes, places);
    if (cuiOfRow<Corners>(*unit, guard, placesOfRow(site, bytes, places)) != 0 || !isOn(*unit)) return;
    recordEach(site, bytes, places);
  }
  /// The same of two places that the same threads come to: CUI_BEGIN_ROW and CUI_SAME_ROW. The second, with
  /// as many accesses from `next` on, comes behind a barrier.
  template <unsigned Corners, class Guard, class Places, class Next>
  __device__ void rows(unsigned site, unsigned next, unsigned bytes, const Guard& guard, const Places& places,
                       const Next& nextPlaces) const {
    const bool comes = guard(own(), ownBlock());
    unsigned row = 0;
    if (comes) {
      noteEach(site, bytes, places);
      row = cuiOfRow<Corners>(*unit, guard, placesOfRow(site, bytes, places));
      if (row == 0 && !isOn(*unit)) row = cui::cuiNothingLeft;
      if (row == 0) recordEach(site, bytes, places);
    }
    __syncthreads();
    if (!comes) return;
    noteEach(next, bytes, nextPlaces);
    if (row != cui::cuiNothingLeft && !cuiOfSameRow(*unit, row, placesOfRow(next, bytes, nextPlaces)) &&
        isOn(*unit))
      recordEach(next, bytes, nextPlaces);
  }

 private:
  template <class... Address>
  __device__ void together(unsigned site, unsigned bytes, Address... address) const {
    unsigned next = site;
    const cui::Accessed of[] = {{next++, bytes, address}...};  // in order
    if constexpr (sizeof...(address) == 1)
      callOne(*unit, laneAccess(*unit, of[0]));
    else if constexpr (sizeof...(address) == 2)
      callTogether(*unit, laneAccess(*unit, of[0]), laneAccess(*unit, of[1]));
    else
      callTogether(*unit, laneAccess(*unit, of[0]), laneAccess(*unit, of[1]), laneAccess(*unit, of[2]));
  }
  /// What the calling thread accesses.
  template <class Places>
  __device__ void noteEach(unsigned site, unsigned bytes, const Places& places) const {
    places(own(), ownBlock(), [&](auto... address) {
      unsigned next = site;
      (note(next++, address, bytes), ...);
    });
  }
  template <class Places>
  __device__ void recordEach(unsigned site, unsigned bytes, const Places& places) const {
    places(own(), ownBlock(), [&](auto... address) { together(site, bytes, address...); });
  }
  static __device__ cui::GridIndex own() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  static __device__ cui::GridIndex ownBlock() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  /// As the recorder asks for them.
  template <class Places>
  __device__ auto placesOfRow(unsigned site, unsigned bytes, const Places& places) const {
    return [=](const cui::GridIndex& thread, const cui::GridIndex& block, cui::Accessed* of) {
      unsigned count = 0;
      places(thread, block, [&](auto... address) {
        unsigned next = site;
        ((of[count++] = {next++, bytes, address}), ...);
      });
      return count;
    };
  }
  template <std::size_t Count>
  __device__ void noteTimes(unsigned site, const char* const (&first)[Count], const int (&step)[Count],
                            unsigned bytes, unsigned times, unsigned next = 1) const {
    for (unsigned time = 0; time < times; ++time)
      for (unsigned i = 0; i < Count; ++i)
        note(site + i * next, first[i] + static_cast<long long>(step[i]) * time, bytes);
  }
  template <std::size_t Count>
  __device__ void placesOf(unsigned site, const char* const (&first)[Count], const int (&step)[Count],
                           unsigned bytes, unsigned times, cui::LoopPlace* places, unsigned next = 1) const {
    for (unsigned i = 0; i < Count; ++i)
      places[i] = {first[i], first[i] + step[i], first[i] + static_cast<long long>(step[i]) * (times - 1),
                   site + i * next, bytes};
  }
};

/// The accesses of each thread, sorted.
inline std::vector<ThreadAccess> threadAccesses(const std::vector<Request>& requests, unsigned blockThreads) {
  std::vector<ThreadAccess> all;
  for (const Request& request : requests)
    for (unsigned lane = 0; lane < 32; ++lane)
      if ((request.mask >> lane & 1u) != 0)
        all.push_back({request.block * blockThreads + request.warp * 32 + lane, request.site, request.bytes,
                       request.space, request.address[lane]});
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace recordertest
