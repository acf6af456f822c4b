// Host side of a launch: CUI_LAUNCH(n, k<<<…>>>(…)) becomes (begin, k<<<…>>>(…), end), and the
// configuration's operands pass through functions that note them. begin and end never change what the
// user's cudaGetLastError() returns, and never synchronise.
#pragma once

#include "cuinstrument/backend/cuda/harvest.h"
#include "cuinstrument/backend/cuda/host_runtime.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

/// A launch under way on this thread.
struct LaunchFrame {
  HostUnit* unit;
  unsigned int entry;
  dim3 grid, block;
  std::size_t sharedBytes;
  cudaStream_t stream;
  int device;  ///< -1: not recorded
  cudaError_t errorBefore;
  PendingLaunch* events;  ///< null: not timed
  bool capturing;
  bool selected;  ///< to be recorded, perhaps
  bool closed;    ///< nothing was recorded when it was made
  bool plain;     ///< its kernel has no recorder
  int64_t beginNs;
};
/// Launches nest when a kernel's argument calls a function that launches.
struct LaunchFrames {
  static constexpr int capacity = 8;
  LaunchFrame frames[capacity];
  int depth;
};
inline LaunchFrames& launchFrames() {
  static thread_local LaunchFrames instance = {};
  return instance;
}
inline LaunchFrame& currentFrame() {
  LaunchFrames& all = launchFrames();
  return all.frames[all.depth > 0 ? all.depth - 1 : 0];
}

constexpr unsigned int maxPendingLaunches = 8192;  ///< beyond, launches are not timed

inline PendingLaunch* takeEvents(Device& device) {
  if (device.pendingCount % harvestBatch == 0) harvestBatchOfEvents(device);
  if (device.pendingCount >= maxPendingLaunches) return nullptr;
  PendingLaunch* events = device.spare;
  if (events != nullptr) {
    device.spare = events->next;
    return events;
  }
  events = new PendingLaunch();
  if (cudaEventCreate(&events->begin) != cudaSuccess || cudaEventCreate(&events->end) != cudaSuccess) {
    delete events;
    return nullptr;
  }
  return events;
}

/// Whether the launch's kernel says when it begins, which an event takes 1 to 1.5 us of the host and 0.8 of
/// the GPU for: it is one of this unit's, which records now. With the lock held.
inline bool saysItsBegin(const Device& device, const LaunchFrame& frame) {
  if (frame.unit == nullptr) return false;
  HostUnit& unit = *frame.unit;
  const format::UnitTable& table = unit.table();
  const bool isPrepared = (unit.preparedDevices >> device.ring.device & 1) != 0;
  if (!frame.selected || device.closed || !isPrepared || !unit.hasMode || !hasRoomFor(device, unit) ||
      cuiNow() - device.timersComparedNs > 2 * maxTimersAgeNs)
    return false;
  if (unit.announcing == nullptr) unit.announcing = static_cast<unsigned char*>(calloc(table.launchCount, 1));
  if (unit.announcing == nullptr) return false;
  unsigned char& known = unit.announcing[frame.entry];
  if (known == 0) {
    known = 2;
    for (uint32_t i = 0; i < table.kernelCount; ++i)
      if (__builtin_strcmp(table.kernels[i].name, table.launches[frame.entry].kernelBase) == 0) known = 1;
  }
  return known == 1;
}

inline void giveBack(Device& device, PendingLaunch* events) {
  events->next = device.spare;
  device.spare = events;
}

/// Starts timing on `stream`, unless the launch only becomes a graph's node. Most launches take one event,
/// behind them.
inline void beginTiming(LaunchFrame& frame, cudaStream_t stream, const QuietCalls& quiet) {
  if (frame.device < 0 || !quiet.allowed()) return;
  // Nobody can capture the legacy stream, which most small launches are in: the question takes 0.2 us.
  const bool isLegacy = stream == nullptr || stream == cudaStreamLegacy;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  frame.capturing = !isLegacy && (cudaStreamIsCapturing(stream, &status) != cudaSuccess ||
                                  status != cudaStreamCaptureStatusNone);
  if (frame.capturing) return;
  {
    Lock lock;
    Device& device = runtime().devices[frame.device];
    frame.events = takeEvents(device);
    if (frame.events == nullptr) return;
    frame.events->beginInEntry = saysItsBegin(device, frame);
    frame.events->timed = nullptr;
  }
  if (!frame.events->beginInEntry && cudaEventRecord(frame.events->begin, stream) != cudaSuccess) {
    Lock lock;
    giveBack(runtime().devices[frame.device], frame.events);
    frame.events = nullptr;
  }
}

/// Before launches of a kernel are recorded, others of which are left out. Those that have not begun by then
/// would record, and those that hostlib waits for in vain would be taken for the ones that come now: they are
/// waited for, for a second.
inline void waitForLeftOut(Device& device) {
  const int64_t deadline = cuiNow() + 1000000000;
  const auto isAwaited = [&] {
    return device.someMayBeSilent ? device.first != nullptr : device.pendingMayWake != 0;
  };
  while (isAwaited() && cuiNow() < deadline) harvestEvents(device, ~0u);
  if (!device.someMayBeSilent || device.first != nullptr ||
      !copyFrom(device, device.contextCopy, device.context, sizeof(DeviceContext)) ||
      !finishOwnStream(device))
    return;
  cuiDrainRing(&device.ring, device.contextCopy->cursor.tail, 1000000000, 0);
  device.someMayBeSilent = false;
}

inline void switchOn(Device& device) {
  if (device.closed && cuiOptions()->choosesLaunches != 0) waitForLeftOut(device);
  setClosed(device, false);
}

/// Before a launch: recording is switched off for launches that are left out, unless others may be under way.
/// A graph may run at any time, so after a captured launch it stays on.
inline void selectLaunch(Device& device, const LaunchFrame& frame) {
  if (frame.selected || device.graphs) return switchOn(device);
  if (!device.closed) harvestEvents(device, ~0u);
  if (device.pendingSelected == 0 && !device.untimedLaunches && device.launchesInFlight == 1)
    setClosed(device, true);
}

/// Profile mode: before the rows for launches are used up, waits a little for the device to be idle, so that
/// they can be used again. What finds no row is added up all the same, but not by launch.
inline void makeRoomInProfile(Device& device) {
  if (device.profile.sums == nullptr || device.graphs ||
      ++device.profiledLaunches <= device.profile.rowMask / 4 * 3 || device.launchesInFlight != 1)
    return;
  if (becomesIdle(device)) {
    // Totals only: settleDevice() would wait for hostlib to read the ring, which has time.
    settleProfile(device, Activity::none);
  } else {
    device.profiledLaunches -= device.profile.rowMask / 8;  // again after some more
  }
}

/// Trace mode: the same before the table of counts is used up, or there are very many records to read. Waits
/// for hostlib to have read what it is behind with: it would have to at last.
inline void takeOverEarly(Device& device) {
  if (device.profile.sums != nullptr || !device.counterRoom.isFilledBy() || device.graphs ||
      device.launchesInFlight != 1)
    return;
  if (!becomesIdle(device)) return device.counterRoom.wasBusy();
  takeOver(device, false, true, 1);
}

/// Kernels with recursion have the stack that cudaLimitStackSize says, of which the recorder takes a part:
/// adds that to what the program set, again whenever it sets another. Also while nothing is recorded: such
/// kernels are compiled with calls of the recorder, which make their frames larger.
inline void makeRoomOnStack() {
  constexpr std::size_t recorderStack = 1280;  // 792 to 960 bytes were seen, 1,208 with 32 registers
  QuietCalls quiet;
  if (!quiet.allowed()) return;
  Lock lock;
  const int index = currentDeviceNumber();
  if (index < 0) return;
  Device& device = runtime().devices[index];
  std::size_t limit = 0;
  if (cudaDeviceGetLimit(&limit, cudaLimitStackSize) != cudaSuccess || limit == device.stackLimit) return;
  if (cudaDeviceSetLimit(cudaLimitStackSize, limit + recorderStack) != cudaSuccess ||
      cudaDeviceGetLimit(&device.stackLimit, cudaLimitStackSize) != cudaSuccess)
    device.stackLimit = limit;
}

/// The current device, if it records; with the lock held.
inline Device* deviceOfCall(const QuietCalls& quiet) {
  if (quiet.allowed()) return currentDevice();
  const int index = currentDeviceNumber();  // cannot fail once there is a context
  return index >= 0 && runtime().devices[index].state == Device::ready ? &runtime().devices[index] : nullptr;
}

/// From here on kernels may run that no launch announces, again and again.
inline void expectGraphs(Device& device, const QuietCalls& quiet) {
  device.graphs = true;
  if (quiet.allowed()) countRuns(device);
}

/// `unit`: its own object, which need not be linked where units compile this. Pushes a frame.
inline void announceLaunch(HostUnit& unit, unsigned int entry) {
#if !defined(CUI_HOST_SIDE_IN_LIBRARY_ITSELF)
  linkUnit(unit, 0);
#endif
  LaunchFrames& all = launchFrames();
  if (all.depth == LaunchFrames::capacity) {  // frames left behind by exceptions: forget the oldest
    for (int i = 1; i < LaunchFrames::capacity; ++i) all.frames[i - 1] = all.frames[i];
    --all.depth;
  }
  LaunchFrame& frame = all.frames[all.depth++];
  cuiSetLaunchesUnderWay(all.depth);
  frame = LaunchFrame();
  frame.unit = &unit;
  frame.entry = entry;
  frame.device = -1;
  // Where nothing is recorded a unit may be of another version, of which nothing is known.
  if (cuiRecording() ? unit.recursive : runtime().recursive) makeRoomOnStack();
  if (!cuiRecording()) return;
  frame.stream = unit.perThreadStreams ? cudaStreamPerThread : nullptr;  // unless the launch names one
  {
    QuietCalls quiet;
    frame.errorBefore = quiet.before();
    {
      Lock lock;
      frame.selected = cuiLaunchSelected(&unit.table(), entry, 0) != 0;
      if (const Device* const device = deviceOfCall(quiet)) frame.device = device->ring.device;
      if (frame.device >= 0) {
        ++runtime().devices[frame.device].launchesInFlight;
        if (quiet.allowed()) {
          selectLaunch(runtime().devices[frame.device], frame);
          frame.closed = runtime().devices[frame.device].closed;
          makeRoomInProfile(runtime().devices[frame.device]);
          if (frame.selected) takeOverEarly(runtime().devices[frame.device]);
        }
      }
    }
    if (!unit.table().launches[entry].hasStream) beginTiming(frame, frame.stream, quiet);
  }
  frame.beginNs = cuiNow();
}

inline dim3 launchGrid(dim3 value) {
  return currentFrame().grid = value;
}
inline dim3 launchBlock(dim3 value) {
  return currentFrame().block = value;
}
inline std::size_t launchSharedBytes(std::size_t value) {
  return currentFrame().sharedBytes = value;
}
inline cudaStream_t launchStream(cudaStream_t value) {
  LaunchFrame& frame = currentFrame();
  if (value != nullptr) frame.stream = value;
  beginTiming(frame, frame.stream, QuietCalls());
  return value;
}

/// The per-thread default stream is another stream in each thread.
inline uint64_t streamIdentity(cudaStream_t value) {
  if (value == cudaStreamPerThread) {
    const uint64_t thread = pthread_self();
    return thread | 1u;
  }
  return value == cudaStreamLegacy ? 0 : reinterpret_cast<uint64_t>(value);
}

/// Whether the launch's kernel says nothing of itself for certain. Another thread can have switched recording
/// on since it was made.
inline bool isSilent(const LaunchFrame& frame) {
  if (frame.selected) return false;
  if (frame.plain || !frame.closed) return frame.plain;
  Lock lock;
  return runtime().devices[frame.device].closed;
}

inline void concludeLaunch(HostUnit& unit, unsigned int entry) {
  const int64_t endNs = cuiNow();
  LaunchFrames& all = launchFrames();
  while (all.depth > 0 && (currentFrame().unit != &unit || currentFrame().entry != entry)) --all.depth;
  if (all.depth == 0) return cuiSetLaunchesUnderWay(0);
  LaunchFrame frame = currentFrame();
  cuiSetLaunchesUnderWay(--all.depth);
  if (frame.device < 0) return;

  QuietCalls quiet;
  // With an older error still pending a failure of this launch cannot be told from it.
  const cudaError_t error = frame.errorBefore == cudaSuccess ? quiet.before() : cudaSuccess;
  const bool timed = frame.events != nullptr && quiet.allowed() &&
                     cudaEventRecord(frame.events->end, frame.stream) == cudaSuccess;
  CuiLaunch launch = {};
  launch.unit = &unit.table();
  launch.launchEntry = entry;
  const dim3 extents[2] = {frame.grid, frame.block};
  for (int i = 0; i < 2; ++i) {
    uint32_t* extent = i == 0 ? launch.grid : launch.block;
    extent[0] = extents[i].x;
    extent[1] = extents[i].y;
    extent[2] = extents[i].z;
  }
  launch.dynamicSharedBytes = frame.sharedBytes;
  launch.device = frame.device;
  launch.stream = streamIdentity(frame.stream);
  launch.hostBeginNs = frame.beginNs;
  launch.captured = frame.capturing;
  launch.silent = isSilent(frame);
  // The extents are known only now. Records that came first wait in hostlib for their launch.
  const uint64_t id = cuiLaunchMade(&launch, endNs, static_cast<int>(error),
                                    error == cudaSuccess ? "" : cudaGetErrorName(error));

  Lock lock;
  Device& device = runtime().devices[frame.device];
  --device.launchesInFlight;
  ++device.uncountedLaunches;
  ++device.unreadLaunches;
  if (frame.capturing) expectGraphs(device, quiet);
  if (timed && device.state == Device::ready) {
    frame.events->id = id;
    frame.events->stream = frame.stream;
    frame.events->selected = frame.selected;
    device.pendingSelected += frame.selected;
    device.someMayBeSilent |= !frame.selected && launch.silent == 0;
    frame.events->mayWake = frame.closed && !frame.plain;
    device.pendingMayWake += frame.events->mayWake;
    frame.events->next = nullptr;
    (device.last != nullptr ? device.last->next : device.first) = frame.events;
    device.last = frame.events;
    ++device.pendingCount;
  } else {
    if (frame.events != nullptr) giveBack(device, frame.events);
    if (error == cudaSuccess) device.untimedLaunches = true;
  }
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
