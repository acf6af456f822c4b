// Host side: launches that are not recorded run kernels without the recorder, and of those of which a sample
// of blocks is, all the others do: the sample's are a launch of their own in front, which the second does not
// wait for (format/split_launch.h). Others run kernels that one mode is faster with.
#pragma once

#include "cuinstrument/backend/cuda/launch.h"
#include "cuinstrument/backend/cuda/plain_kernel.h"
#include "cuinstrument/host/launch_plan.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

/// How many of the grid's first blocks a sample takes; their numbers are in the table then. 0 where that has
/// not room for all.
inline uint32_t blocksOfSample(Device& device, uint64_t blocks) {
  constexpr uint64_t most = 1u << 26;  // 20 ms, once
  if (blocks > most) return 0;
  const uint32_t below = recordedBelow(cuiOptions()->sampleLimit);
  uint32_t* const numbers = device.splits->blocks;
  for (; device.splitNumbered < blocks; ++device.splitNumbered) {
    if (blockOrder(device.splitNumbered) >= below) continue;
    if (device.splitBlocks == format::mostSplitBlocks) return 0;
    numbers[device.splitBlocks++] = device.splitNumbered;
  }
  uint32_t low = 0, high = device.splitBlocks;  // the first that is not one of these blocks
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (numbers[middle] < blocks)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// The table's row for such a launch; null if there is no room. What is there stays.
inline const format::SplitGrid* splitGrid(Device& device, const CuiLaunchExtent& grid,
                                          std::size_t sharedBytes, uint32_t blocks) {
  uint32_t number = 0;
  for (; number < device.splitGrids; ++number) {
    const format::SplitGrid& known = device.splits->grids[number];
    if (known.grid[0] == grid.x && known.grid[1] == grid.y && known.grid[2] == grid.z &&
        known.sharedBytes == format::splitSharedBytes(sharedBytes, number))
      return &known;
  }
  if (number == format::splitGrids) return nullptr;
  format::SplitGrid& made = device.splits->grids[number];
  made = {{grid.x, grid.y, grid.z},
          static_cast<uint32_t>(format::splitSharedBytes(sharedBytes, number)),
          blocks,
          {}};
  ++device.splitGrids;
  return &made;
}

/// Grids that run in one go gain less than a launch costs, and so do kernels that take less than this with
/// all their blocks' registers: a launch more, its event, and the recorded blocks' own time, which short
/// kernels do not hide, are 25 us (docs/benchmarks/recording.md).
constexpr int64_t shortestSplitNs = 100000;
/// So many blocks for each multiprocessor take that long to be launched, whatever they do, with the
/// recorder's registers.
constexpr uint64_t blocksOfLongLaunch = 512;

/// Whether all blocks of the launch under way run at once with the recorder's registers, too, as those of
/// grids of a few blocks a multiprocessor do. Then a sample's launch in front would only take its own time.
inline bool runAtOnce(const Device& device, OtherKernel& plain, uint64_t blocks, std::size_t sharedBytes) {
  const dim3& block = currentFrame().block;
  const unsigned int threads = block.x * block.y * block.z;
  Occupancy& known = plain.occupancy;
  if (known.device != device.ring.device || known.threads != threads || known.sharedBytes != sharedBytes) {
    known = {device.ring.device, threads, sharedBytes, 0};
    const QuietCalls quiet;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&known.blocks, plain.kernel, static_cast<int>(threads),
                                                      sharedBytes) != cudaSuccess)
      known.blocks = 0;
  }
  return blocks <= static_cast<uint64_t>(known.blocks) * device.multiprocessors;
}

/// A kernel's launches by number: the 2nd, 8th, 16th, 32nd, … are timed whole, the 12th, 24th, 48th, … split,
/// if that may pay. The first one waits for its code to be loaded.
inline bool isPowerOfTwo(uint32_t number) {
  return number != 0 && (number & (number - 1)) == 0;
}
inline bool isTimedWhole(uint32_t number) {
  return number == 2 || (number >= 8 && isPowerOfTwo(number));
}
inline bool isTimedSplit(uint32_t number) {
  return number >= 12 && number % 3 == 0 && isPowerOfTwo(number / 3);
}

/// Long launches whose blocks run in several goes are split once to see what that takes, and then whenever it
/// takes less. Those of the other kind are not tried: a launch whose sample runs elsewhere on the device than
/// the last one's is some 50 us longer, as the lanes there take chunks first.
inline bool isWorthSplitting(const Device& device, OtherKernel& plain, uint64_t blocks,
                             std::size_t sharedBytes) {
  if (cuiOptions()->plainLaunches == 2) return true;
  if (blocks < 2 * uint64_t{device.multiprocessors}) return false;
  if (blocks >= blocksOfLongLaunch * device.multiprocessors) return true;
  const double whole = plain.whole.shorter(), split = plain.split.shorter();
  const bool isLong = whole * static_cast<double>(blocks) >= static_cast<double>(shortestSplitNs);
  if (!isLong || isTimedWhole(plain.askedFor) || runAtOnce(device, plain, blocks, sharedBytes)) return false;
  return split == 0 || split < whole || isTimedSplit(plain.askedFor);
}

/// Has the launch under way timed, of so many blocks: what it takes is not known here of launches whose
/// kernel says its begin itself, and an event more is 4 to 6 us.
inline void timeLaunch(LaunchFrame& frame, LaunchNs& times, uint64_t blocks) {
  PendingLaunch* const events = frame.events;
  if (events == nullptr) return;
  const QuietCalls quiet;
  if (events->beginInEntry)
    events->beginInEntry = cudaEventRecord(events->begin, frame.stream) != cudaSuccess;
  events->timed = &times;
  events->blocks = blocks;
}

/// Whether a sample's blocks are launched apart; then the plan says how.
inline bool splitsSample(Device& device, OtherKernel& plain, const CuiLaunchExtent& grid,
                         std::size_t sharedBytes, CuiLaunchPlan& plan) {
  const uint64_t blocks = uint64_t{grid.x} * grid.y * grid.z;
  if (device.splits == nullptr || device.closed || plain.kind != OtherKind::plainRest || blocks < 2 ||
      sharedBytes > (1u << 20) ||
      !canHave(plain, device.ring.device, format::splitSharedBytes(sharedBytes, format::splitGrids - 1),
               sharedBytes) ||
      !plain.hasPrologue)
    return false;
  ++plain.askedFor;
  if (!isWorthSplitting(device, plain, blocks, sharedBytes)) {
    if (isTimedWhole(plain.askedFor)) timeLaunch(currentFrame(), plain.whole, blocks);
    return false;
  }
  const uint32_t recorded = blocksOfSample(device, blocks);
  const format::SplitGrid* const split =
      recorded == 0 ? nullptr : splitGrid(device, grid, sharedBytes, recorded);
  if (split == nullptr) return false;
  plan.recordedBelow = recordedBelow(cuiOptions()->sampleLimit);
  plan.lastRecorded = device.splits->blocks[recorded - 1];
  plan.sampleBlocks = recorded;
  plan.sampleSharedBytes = split->sharedBytes;
  const bool compared = plain.whole.shorter() != 0;  // those that are always split are not
  if (compared && (plain.split.shorter() == 0 || isTimedSplit(plain.askedFor)))
    timeLaunch(currentFrame(), plain.split, blocks);
  return true;
}

/// With fewer registers the warp that accounts for a row takes longer, some 10 us, which shorter kernels do
/// not hide; and so many threads a multiprocessor run at a time with the recorder's usual ones.
constexpr uint64_t fewestTurnsOfRows = 16, threadsAtOnce = 1024;

inline uint64_t threadsOf(const CuiLaunchExtent& grid) {
  const dim3& block = currentFrame().block;
  return uint64_t{grid.x} * grid.y * grid.z * (block.x * block.y * block.z);
}
/// Whether rows of the grid account for what its blocks access (row_site.h), so that hardly any warp calls
/// the recorder, and the launch is long: of the launch under way.
inline bool goesByRows(const Device& device, const CuiLaunchExtent& grid) {
  const dim3& block = currentFrame().block;
  return grid.x >= fewestBlocksOfRow && hasWholeWarps(block.x, block.x * block.y * block.z) &&
         threadsOf(grid) >= fewestTurnsOfRows * threadsAtOnce * device.multiprocessors;
}
/// Whether a lean kernel's loops are short, as far as its launch tells: grids of long ones run at once.
inline bool hasShortLoops(const Device& device, const CuiLaunchExtent& grid) {
  return threadsOf(grid) > 2 * threadsAtOnce * device.multiprocessors;
}
/// Whether kernels that write their records themselves are for it, which trace without times, barriers and a
/// choice of warps.
inline bool recordsInPlace(const CuiOptions& options) {
  return options.profile == 0 && options.warpSampleLimit == ~0u && options.timestamps == 0 &&
         options.barriers == 0;
}
inline bool isForLaunch(const OtherKernel& other, const CuiOptions& options, const Device& device,
                        const CuiLaunchExtent& grid) {
  const bool profiled = options.profile != 0;
  switch (other.kind) {
    case OtherKind::profiled:
      return profiled && goesByRows(device, grid);
    case OtherKind::traced:
      return !profiled && hasShortLoops(device, grid);
    case OtherKind::tallied:
      return profiled && options.warpSampleLimit == ~0u && !device.closed;  // it does not ask itself
    case OtherKind::inPlace:
      return recordsInPlace(options);
    case OtherKind::logged:
      return recordsInPlace(options) && options.sampleLimit != ~0u;
    case OtherKind::plainWhole:
    case OtherKind::plainRest:
      break;
  }
  return false;
}
/// The one that records in the kernel's place; null: it does so itself.
inline OtherKernel* recordingKernelOf(const void* kernel, const Device& device, const CuiLaunchExtent& grid,
                                      std::size_t sharedBytes) {
  const bool whole = cuiOptions()->sampleLimit == ~0u;
  const auto foundOf = [&](const auto& is) {
    return otherKernelOf(kernel, [&](const OtherKernel& other) {
      return is(other.kind) && isForLaunch(other, *cuiOptions(), device, grid);
    });
  };
  OtherKernel* found = foundOf([](OtherKind kind) { return kind == OtherKind::logged; });
  // Where it has loops' accesses only, a sample's blocks write records, too.
  if (found == nullptr)
    found = foundOf([whole](OtherKind kind) { return whole || kind == OtherKind::inPlace; });
  const int number = device.ring.device;
  const bool can = found != nullptr && isPrepared(*found, number) && canHave(*found, number, 0, sharedBytes);
  return can ? found : nullptr;
}

/// Within a launch that announceLaunch() has begun, which `kernel` is launched by. Mostly without any of the
/// runtime's calls, so those that are made are bracketed one by one: a kernel that has the device to itself
/// waits for all of this.
inline bool planLaunch(const void* kernel, const CuiLaunchExtent& grid, std::size_t sharedBytes,
                       CuiLaunchPlan& plan) {
  if (!cuiRecording() || launchFrames().depth == 0 || cuiOptions()->plainLaunches == 0) return false;
  LaunchFrame& frame = currentFrame();
  if (frame.device < 0 || frame.capturing || frame.unit == nullptr) return false;
  const bool whole = frame.selected && cuiOptions()->sampleLimit == ~0u;
  if (cudaPeekAtLastError() != cudaSuccess) return false;
  Lock lock;
  Device& device = runtime().devices[frame.device];
  if (device.state != Device::ready) return false;
  plan = CuiLaunchPlan();
  plan.kernel = plan.sampleKernel = kernel;
  if (!whole) {
    OtherKernel* const plain =
        otherKernelOf(kernel, [](const OtherKernel& other) { return !isForMode(other); });
    const bool planned =
        plain != nullptr && (frame.selected ? isPrepared(*plain, frame.device) &&
                                                  splitsSample(device, *plain, grid, sharedBytes, plan)
                                            : canHave(*plain, frame.device, 0, sharedBytes));
    if (planned) {
      plan.kernel = plain;
      ++(frame.selected ? device.splitLaunches : device.plainLaunches);
    }
    if (!frame.selected) return frame.plain = planned;
  }
  const std::size_t mostShared = plan.sampleBlocks != 0 ? plan.sampleSharedBytes : sharedBytes;
  OtherKernel* const recording = recordingKernelOf(kernel, device, grid, mostShared);
  if (recording == nullptr) return plan.sampleBlocks != 0;
  if (recording->kind == OtherKind::tallied) ++device.talliedLaunches;
  (plan.sampleBlocks != 0 ? plan.sampleKernel : plan.kernel) = recording;
  return true;
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
