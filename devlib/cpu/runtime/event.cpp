// Events: the time at which they were recorded, which is when the work before them had finished.
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>

#include "address_space.h"
#include "graph.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

struct Event {
  unsigned flags = cudaEventDefault;
  std::int64_t recordedNs = 0;  ///< CLOCK_MONOTONIC; 0: never recorded
};

constexpr std::uint64_t interprocessEventMark = 0x746e657665495543;
struct InterprocessEvent {
  std::uint64_t mark;
  pid_t process;
};

std::mutex eventsMutex;
std::map<cudaEvent_t, Event>& events() {
  static auto* created = new std::map<cudaEvent_t, Event>;
  return *created;
}

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

cudaError_t check(cudaEvent_t event) {
  if (const cudaError_t error = enter()) return leave(error);
  std::lock_guard<std::mutex> lock(eventsMutex);
  return leave(events().count(event) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

}  // namespace
}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (event == nullptr || (flags & ~known) != 0) return leave(cudaErrorInvalidValue);
  if ((flags & cudaEventInterprocess) != 0 && (flags & cudaEventDisableTiming) == 0)
    return leave(cudaErrorInvalidValue);
  static std::uintptr_t created = 0;
  std::lock_guard<std::mutex> lock(eventsMutex);
  *event = static_cast<cudaEvent_t>(pointerTo(++created << 8));
  events().emplace(*event, Event{flags, 0});
  return cudaSuccess;
}

// What another process records has been done when its call returns: there is nothing to wait for, so the
// handle has nothing but the process.
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  if (const cudaError_t error = enter()) return leave(error);
  if (handle == nullptr) return leave(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(eventsMutex);
  const auto found = events().find(event);
  if (found == events().end() || (found->second.flags & cudaEventInterprocess) == 0)
    return leave(cudaErrorInvalidResourceHandle);
  const InterprocessEvent content{interprocessEventMark, getpid()};
  *handle = {};
  std::memcpy(handle->reserved, &content, sizeof content);
  return cudaSuccess;
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  if (const cudaError_t error = enter()) return leave(error);
  InterprocessEvent content{};
  std::memcpy(&content, handle.reserved, sizeof content);
  if (event == nullptr || content.mark != interprocessEventMark) return leave(cudaErrorInvalidValue);
  if (content.process == getpid()) return leave(cudaErrorDeviceUninitialized);  // as CUDA says it
  return cudaEventCreateWithFlags(event, cudaEventInterprocess | cudaEventDisableTiming);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t error = enter()) return leave(error);
  std::lock_guard<std::mutex> lock(eventsMutex);
  const auto found = events().find(event);
  if (found == events().end() || !isStream(stream)) return leave(cudaErrorInvalidResourceHandle);
  if (isCapturing(stream)) return captureRecord(stream, event);
  found->second.recordedNs = now();
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal)
    return leave(cudaErrorInvalidValue);
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return check(event);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return check(event);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  if (const cudaError_t error = check(event)) return error;
  if (!isStream(stream)) return leave(cudaErrorInvalidResourceHandle);
  if (captureWait(stream, event)) return cudaSuccess;
  return leave(flags == cudaEventWaitDefault || flags == cudaEventWaitExternal ? cudaSuccess
                                                                               : cudaErrorInvalidValue);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (const cudaError_t error = enter()) return leave(error);
  std::lock_guard<std::mutex> lock(eventsMutex);
  return leave(events().erase(event) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (const cudaError_t error = enter()) return leave(error);
  if (milliseconds == nullptr) return leave(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(eventsMutex);
  const auto from = events().find(start), to = events().find(end);
  for (const auto& event : {from, to})
    if (event == events().end() || event->second.recordedNs == 0 ||
        (event->second.flags & cudaEventDisableTiming) != 0)
      return leave(cudaErrorInvalidResourceHandle);
  *milliseconds =
      static_cast<float>(static_cast<double>(to->second.recordedNs - from->second.recordedNs) * 1e-6);
  return cudaSuccess;
}
