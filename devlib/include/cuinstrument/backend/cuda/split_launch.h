// Host side: launches that are not recorded run kernels without the recorder, and of those of which a sample
// of blocks is, all the others do: the sample's are a launch of their own in front, which the second does not
// wait for (format/split_launch.h).
#pragma once

#include "cuinstrument/backend/cuda/launch.h"
#include "cuinstrument/host/launch_plan.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

/// A kernel that has one without the recorder beside it. Its address is what that is registered as.
struct PlainKernel {
  const void* kernel;
  bool splits;
  bool failed;                              ///< it cannot be launched
  int device;                               ///< that the following is of; -1: not asked yet
  bool hasPrologue;                         ///< it was compiled for a GPU of compute capability 9.0, or later
  std::size_t mostShared, plainMostShared;  ///< dynamic shared memory that they may have now
  PlainKernel* next;
};

/// By kernel. Units register theirs before main(), or as a library is loaded; none is ever removed.
struct PlainKernels {
  static constexpr unsigned int size = 1024;
  PlainKernel* first[size];
  static unsigned int placeOf(const void* kernel) {
    return static_cast<unsigned int>(reinterpret_cast<uint64_t>(kernel) >> 4) * 0x9e3779b1u >> 22;
  }
};
inline PlainKernels& plainKernels() {
  static PlainKernels instance = {};
  return instance;
}
inline const void* addPlainKernel(const void* kernel, bool splits) {
  PlainKernel* const added = new PlainKernel();
  added->kernel = kernel;
  added->splits = splits;
  added->device = -1;
  Lock lock;
  PlainKernel*& first = plainKernels().first[PlainKernels::placeOf(kernel)];
  added->next = first;
  first = added;
  return added;
}
inline PlainKernel* plainKernelOf(const void* kernel) {
  PlainKernel* found = plainKernels().first[PlainKernels::placeOf(kernel)];
  while (found != nullptr && found->kernel != kernel) found = found->next;
  return found;
}

/// What both may have on the current device. The program may have changed its kernel's since.
inline bool askAttributes(PlainKernel& plain, int device) {
  cudaFuncAttributes of, ofPlain;
  if (cudaFuncGetAttributes(&of, plain.kernel) != cudaSuccess ||
      cudaFuncGetAttributes(&ofPlain, &plain) != cudaSuccess)
    return false;
  plain.device = device;
  plain.hasPrologue = of.ptxVersion >= 90;
  plain.mostShared = static_cast<std::size_t>(of.maxDynamicSharedSizeBytes);
  plain.plainMostShared = static_cast<std::size_t>(ofPlain.maxDynamicSharedSizeBytes);
  return true;
}
inline bool canHave(PlainKernel& plain, int device, std::size_t sharedBytes, std::size_t plainSharedBytes) {
  const auto fits = [&] { return sharedBytes <= plain.mostShared && plainSharedBytes <= plain.mostShared; };
  if ((plain.device != device || !fits()) && !askAttributes(plain, device)) return false;
  if (!fits()) return false;
  if (plainSharedBytes <= plain.plainMostShared) return true;
  plain.plainMostShared = plain.mostShared;
  return cudaFuncSetAttribute(&plain, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(plain.mostShared)) == cudaSuccess;
}

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

/// Whether a sample's blocks are launched apart; then the plan says how. Grids that run in one go gain less
/// than a launch costs.
inline bool splitsSample(Device& device, PlainKernel& plain, const CuiLaunchExtent& grid,
                         std::size_t sharedBytes, CuiLaunchPlan& plan) {
  const uint64_t blocks = uint64_t{grid.x} * grid.y * grid.z;
  if (device.splits == nullptr || device.closed || !plain.splits || blocks < 2 * device.multiprocessors ||
      sharedBytes > (1u << 20) ||
      !canHave(plain, device.ring.device, format::splitSharedBytes(sharedBytes, format::splitGrids - 1),
               sharedBytes) ||
      !plain.hasPrologue)
    return false;
  const uint32_t recorded = blocksOfSample(device, blocks);
  if (recorded == 0) return false;
  const format::SplitGrid* const split = splitGrid(device, grid, sharedBytes, recorded);
  if (split == nullptr) return false;
  plan.recordedBelow = recordedBelow(cuiOptions()->sampleLimit);
  plan.lastRecorded = device.splits->blocks[recorded - 1];
  plan.sampleBlocks = recorded;
  plan.sampleSharedBytes = split->sharedBytes;
  return true;
}

/// Within a launch that announceLaunch() has begun.
inline bool planLaunch(const void* kernel, const CuiLaunchExtent& grid, std::size_t sharedBytes,
                       CuiLaunchPlan& plan) {
  if (!cuiRecording() || launchFrames().depth == 0) return false;
  const LaunchFrame& frame = currentFrame();
  if (frame.device < 0 || frame.capturing || frame.unit == nullptr) return false;
  if (frame.selected && cuiOptions()->sampleLimit == ~0u) return false;
  const QuietCalls quiet;
  if (!quiet.allowed()) return false;
  Lock lock;
  Device& device = runtime().devices[frame.device];
  PlainKernel* const plain = plainKernelOf(kernel);
  if (plain == nullptr || plain->failed) return false;
  plan = CuiLaunchPlan();
  plan.plain = plain;
  if (frame.selected) return frame.unit->hasMode && splitsSample(device, *plain, grid, sharedBytes, plan);
  return canHave(*plain, frame.device, 0, sharedBytes);
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
