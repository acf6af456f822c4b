// Host side: collects what finished kernels left (durations, counters, drops) and closes the devices.
// Nothing here waits for the user's kernels, except for a bounded time at exit.
#pragma once

#include <sys/mman.h>
#include <time.h>

#include <initializer_list>

#include "cuinstrument/backend/cuda/chunk_setup.h"
#include "cuinstrument/backend/cuda/device_setup.h"
#include "cuinstrument/backend/cuda/host_runtime.h"
#include "cuinstrument/host/abi.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

/// Converts one completed launch's events; may make its end the new time reference.
inline cudaError_t reportTime(Device& device, PendingLaunch& launch) {
  int64_t since = 0;
  float duration = 0;
  cudaError_t state = sinceReference(device, launch.beginInEntry ? launch.end : launch.begin, since);
  if (state == cudaSuccess && !launch.beginInEntry)
    state = cudaEventElapsedTime(&duration, launch.begin, launch.end);
  if (state != cudaSuccess) return state;
  const int64_t first = device.referenceNs + since;
  const int64_t end = first + static_cast<int64_t>(duration * 1e6);
  if (launch.timed != nullptr && !launch.beginInEntry && end > first) {
    launch.timed->ofBlock[1] = launch.timed->ofBlock[0];
    launch.timed->ofBlock[0] = static_cast<double>(end - first) / static_cast<double>(launch.blocks);
  }
  cuiLaunchTime(launch.id, launch.beginInEntry ? CUI_BEGIN_IN_ENTRY : first, end);
  if (end - device.referenceNs > maxReferenceAgeNs) {
    const cudaEvent_t old = device.reference;
    device.reference = launch.end;
    device.referenceNs = end;
    launch.end = old;
  }
  return cudaSuccess;
}

/// Reports launches that have completed; looks at `limit` pending ones at most. Those of the stream of
/// `completed` (null: of none) need not be asked for.
inline void harvestEvents(Device& device, unsigned int limit, const PendingLaunch* completed = nullptr) {
  const cudaStream_t stream = completed != nullptr ? completed->stream : nullptr;
  PendingLaunch** link = &device.first;
  PendingLaunch* previous = nullptr;
  for (unsigned int i = 0; *link != nullptr && i < limit; ++i) {
    PendingLaunch* launch = *link;
    cudaError_t state =
        completed != nullptr && launch->stream == stream ? cudaSuccess : cudaEventQuery(launch->end);
    if (state == cudaSuccess) state = reportTime(device, *launch);
    if (state == cudaErrorNotReady) {
      previous = launch;
      link = &launch->next;
      continue;
    }
    *link = launch->next;
    if (device.last == launch) device.last = previous;
    --device.pendingCount;
    device.pendingSelected -= launch->selected;
    device.pendingMayWake -= launch->mayWake;
    launch->next = device.spare;
    device.spare = launch;
  }
}

constexpr unsigned int harvestBatch = 32;

/// As harvestEvents(), in few questions, each of which takes as long as a launch's other bookkeeping: streams
/// keep their order, so what is before a completed launch has mostly completed, too. (Where two threads share
/// a stream it may not have: then its events say so.) Mostly the one asked for has not completed, and then
/// the others have not either.
inline void harvestBatchOfEvents(Device& device) {
  const PendingLaunch* last = device.first;
  if (last == nullptr) return;
  for (unsigned int i = 1; i < harvestBatch && last->next != nullptr; ++i) last = last->next;
  if (cudaEventQuery(last->end) == cudaSuccess) harvestEvents(device, harvestBatch, last);
}

/// After more than these the counters are read early, or their table would fill up.
constexpr unsigned int countedLaunches = 1024;

/// Tells hostlib what the counter table gained since the last time; where two keys met in one entry, what
/// belongs to which is not known. Clears the table when the device is idle and it is filling up: a launch
/// that finds another's entry in its place is slow throughout.
inline void reportCounters(Device& device, bool idle) {
  CuiCounter batch[64];
  std::size_t count = 0, used = 0;
  for (unsigned int i = 0; i < counterTableSize; ++i) {
    const CounterKey& key = device.countersCopy->keys[i];
    CounterKey& knownKey = device.countersKnown->keys[i];
    const CounterSums& now = device.countersCopy->sums[i];
    CounterSums& known = device.countersKnown->sums[i];
    if (key.key == 0) continue;
    ++used;
    if (now.requests == known.requests && now.idleLanes == known.idleLanes) continue;
    if (key.inverse != ~key.key) {
      if (key.inverse != 0 && knownKey.key != key.key)
        cuiStat("counters_incomplete", "info", 1, 0, "two launches' counts met in one entry");
      knownKey.key = key.key;
      continue;
    }
    batch[count].launchKey = key.key >> 32;
    batch[count].site = static_cast<uint32_t>(key.key) >> 1;
    batch[count].requests = now.requests - known.requests;
    batch[count].threadAccesses = 32 * batch[count].requests - (now.idleLanes - known.idleLanes);
    knownKey = key;
    known = now;
    if (++count == 64) {
      cuiCounters(device.ring.device, batch, count);
      count = 0;
    }
  }
  if (count != 0) cuiCounters(device.ring.device, batch, count);
  device.countersReadNs = cuiNow();
  device.uncountedLaunches = 0;
  if (!idle) return;
  device.counterRoom.wasRead(used, counterTableSize);
  if (used <= counterTableSize / 256) return device.counterRoom.isEmpty();
  if (cudaMemsetAsync(device.counters, 0, sizeof(CounterTable), device.stream) != cudaSuccess ||
      !finishOwnStream(device))
    return;
  __builtin_memset(device.countersKnown, 0, sizeof(CounterTable));
  device.counterRoom.isEmpty();
}

inline void reportLoss(uint64_t now, uint64_t& told, const char* name, const char* severity,
                       const char* detail) {
  if (now > told) cuiStat(name, severity, static_cast<int64_t>(now - told), 0, detail);
  told = now;
}

/// A device that failed, or never comes to an end, does not give out what waits in its memory, and no other
/// process could read it.
inline void reportPoolLost(const Device& device) {
  if (device.profile.sums != nullptr)
    cuiStat("profile_not_read", "data_loss", 1, 0, "the device failed: totals in its memory are lost");
  if (device.pool.units != nullptr)
    cuiStat("pool_not_read", "data_loss", 1, 0,
            "the device failed; with CUINSTRUMENT_POOL=0 records do not wait in its memory");
}

/// Hands on what waits in the pool; empties it where that is safe and it is filling up.
inline void settlePool(Device& device, Activity activity) {
  const bool closing = activity == Activity::unknown;
  const unsigned long long tail = device.contextCopy->pool.tail;
  const unsigned int units = device.pool.unitCount - device.pool.firstUnits;
  const bool filling = tail > units / 4 || device.mayEnd;
  if (!closing && !filling && cuiNow() - device.collectedNs < collectIntervalNs) return;
  if (units != 0 && tail >= units)
    cuiStat("pool_exhausted", "info", 1, 0,
            "times that CUINSTRUMENT_POOL was used up: further records went to the host's memory");
  if (!collectPool(device, tail, activity))
    reportPoolLost(device);
  else if (activity == Activity::none && filling && emptyPool(device))
    takeOpenChunks(device, true, true);
  if (closing) takeOpenChunks(device, false, true);
}

/// Waits a little for all launches to have ended.
inline bool becomesIdle(Device& device) {
  const int64_t deadline = cuiNow() + 20000000;
  do harvestEvents(device, ~0u);
  while (device.first != nullptr && cuiNow() < deadline);
  return device.first == nullptr && !device.untimedLaunches;
}

/// Hands on the totals that have been added up. With graphs, whose kernels have one number in all runs, each
/// time the device is known to be idle and some kernel has begun: then a run's sums are its own.
inline void settleProfile(Device& device, Activity activity) {
  const uint64_t entries = device.contextCopy->cursor.tail;
  const bool due = activity == Activity::unknown || device.profiledLaunches > device.profile.rowMask / 2 ||
                   cuiNow() - device.collectedNs >= collectIntervalNs || device.mayEnd ||
                   (device.graphs && entries != device.profiledEntries);
  if (activity == Activity::some || !due) return;
  device.profiledEntries = entries;
  if (!collectProfile(device))
    cuiStat("profile_not_read", "data_loss", 1, 0, "the device failed: totals in its memory are lost");
}

/// Takes over what the device has recorded, and reads the counters. Only a device whose launches have all
/// completed is asked, so this never waits for the user's work. `announced`: launches that are under way, and
/// have not been made, as counts are to be read before them. False if its memory cannot be read.
inline bool takeOver(Device& device, bool closing, bool deviceWide, unsigned int announced = 0) {
  const bool idle =
      device.first == nullptr && !device.untimedLaunches && device.launchesInFlight == announced;
  if (!idle && !closing) return true;
  const bool profile = cuiOptions()->profile != 0;
  const bool due = device.uncountedLaunches > countedLaunches || device.mayEnd ||
                   cuiNow() - device.countersReadNs > 100000000;
  const bool readCounters = !profile && (closing || due || announced != 0);
  if (!copyFrom(device, device.contextCopy, device.context, sizeof(DeviceContext)) ||
      (readCounters && !copyFrom(device, device.countersCopy, device.counters, sizeof(CounterTable))) ||
      !finishOwnStream(device))
    return false;
  const DeviceContext& context = *device.contextCopy;
  // What a device that has failed did not write does not come any more.
  const int64_t timeout =
      device.rescue != nullptr ? 0 : static_cast<int64_t>(cuiOptions()->waitNs) + 1000000000;
  cuiDrainRing(&device.ring, context.cursor.tail, timeout, 0);
  // Of a graph's kernels it is only known that they have ended once the program has waited for all of them.
  const Activity activity = closing                        ? Activity::unknown
                            : device.graphs && !deviceWide ? Activity::some
                                                           : Activity::none;
  if (profile)
    settleProfile(device, activity);
  else
    settlePool(device, activity);
  reportLoss(context.state.dropped, device.dropped, "records_dropped", "data_loss",
             "the ring was full for longer than CUINSTRUMENT_WAIT_MS");
  reportLoss(context.state.counterOverflow, device.overflow, "counters_incomplete", "info",
             "more (launch, site) pairs than the device's table holds");
  if (readCounters) reportCounters(device, idle);
  if (activity == Activity::none) device.talliedLaunches = device.unreadLaunches = 0;
  if (activity == Activity::none && cuiNow() - device.timersComparedNs > maxTimersAgeNs)
    renewReference(device);
  return true;
}

/// Takes over what a device that has failed had recorded: another process can read it.
inline void settleFailedDevice(Device& device) {
  if (device.talliedLaunches != 0)
    cuiStat("tallies_lost", "data_loss", device.talliedLaunches, 0,
            "launches since the last synchronisation: those that had not ended had sums in registers");
  if (!beginRescue(device)) {
    reportPoolLost(device);
    return takeOpenChunks(device, false, false);
  }
  cuiStat("device_failed", "info", 1, 0,
          "or never came to an end; what it had recorded was read from its memory all the same");
  cuiStat("counters_incomplete", "info", 1, 0, "the device failed, perhaps between a record and its count");
  if (!takeOver(device, true, false)) reportPoolLost(device);
  endRescue(device);
}

/// As takeOver(). Whether a device has failed shows when it is to be read for the last time.
inline void settleDevice(Device& device, bool closing, bool deviceWide) {
  if (device.splitLaunches != 0)
    cuiStat("samples_launched_apart", "info", device.splitLaunches, 0,
            "launches whose other blocks ran without the recorder");
  if (device.plainLaunches != 0)
    cuiStat("launches_without_recorder", "info", device.plainLaunches, 0,
            "not selected: they ran without the recorder");
  device.splitLaunches = device.plainLaunches = 0;
  if (!takeOver(device, closing, deviceWide) && closing) settleFailedDevice(device);
}

/// Before a wrapped call: kernels that nobody announces to us (cudaLaunchKernel, graphs) record from now on.
inline void prepareDevice() {
  if (!cuiRecording()) return;
  QuietCalls quiet;
  if (!quiet.allowed()) return;
  Lock lock;
  currentDevice();
}

/// After a call that waited for the device: `deviceWide` if it waited for all of it.
inline void afterSynchronize(cudaError_t result, bool deviceWide) {
  if (!cuiRecording()) return;
  QuietCalls quiet;
  if (!quiet.allowed() || result != cudaSuccess) return cuiFlush();
  {
    Lock lock;
    const int index = currentDeviceNumber();
    if (index >= 0 && runtime().devices[index].state == Device::ready) {
      Device& device = runtime().devices[index];
      if (deviceWide && device.launchesInFlight == 0) device.untimedLaunches = false;
      harvestEvents(device, ~0u);
      settleDevice(device, false, deviceWide);
    }
  }
  cuiFlush();
}

/// Gives the device up: its memory is about to vanish with cudaDeviceReset, or the program ends.
inline void releaseDevice(Device& device) {
  cuiDrainRing(&device.ring, device.contextCopy->cursor.tail, 0, 1);
  const bool detached = cuiDetachChunks(device.ring.device) != 0;
  free(device.pool.taken);
  free(device.pool.open);
  if (detached) munmap(device.mapping, device.mappingBytes);  // else it is still being read
  free(device.countersKnown);
  const uint64_t bit = 1ull << device.ring.device;
  for (HostUnit* unit = runtime().units; unit != nullptr; unit = unit->next) {
    unit->preparedDevices &= ~bit;
    unit->writtenDevices &= ~bit;
  }
  for (PendingLaunch** list : {&device.first, &device.spare})
    while (*list != nullptr) {
      PendingLaunch* launch = *list;
      *list = launch->next;
      delete launch;
    }
  const unsigned int underWay = device.launchesInFlight;
  device = Device();
  device.launchesInFlight = underWay;
}

/// Its memory is gone with its context: what had been written there since a synchronisation is lost.
inline void forgetContext(Device& device) {
  if (device.unreadLaunches != 0)
    cuiStat("context_destroyed", "data_loss", device.unreadLaunches, 0,
            "launches in a context that ended without cudaDeviceSynchronize() after them");
  releaseDevice(device);
}

inline void forgetContextsThatAreGone() {
  for (Device& device : runtime().devices) {
    if (device.state == Device::unused || !isContextGone(device)) continue;
    if (device.state == Device::ready) {
      forgetContext(device);
    } else {  // nobody reads what of it was made
      if (device.mapping != nullptr) munmap(device.mapping, device.mappingBytes);
      free(device.countersKnown);
      device = Device();
    }
  }
}

/// Around cudaDeviceReset(): collects everything before, forgets the device after.
inline void beforeReset() {
  if (!cuiRecording()) return;
  QuietCalls quiet;
  Lock lock;
  const int index = currentDeviceNumber();
  if (index < 0) return;
  Device& device = runtime().devices[index];
  if (device.state != Device::ready) return;
  if (!quiet.allowed()) {  // the program begins anew after an error: is it one that stays?
    const cudaError_t state = cudaStreamQuery(device.stream);
    if (state == cudaSuccess || state == cudaErrorNotReady) return;
    settleFailedDevice(device);
    return releaseDevice(device);
  }
  harvestEvents(device, ~0u);
  settleDevice(device, true, true);
  if (device.pool.units != nullptr) cudaFreeHost(device.pool.pinned);
  if (device.profileStaging != nullptr) cudaFreeHost(device.profileStaging);
  if (device.splits != nullptr) cudaFreeHost(device.splits);
  cudaStreamDestroy(device.stream);
  cudaHostUnregister(device.mapping);
  releaseDevice(device);
}

/// At exit: gives running kernels CUINSTRUMENT_WAIT_MS to finish, then collects what there is.
inline void closeDevices() {
  if (!cuiRecording()) return;
  stopCollector();
  QuietCalls quiet;
  Lock lock;
  // The program is over and asks for no error any more; one that stays is the end of the context, too.
  if (!quiet.allowed()) (void)cudaGetLastError();
  int ordinal = 0;
  if (cudaPeekAtLastError() != cudaSuccess || cudaGetDevice(&ordinal) != cudaSuccess) {
    for (Device& device : runtime().devices)
      if (device.state == Device::ready) settleFailedDevice(device);
    return;
  }
  const int64_t deadline = cuiNow() + static_cast<int64_t>(cuiOptions()->waitNs);
  const KeepCurrent kept;
  forgetContextsThatAreGone();
  for (Device& device : runtime().devices) {
    if (device.state != Device::ready || !makeCurrent(device)) continue;
    harvestEvents(device, ~0u);
    while (device.first != nullptr && cuiNow() < deadline) {
      const timespec pause = {0, 1000000};
      nanosleep(&pause, nullptr);
      harvestEvents(device, ~0u);
    }
    if (device.first != nullptr)
      cuiStat("kernels_running_at_exit", "data_loss", device.pendingCount, 0,
              "kernels that had not finished when the program ended");
    settleDevice(device, true, false);
  }
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
