// Runs a kernel in trace mode and in profile mode, and holds what the recorder has against what the threads
// noted.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>

#include "emulation.h"
#include "probe.h"

namespace recordertest {

/// What a kernel's threads have noted.
class Notes {
 public:
  Notes(Device& device, unsigned threads, unsigned capacity)
      : threads_(threads),
        probe_{&device.unit(), memory_.get<ThreadAccess>(std::size_t{threads} * capacity),
               memory_.get<unsigned>(threads), capacity} {}
  const Probe& probe() const { return probe_; }
  std::vector<ThreadAccess> sorted() const {
    std::vector<ThreadAccess> all;
    for (unsigned thread = 0; thread < threads_; ++thread) {
      const ThreadAccess* const own = probe_.noted + std::size_t{thread} * probe_.capacity;
      all.insert(all.end(), own, own + probe_.count[thread]);
    }
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  unsigned threads_;
  Memory memory_;
  Probe probe_;
};

inline void finish() {
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

/// The first accesses that one has and the other has not.
inline std::string difference(const std::vector<ThreadAccess>& noted,
                              const std::vector<ThreadAccess>& recorded) {
  std::vector<ThreadAccess> missing, more;
  std::set_difference(noted.begin(), noted.end(), recorded.begin(), recorded.end(),
                      std::back_inserter(missing));
  std::set_difference(recorded.begin(), recorded.end(), noted.begin(), noted.end(), std::back_inserter(more));
  std::string text =
      std::to_string(missing.size()) + " missing, " + std::to_string(more.size()) + " too many";
  const auto name = [&](const char* what, const std::vector<ThreadAccess>& of) {
    for (std::size_t i = 0; i < of.size() && i < 3; ++i)
      text += std::string("\n  ") + what + ": thread " + std::to_string(of[i].thread) + ", site " +
              std::to_string(of[i].site) + ", " + std::to_string(of[i].bytes) + " bytes, space " +
              std::to_string(of[i].space) + ", address " + std::to_string(of[i].address);
  };
  name("missing", missing);
  name("too many", more);
  return text;
}

inline void expectSameTotals(const Totals& recorded, const Totals& expected) {
  EXPECT_EQ(recorded.size(), expected.size());
  for (const auto& [key, sums] : expected) {
    SCOPED_TRACE("site " + std::to_string(key.first) + (key.second ? ", shared" : ""));
    const auto found = recorded.find(key);
    if (found == recorded.end()) {
      ADD_FAILURE() << "has no totals";
      continue;
    }
    EXPECT_EQ(found->second.requests, sums.requests);
    EXPECT_EQ(found->second.bytes, sums.bytes);
    EXPECT_EQ(found->second.idleLanes, sums.idleLanes);
    EXPECT_EQ(found->second.excess, sums.excess);
    EXPECT_EQ(found->second.idealDelta, sums.idealDelta);
    EXPECT_EQ(found->second.uselessBytes, sums.uselessBytes);
    EXPECT_EQ(found->second.high, sums.high);
    EXPECT_EQ(found->second.inverseLow, sums.inverseLow);
  }
}

/// That each access is recorded once, and that the device's own counts say so.
inline void expectExact(Device& device, const Notes& notes, const std::vector<Request>& requests,
                        unsigned blockThreads) {
  const auto noted = notes.sorted(), recorded = threadAccesses(requests, blockThreads);
  EXPECT_TRUE(noted == recorded) << difference(noted, recorded);
  EXPECT_EQ(device.context().state.dropped, 0u);
  EXPECT_EQ(device.context().state.counterOverflow, 0u);
  Counts counts;
  for (const Request& request : requests) {
    auto& sums = counts[{request.launch, request.site}];
    ++sums.first;
    sums.second += 32 - static_cast<unsigned>(std::popcount(request.mask));
  }
  EXPECT_EQ(device.counts(), counts);
}

struct Extents {
  dim3 grid, block;
  unsigned blockThreads() const { return block.x * block.y * block.z; }
  unsigned blocks() const { return grid.x * grid.y * grid.z; }
  unsigned threads() const { return blocks() * blockThreads(); }
};

/// `launch(probe)` starts kernels of these extents, whose threads make up to `capacity` accesses each.
/// Returns what was traced.
template <class Launch>
std::vector<Request> expectTraced(const Extents& extents, unsigned capacity, const Launch& launch,
                                  DeviceSettings settings = {}) {
  settings.multiprocessors = extents.blocks();  // reading the memory of more is most of what a test takes
  Device device(settings);
  const Notes notes(device, extents.threads(), capacity);
  launch(notes.probe());
  finish();
  std::vector<Request> requests = device.requests();
  expectExact(device, notes, requests, extents.blockThreads());
  return requests;
}

/// The same, and that profile mode adds up what those requests cost. The same lanes come together in both
/// modes as long as none has to wait for room.
template <class Launch>
void expectExactly(const Extents& extents, unsigned capacity, const Launch& launch) {
  const std::vector<Request> requests = expectTraced(extents, capacity, launch);
  Device profiling({.profile = true, .multiprocessors = extents.blocks()});
  const Notes same(profiling, extents.threads(), capacity);
  launch(same.probe());
  finish();
  EXPECT_TRUE(profiling.requests().empty());
  expectSameTotals(profiling.totals(), totalsOf(requests));
}

}  // namespace recordertest
