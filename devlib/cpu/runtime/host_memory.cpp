#include "host_memory.h"

#include <map>
#include <mutex>

#include "address_space.h"
#include "locate.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

std::mutex hostMutex;
std::map<std::uintptr_t, RegisteredRange>& registered() {
  static auto* ranges = new std::map<std::uintptr_t, RegisteredRange>;
  return *ranges;
}

/// The range that overlaps [begin, begin + bytes); the caller holds the mutex.
const RegisteredRange* overlapping(std::uintptr_t begin, std::size_t bytes) {
  auto after = registered().lower_bound(begin + bytes);
  if (after == registered().begin()) return nullptr;
  const RegisteredRange& range = std::prev(after)->second;
  return range.begin + range.bytes > begin ? &range : nullptr;
}

cudaError_t allocateHost(void** pointer, std::size_t bytes, unsigned flags) {
  if (const cudaError_t error = enter()) return leave(error);
  constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (pointer == nullptr || (flags & ~known) != 0) return leave(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const std::uintptr_t address = addressSpace().allocate(bytes, MemoryKind::pinned, flags);
  if (address == 0) return leave(cudaErrorMemoryAllocation);
  *pointer = pointerTo(address);
  return cudaSuccess;
}

}  // namespace

bool findRegistered(std::uintptr_t address, RegisteredRange& found) {
  std::lock_guard<std::mutex> lock(hostMutex);
  const RegisteredRange* range = overlapping(address, 1);
  if (range != nullptr) found = *range;
  return range != nullptr;
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return allocateHost(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return allocateHost(pointer, bytes, flags);
}

cudaError_t cudaFreeHost(void* pointer) {
  if (const cudaError_t error = enter()) return leave(error);
  if (pointer == nullptr) return cudaSuccess;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!addressSpace().free(address, MemoryKind::pinned, MemoryKind::pinned))
    return leave(cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  constexpr unsigned known =
      cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
  if (pointer == nullptr || bytes == 0 || (flags & ~known) != 0) return leave(cudaErrorInvalidValue);
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  if (addressSpace().contains(begin)) return leave(cudaErrorHostMemoryAlreadyRegistered);
  std::lock_guard<std::mutex> lock(hostMutex);
  if (overlapping(begin, bytes) != nullptr) return leave(cudaErrorHostMemoryAlreadyRegistered);
  registered().emplace(begin, RegisteredRange{begin, bytes, flags});
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer) {
  if (const cudaError_t error = enter()) return leave(error);
  if (pointer == nullptr) return leave(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(hostMutex);
  if (registered().erase(reinterpret_cast<std::uintptr_t>(pointer)) == 0)
    return leave(cudaErrorHostMemoryNotRegistered);
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (device == nullptr || host == nullptr || flags != 0) return leave(cudaErrorInvalidValue);
  if (locate(host).place != Place::pinned) return leave(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  if (const cudaError_t error = enter()) return leave(error);
  Allocation a;
  if (flags == nullptr || !addressSpace().find(reinterpret_cast<std::uintptr_t>(host), a) ||
      a.kind != MemoryKind::pinned)
    return leave(cudaErrorInvalidValue);
  *flags = a.flags | cudaHostAllocMapped;
  return cudaSuccess;
}
