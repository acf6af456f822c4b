// Which launches' samples are launched apart, and what of them the table says: the host side's own choice,
// beside a runtime that only says what kernels may have. That blocks find their places is
// tests/gpu/plain_launches.py's.
#define CUI_HOST_SIDE_IN_LIBRARY_ITSELF 1
#include "cuinstrument/backend/cuda/split_launch.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace {

int ptxVersion = 90, mostShared = 49152, setTo;
bool refuses;
int eventsRecorded, blocksAtOnce, occupancyAsked;
int quiet;  ///< brackets around calls of ours that are open

}  // namespace

extern "C" {

cudaError_t cudaPeekAtLastError() {
  return cudaSuccess;
}
cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  quiet += *mode == cudaStreamCaptureModeRelaxed ? 1 : -1;
  *mode = *mode == cudaStreamCaptureModeRelaxed ? cudaStreamCaptureModeGlobal : cudaStreamCaptureModeRelaxed;
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* to, const void*) {
  EXPECT_EQ(quiet, 1);
  *to = cudaFuncAttributes();
  to->ptxVersion = ptxVersion;
  to->maxDynamicSharedSizeBytes = mostShared;
  return refuses ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int value) {
  EXPECT_EQ(quiet, 1);
  setTo = value;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int threads, size_t) {
  EXPECT_EQ(quiet, 1);
  ++occupancyAsked;
  *blocks = threads == 256 ? blocksAtOnce : 0;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  EXPECT_EQ(quiet, 1);
  ++eventsRecorded;
  return cudaSuccess;
}
}

namespace cui::backend {
namespace {

/// CUINSTRUMENT_SAMPLE_BLOCKS=64 is in the environment (CMakeLists.txt).
class SplitLaunch : public testing::Test {
 protected:
  SplitLaunch() {
    ptxVersion = 90, mostShared = 49152, setTo = 0, refuses = false,
    eventsRecorded = blocksAtOnce = occupancyAsked = 0;
    device_.splits = table_.get();
    device_.multiprocessors = 100;
    kernel_.kind = OtherKind::plainRest;
    kernel_.device = -1;
    launchFrames().frames[0] = LaunchFrame();
    launchFrames().frames[0].events = &events_;
    launchFrames().frames[0].block = dim3(32, 8);
    launchFrames().depth = 1;
    events_.beginInEntry = true;
  }

  bool splits(unsigned x, unsigned y = 1, unsigned z = 1, std::size_t sharedBytes = 0) {
    plan_ = {};
    return splitsSample(device_, kernel_, {x, y, z}, sharedBytes, plan_);
  }
  /// How a kernel's next launches are made, a letter each: whole or split, a capital one if it is timed.
  std::string launches(unsigned count, unsigned blocks = 1000) {
    std::string ways;
    while (count-- != 0) {
      events_.timed = nullptr;
      events_.beginInEntry = true;
      const bool split = splits(blocks);
      EXPECT_TRUE(events_.timed == nullptr || events_.timed == (split ? &kernel_.split : &kernel_.whole));
      const char way = split ? 's' : 'w';
      ways += events_.timed == nullptr ? way : static_cast<char>(way - 'a' + 'A');
    }
    return ways;
  }
  static std::vector<uint32_t> sampled(uint32_t blocks) {
    std::vector<uint32_t> all;
    for (uint32_t i = 0; i < blocks; ++i)
      if (format::isSampled(i, format::sampleLimit(64))) all.push_back(i);
    return all;
  }

  std::unique_ptr<format::SplitTable> table_ = std::make_unique<format::SplitTable>();
  Device device_ = {};
  OtherKernel kernel_ = {};
  PendingLaunch events_ = {};
  CuiLaunchPlan plan_ = {};
};

TEST_F(SplitLaunch, TheTableHasTheSamplesBlocks) {
  for (const unsigned blocks : {60000u, 70000u, 51200u}) {  // its first are those of smaller grids
    ASSERT_TRUE(splits(blocks));
    const std::vector<uint32_t> expected = sampled(blocks);
    EXPECT_EQ(plan_.sampleBlocks, expected.size());
    EXPECT_EQ(plan_.lastRecorded, expected.back());
    EXPECT_EQ(std::vector<uint32_t>(table_->blocks, table_->blocks + plan_.sampleBlocks), expected);
  }
}

TEST_F(SplitLaunch, ARowSaysHowTheProgramLaunchesIt) {
  ASSERT_TRUE(splits(300, 20, 10, 5000));
  const uint32_t number = format::splitNumber(static_cast<uint32_t>(plan_.sampleSharedBytes));
  const format::SplitGrid& row = table_->grids[number];
  EXPECT_EQ(row.grid[0], 300u);
  EXPECT_EQ(row.grid[1], 20u);
  EXPECT_EQ(row.grid[2], 10u);
  EXPECT_EQ(row.blocks, plan_.sampleBlocks);
  EXPECT_EQ(row.sharedBytes, plan_.sampleSharedBytes);
  EXPECT_GE(plan_.sampleSharedBytes, 5000 + sizeof(format::SplitBlock));
  const auto before = plan_.sampleSharedBytes;
  ASSERT_TRUE(splits(300, 20, 10, 5000));
  EXPECT_EQ(plan_.sampleSharedBytes, before);  // the same row
  ASSERT_TRUE(splits(300, 10, 20, 5000));
  EXPECT_NE(plan_.sampleSharedBytes, before);
}

TEST_F(SplitLaunch, WhatFindsNoRowIsLaunchedAsEver) {
  for (unsigned i = 0; i < format::splitGrids; ++i) ASSERT_TRUE(splits(60000 + i));
  EXPECT_FALSE(splits(70000));
  EXPECT_TRUE(splits(60000));
}

TEST_F(SplitLaunch, ShortLaunchesAreNotSplit) {
  EXPECT_FALSE(splits(199));
  EXPECT_FALSE(splits(51199));  // 512 a multiprocessor are long, whatever they do
  EXPECT_TRUE(splits(51200));
  EXPECT_EQ(launches(12, 51200), "ssssssssssss");  // whatever that takes
}

TEST_F(SplitLaunch, WhatLaunchesTakeIsAskedSeldom) {
  EXPECT_EQ(launches(20), "wWwwwwwWwwwwwwwWwwww");
  EXPECT_EQ(eventsRecorded, 3);
}

TEST_F(SplitLaunch, LongLaunchesAreMadeTheShorterWay) {
  EXPECT_EQ(launches(2), "wW");
  kernel_.whole.ofBlock[0] = 130;
  EXPECT_EQ(launches(2), "SS");  // how long it takes is not known yet
  kernel_.split.ofBlock[0] = 120;
  EXPECT_EQ(launches(9), "sssWsssSs");
  kernel_.split.ofBlock[0] = 131;
  EXPECT_EQ(launches(11), "wwWwwwwwwwS");
  kernel_.split.ofBlock[1] = 129;  // the host had been held up
  EXPECT_EQ(launches(8), "sssssssW");
  kernel_.whole.ofBlock[1] = 128;
  EXPECT_EQ(launches(8), "wwwwwwww");
}

TEST_F(SplitLaunch, ShorterOnesAreNotTriedSplit) {
  EXPECT_EQ(launches(2), "wW");
  kernel_.whole.ofBlock[0] = 99.9;
  EXPECT_EQ(launches(1), "w");
  kernel_.whole.ofBlock[0] = 100;
  kernel_.split.ofBlock[0] = 10;
  EXPECT_EQ(launches(1), "s");
  EXPECT_EQ(launches(1, 999), "w");  // in proportion to its blocks
  kernel_.whole.ofBlock[0] = 1e9;
  EXPECT_EQ(launches(2, 199), "ww");  // all of which run at once
}

TEST_F(SplitLaunch, AreTimedFromTheirOwnBeginning) {
  launches(2);
  kernel_.whole.ofBlock[0] = 1000;
  EXPECT_EQ(launches(1), "S");
  EXPECT_EQ(events_.timed, &kernel_.split);
  EXPECT_FALSE(events_.beginInEntry);  // then an event says it
  EXPECT_EQ(events_.blocks, 1000u);
  EXPECT_EQ(eventsRecorded, 2);
  launchFrames().frames[0].events = nullptr;  // as of a captured launch
  for (int number = 4; number <= 12; ++number) EXPECT_EQ(splits(1000), number != 8);
  EXPECT_EQ(eventsRecorded, 2);
}

TEST_F(SplitLaunch, BlocksThatRunAtOnceAreLaunchedTogether) {
  EXPECT_EQ(launches(2), "wW");
  kernel_.whole.ofBlock[0] = 1e9;
  blocksAtOnce = 8;
  EXPECT_FALSE(splits(800));
  EXPECT_TRUE(splits(801));
  EXPECT_EQ(occupancyAsked, 1);  // of launches alike
  blocksAtOnce = 4;
  EXPECT_TRUE(splits(800, 1, 1, 1024));
  launchFrames().frames[0].block = dim3(128);
  EXPECT_TRUE(splits(800, 1, 1, 1024));
  EXPECT_EQ(occupancyAsked, 3);
}

TEST_F(SplitLaunch, NeedsRoomInSharedMemory) {
  EXPECT_FALSE(splits(60000, 1, 1, 49152));  // the sample's has some more
  EXPECT_TRUE(splits(60000, 1, 1, 40000));
  mostShared = 100000;  // the program has asked for more since
  EXPECT_TRUE(splits(60000, 1, 1, 90000));
  EXPECT_EQ(setTo, 0);  // the other kernel has as much, as this runtime says
  kernel_.otherMostShared = 49152;
  EXPECT_TRUE(splits(60000, 1, 1, 90000));
  EXPECT_EQ(setTo, 100000);
}

TEST_F(SplitLaunch, NeedsKernelsThatKnowOfIt) {
  ptxVersion = 80;
  EXPECT_FALSE(splits(60000));
  kernel_.device = -1, ptxVersion = 90, kernel_.kind = OtherKind::plainWhole;
  EXPECT_FALSE(splits(60000));
  kernel_.kind = OtherKind::plainRest, refuses = true;
  EXPECT_FALSE(splits(60000));
  refuses = false, device_.closed = true;
  EXPECT_FALSE(splits(60000));
  device_.closed = false, device_.splits = nullptr;
  EXPECT_FALSE(splits(60000));
  device_.splits = table_.get();
  EXPECT_TRUE(splits(60000));
}

TEST_F(SplitLaunch, OfRowsThatAccountForLongOnes) {
  dim3& block = launchFrames().frames[0].block;
  EXPECT_TRUE(goesByRows(device_, {10000, 1, 1}));
  EXPECT_FALSE(goesByRows(device_, {7, 10000, 1}));  // rows are short
  EXPECT_TRUE(goesByRows(device_, {6400, 1, 1}));    // 16 times what 100 multiprocessors run at a time
  EXPECT_FALSE(goesByRows(device_, {6399, 1, 1}));
  EXPECT_TRUE(goesByRows(device_, {64, 10, 10}));
  for (const dim3 whole : {dim3(64), dim3(8, 8), dim3(96, 3)}) {
    block = whole;
    EXPECT_TRUE(goesByRows(device_, {10000, 2, 2})) << whole.x;
  }
  for (const dim3 other : {dim3(48), dim3(8, 6), dim3(24, 4)}) {
    block = other;
    EXPECT_FALSE(goesByRows(device_, {10000, 4, 4})) << other.x;
  }
}

TEST_F(SplitLaunch, OfLoopsThatAreShort) {
  EXPECT_FALSE(hasShortLoops(device_, {800, 1, 1}));  // all run at once with few registers
  EXPECT_TRUE(hasShortLoops(device_, {801, 1, 1}));
  EXPECT_TRUE(hasShortLoops(device_, {30, 30, 1}));
}

TEST_F(SplitLaunch, KernelsWithTalliesAreForProfilesOfAllWarps) {
  kernel_.kind = OtherKind::tallied;
  const auto isFor = [this](CuiOptions options) { return isForLaunch(kernel_, options, device_, {1, 1, 1}); };
  CuiOptions options = *cuiOptions();
  options.profile = 1, options.warpSampleLimit = ~0u;
  EXPECT_TRUE(isFor(options));
  options.warpSampleLimit = format::sampleLimit(4);
  EXPECT_FALSE(isFor(options));
  options.profile = 0, options.warpSampleLimit = ~0u;
  EXPECT_FALSE(isFor(options));
  kernel_.kind = OtherKind::plainRest;
  EXPECT_FALSE(isFor(options));
}

/// Of a kind that is for traces of all warps, without times and barriers.
class KernelsForTraces : public SplitLaunch {
 protected:
  bool isFor(const CuiOptions& options) { return isForLaunch(kernel_, options, device_, {1, 1, 1}); }
  static CuiOptions sampleOptions() {
    CuiOptions sample = *cuiOptions();
    sample.profile = sample.timestamps = sample.barriers = 0;
    sample.warpSampleLimit = ~0u, sample.sampleLimit = format::sampleLimit(64), sample.plainLaunches = 1;
    return sample;
  }
  void expectNotForOthers() {
    for (uint32_t CuiOptions::* const asked :
         {&CuiOptions::profile, &CuiOptions::timestamps, &CuiOptions::barriers}) {
      CuiOptions other = sampleOptions();
      other.*asked = 1;
      EXPECT_FALSE(isFor(other));
    }
    CuiOptions warps = sampleOptions();
    warps.warpSampleLimit = format::sampleLimit(4);
    EXPECT_FALSE(isFor(warps));
  }
};

TEST_F(KernelsForTraces, OfTheirOwnRecordsAreForAll) {
  kernel_.kind = OtherKind::inPlace;
  CuiOptions options = sampleOptions();
  EXPECT_TRUE(isFor(options));
  options.sampleLimit = ~0u;
  EXPECT_TRUE(isFor(options));
  expectNotForOthers();
}

TEST_F(KernelsForTraces, OfLogsAreForSamples) {
  kernel_.kind = OtherKind::logged;
  CuiOptions options = sampleOptions();
  EXPECT_TRUE(isFor(options));
  options.sampleLimit = ~0u;
  EXPECT_FALSE(isFor(options));
  expectNotForOthers();
}

/// What is launched by code without the recorder, or while nothing is recorded, if that has not changed
/// since.
TEST(LeftOut, AreSilentForCertain) {
  Device& device = runtime().devices[0];
  LaunchFrame frame = {};
  EXPECT_FALSE(isSilent(frame));
  frame.closed = true;
  EXPECT_FALSE(isSilent(frame));
  device.closed = true;
  EXPECT_TRUE(isSilent(frame));
  frame.closed = device.closed = false;
  frame.plain = true;
  EXPECT_TRUE(isSilent(frame));
  frame.selected = true;
  EXPECT_FALSE(isSilent(frame));
}

TEST(OtherKernels, AreFoundByTheirKernel) {
  char kernels[64] = {};
  const auto ofKind = [](bool isMode) {
    return [isMode](const OtherKernel& other) { return isForMode(other) == isMode; };
  };
  EXPECT_EQ(otherKernelOf(kernels, ofKind(false)), nullptr);
  std::vector<const void*> plain, forMode;
  for (const char& kernel : kernels) {
    plain.push_back(addOtherKernel(&kernel, nullptr,
                                   &kernel - kernels < 32 ? OtherKind::plainRest : OtherKind::plainWhole));
    EXPECT_EQ(otherKernelOf(&kernel, ofKind(true)), nullptr);
    forMode.push_back(addOtherKernel(&kernel, nullptr,
                                     &kernel - kernels < 9    ? OtherKind::profiled
                                     : &kernel - kernels < 20 ? OtherKind::traced
                                                              : OtherKind::tallied));
  }
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(otherKernelOf(kernels + i, ofKind(false)), plain[i]);
    EXPECT_EQ(otherKernelOf(kernels + i, ofKind(true)), forMode[i]);
  }
  otherKernelOf(kernels, ofKind(false))->device = 3;
  forgetAttributes(2);
  EXPECT_EQ(otherKernelOf(kernels, ofKind(false))->device, 3);
  forgetAttributes(3);
  EXPECT_EQ(otherKernelOf(kernels, ofKind(false))->device, -1);
}

}  // namespace
}  // namespace cui::backend
