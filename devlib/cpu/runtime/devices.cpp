#include "devices.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "runtime.h"

namespace cui::cpu {
namespace {

constexpr int mostDevices = 8;
thread_local int current = 0;

std::mutex visibleMutex;
bool enabled[mostDevices][mostDevices];  ///< peer access: of, to

/// Another device that the current one may enable or disable access to.
bool isPeer(int number) {
  return isDevice(number) && number != current;
}

}  // namespace

int deviceCount() {
  const char* text = std::getenv("CUINSTRUMENT_CPU_DEVICES");
  if (text == nullptr || *text == '\0') return 1;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (*end == '\0' && number >= 1 && number <= mostDevices) return static_cast<int>(number);
  static std::once_flag once;
  std::call_once(once, [text] {
    std::fprintf(stderr, "cuinstrument: CUINSTRUMENT_CPU_DEVICES=%s is not between 1 and %d; ignored\n", text,
                 mostDevices);
  });
  return 1;
}

int currentDevice() {
  return current;
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaGetDeviceCount(int* count) {
  if (const cudaError_t error = enter()) return leave(error);
  if (count == nullptr) return leave(cudaErrorInvalidValue);
  *count = deviceCount();
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* number) {
  if (const cudaError_t error = enter()) return leave(error);
  if (number == nullptr) return leave(cudaErrorInvalidValue);
  *number = current;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int number) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isDevice(number)) return leave(cudaErrorInvalidDevice);
  current = number;
  return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  if (const cudaError_t error = enter()) return leave(error);
  if (count < 0 || (devices == nullptr && count > 0)) return leave(cudaErrorInvalidValue);
  for (int i = 0; i < count; ++i)
    if (!isDevice(devices[i])) return leave(cudaErrorInvalidDevice);
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int* number, const struct cudaDeviceProp* properties) {
  if (const cudaError_t error = enter()) return leave(error);
  if (number == nullptr || properties == nullptr) return leave(cudaErrorInvalidValue);
  *number = 0;
  return cudaSuccess;
}

// The n-th device is on bus n.

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int number) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isDevice(number)) return leave(cudaErrorInvalidDevice);
  char address[] = "0000:00:00.0";
  if (id == nullptr || length < static_cast<int>(sizeof address)) return leave(cudaErrorInvalidValue);
  address[6] = static_cast<char>('0' + number);
  std::memcpy(id, address, sizeof address);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* number, const char* id) {
  if (const cudaError_t error = enter()) return leave(error);
  if (number == nullptr || id == nullptr) return leave(cudaErrorInvalidValue);
  // [domain:]bus:slot[.function], hexadecimal; all but the bus are zeros.
  unsigned long fields[4] = {};
  int count = 0, colons = 0;
  for (const char* at = id; count < 4; ++at) {
    char* end = nullptr;
    fields[count++] = std::strtoul(at, &end, 16);
    if (end == at) return leave(cudaErrorInvalidValue);
    at = end;
    if (*at == ':') ++colons;
    if (*at == ':' || *at == '.') continue;
    if (*at != '\0' || count < 2) return leave(cudaErrorInvalidValue);
    break;
  }
  if (colons > 2) return leave(cudaErrorInvalidValue);
  const int bus = colons == 2 ? 1 : 0;
  for (int i = 0; i < count; ++i)
    if (i != bus && fields[i] != 0) return leave(cudaErrorInvalidDevice);
  if (fields[bus] >= static_cast<unsigned long>(deviceCount())) return leave(cudaErrorInvalidDevice);
  *number = static_cast<int>(fields[bus]);
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* canAccess, int number, int peer) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isDevice(number) || !isDevice(peer)) return leave(cudaErrorInvalidDevice);
  if (canAccess == nullptr) return leave(cudaErrorInvalidValue);
  *canAccess = number != peer ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (flags != 0) return leave(cudaErrorInvalidValue);
  if (!isPeer(peer)) return leave(cudaErrorInvalidDevice);
  const std::lock_guard<std::mutex> lock(visibleMutex);
  if (enabled[current][peer]) return leave(cudaErrorPeerAccessAlreadyEnabled);
  enabled[current][peer] = true;
  return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isDevice(peer)) return leave(cudaErrorInvalidDevice);
  const std::lock_guard<std::mutex> lock(visibleMutex);
  if (!enabled[current][peer]) return leave(cudaErrorPeerAccessNotEnabled);
  enabled[current][peer] = false;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr which, int source, int destination) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isDevice(source) || !isDevice(destination)) return leave(cudaErrorInvalidDevice);
  if (value == nullptr || source == destination) return leave(cudaErrorInvalidValue);
  *value = which == cudaDevP2PAttrPerformanceRank ? 0 : 1;
  return cudaSuccess;
}
