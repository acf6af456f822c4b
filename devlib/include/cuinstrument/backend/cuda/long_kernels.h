// Host side: kernels that run for long. A thread of ours takes over, now and then, what waits in the memory
// of a device whose oldest launch has not been seen to end since the last time, so that the trace has it
// before the kernel ends. It holds the runtime's lock whenever it is awake.
//
// A context belongs to the thread that made it current: where it is not known which one that is (contexts.h),
// such kernels are collected when they have ended.
#pragma once

#include <signal.h>
#include <time.h>

#include "cuinstrument/backend/cuda/collect.h"
#include "cuinstrument/backend/cuda/contexts.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

constexpr int64_t longKernelNs = 250000000;

/// With the device's context current. What has been written is taken, whatever is running.
inline bool collectRunning(Device& device) {
  unsigned long long& tail = device.contextCopy->pool.tail;
  return cudaMemcpyAsync(&tail, &device.context->pool.tail, sizeof tail, cudaMemcpyDeviceToHost,
                         device.stream) == cudaSuccess &&
         finishOwnStream(device) && collectPool(device, tail, Activity::unknown);
}

inline void* collectLongKernels(void*) {
  Runtime& all = runtime();
  Lock lock;
  while (!all.collectorStops) {
    timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += longKernelNs;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      ++until.tv_sec;
    }
    pthread_cond_timedwait(&all.collectorWakes, &all.mutex, &until);
    for (Device& device : all.devices) {
      if (all.collectorStops || device.state != Device::ready) continue;
      const uint64_t oldest = device.first != nullptr ? device.first->id : 0;
      const bool running = device.untimedLaunches || (oldest != 0 && oldest == device.oldestSeen);
      device.oldestSeen = oldest;
      if (!running || device.collectionFailed || device.pool.units == nullptr) continue;
      if (cuiNow() - device.collectedNs < longKernelNs) continue;
      device.collectionFailed = !makeCurrent(device);
      if (device.collectionFailed) continue;
      const QuietCalls quiet;
      device.collectionFailed = !quiet.allowed() || !collectRunning(device);
    }
  }
  return nullptr;
}

/// The device is ready, and its context current.
inline void watchLongKernels(Device& device) {
  Runtime& all = runtime();
  device.collectionFailed = device.contextNumber == 0;
  if (all.collectorRuns || device.collectionFailed || device.pool.units == nullptr) return;
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&all.collectorWakes, &monotonic);
  pthread_condattr_destroy(&monotonic);
  sigset_t every, before;  // signals are the program's own threads'
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  all.collectorRuns = pthread_create(&all.collector, nullptr, &collectLongKernels, nullptr) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// Before the devices are closed; without the lock.
inline void stopCollector() {
  Runtime& all = runtime();
  {
    Lock lock;
    if (!all.collectorRuns) return;
    all.collectorRuns = false;
    all.collectorStops = true;
    pthread_cond_signal(&all.collectorWakes);
  }
  pthread_join(all.collector, nullptr);
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
