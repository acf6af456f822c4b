// Streams. Work has finished when the call that made it returns, so a stream is its handle and flags.
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

#include "address_space.h"
#include "graph.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

// What cudaDeviceGetStreamPriorityRange reports; lower numbers are served first.
constexpr int leastPriority = 0;
constexpr int greatestPriority = -5;

struct Stream {
  unsigned flags = cudaStreamDefault;
  int priority = leastPriority;
  unsigned long long id = 0;
};

std::mutex streamsMutex;
std::map<cudaStream_t, Stream>& streams() {
  static auto* created = new std::map<cudaStream_t, Stream>;
  return *created;
}

bool isDefault(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

/// The stream's properties; the default streams' are fixed.
bool find(cudaStream_t stream, Stream& found) {
  if (isDefault(stream)) {
    found = Stream{};
    found.id = stream == nullptr ? 1 : reinterpret_cast<std::uintptr_t>(stream);
    return true;
  }
  std::lock_guard<std::mutex> lock(streamsMutex);
  const auto i = streams().find(stream);
  if (i == streams().end()) return false;
  found = i->second;
  return true;
}

cudaError_t create(cudaStream_t* stream, unsigned flags, int priority) {
  if (const cudaError_t error = enter()) return leave(error);
  if (stream == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0)
    return leave(cudaErrorInvalidValue);
  static unsigned long long created = 2;  // 1 and 2: the default streams
  std::lock_guard<std::mutex> lock(streamsMutex);
  Stream made;
  made.flags = flags;
  made.priority = std::clamp(priority, greatestPriority, leastPriority);
  made.id = ++created;
  // Counted, not allocated: the same program sees the same handles in every run.
  *stream = static_cast<cudaStream_t>(pointerTo(static_cast<std::uintptr_t>(made.id) << 8));
  streams().emplace(*stream, made);
  return cudaSuccess;
}

cudaError_t check(cudaStream_t stream) {
  if (const cudaError_t error = enter()) return leave(error);
  return leave(isStream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

}  // namespace

bool isStream(cudaStream_t stream) {
  Stream found;
  return find(stream, found);
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return create(stream, cudaStreamDefault, leastPriority);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return create(stream, flags, leastPriority);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return create(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (const cudaError_t error = enter()) return leave(error);
  std::lock_guard<std::mutex> lock(streamsMutex);
  return leave(streams().erase(stream) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (isCapturing(stream)) return leave(cudaErrorStreamCaptureUnsupported);
  return check(stream);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* userData,
                                  unsigned int flags) {
  if (const cudaError_t error = check(stream)) return error;
  if (callback == nullptr || flags != 0) return leave(cudaErrorInvalidValue);
  callback(stream, cudaSuccess, userData);
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* userData) {
  if (const cudaError_t error = check(stream)) return error;
  if (function == nullptr) return leave(cudaErrorInvalidValue);
  if (isCapturing(stream))
    return capture(stream, cudaGraphNodeTypeHost,
                   [=](cudaStream_t at) { return cudaLaunchHostFunc(at, function, userData); });
  function(userData);
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (const cudaError_t error = check(stream)) return error;
  Stream found;
  if (priority == nullptr || !find(stream, found)) return leave(cudaErrorInvalidValue);
  *priority = found.priority;
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  if (const cudaError_t error = check(stream)) return error;
  Stream found;
  if (flags == nullptr || !find(stream, found)) return leave(cudaErrorInvalidValue);
  *flags = found.flags;
  return cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  if (const cudaError_t error = check(stream)) return error;
  Stream found;
  if (id == nullptr || !find(stream, found)) return leave(cudaErrorInvalidValue);
  *id = found.id;
  return cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  if (const cudaError_t error = check(stream)) return error;
  if (device == nullptr) return leave(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t, unsigned int flags) {
  if (const cudaError_t error = check(stream)) return error;
  if (pointer == nullptr ||
      (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle))
    return leave(cudaErrorInvalidValue);
  return cudaSuccess;
}

// Attributes steer caches and scheduling, of which there is none; only the priority can be read back.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue* value) {
  if (const cudaError_t error = check(stream)) return error;
  return leave(value != nullptr ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  if (const cudaError_t error = check(stream)) return error;
  if (value == nullptr) return leave(cudaErrorInvalidValue);
  if (attribute != cudaLaunchAttributePriority)
    return notSupported("cudaStreamGetAttribute of this attribute");
  return cudaStreamGetPriority(stream, &value->priority);
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source) {
  if (const cudaError_t error = check(destination)) return error;
  return check(source);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (const cudaError_t error = enter()) return leave(error);
  if (least != nullptr) *least = leastPriority;
  if (greatest != nullptr) *greatest = greatestPriority;
  return cudaSuccess;
}
