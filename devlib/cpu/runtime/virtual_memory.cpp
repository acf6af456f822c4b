// Virtual memory management: memory is a file without a name, mapping it is mmap, access is mprotect. There
// is one memory for all devices, so a page may be touched as the most permitted of them may.
#include "cuinstrument/backend/cpu/toolkit/cuda.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "address_map.h"
#include "address_space.h"
#include "devices.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

/// As on GPUs.
constexpr std::size_t granularity = std::size_t{2} << 20;

/// What a handle names; lives as long as it has handles or mappings.
struct Memory {
  Memory(int ownFile, std::size_t size, const CUmemAllocationProp& madeAs, bool isCounted)
      : file(ownFile), bytes(size), properties(madeAs), counted(isCounted) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    close(file);
    if (counted) addressSpace().giveDeviceBytes(bytes);
  }
  int file;
  std::size_t bytes;
  CUmemAllocationProp properties;
  bool counted;  ///< as this process's device memory; another process's is not
};

struct MemoryHandle {
  std::shared_ptr<Memory> memory;
  unsigned references = 1;
};

struct Mapping {
  std::size_t bytes;
  std::shared_ptr<Memory> memory;
  std::map<int, CUmemAccess_flags> access;  ///< by device
};

struct Managed {
  std::mutex mutex;
  std::map<CUdeviceptr, std::size_t> reservations;
  std::map<CUdeviceptr, Mapping> mappings;
  std::map<CUmemGenericAllocationHandle, MemoryHandle> handles;
  CUmemGenericAllocationHandle lastHandle = 0;
};

Managed& managed() {
  static auto* created = new Managed;
  return *created;
}

CUresult result(cudaError_t error) {
  return static_cast<CUresult>(leave(error));
}

bool isWhole(std::size_t bytes) {
  return bytes != 0 && bytes % granularity == 0;
}

bool isPlace(const CUmemLocation& location) {
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE && isDevice(location.id);
}

CUmemGenericAllocationHandle newHandle(Managed& all, std::shared_ptr<Memory> memory) {
  all.handles.emplace(++all.lastHandle, MemoryHandle{std::move(memory), 1});
  return all.lastHandle;
}

/// The mappings that make up [address, address + bytes) exactly; none if they do not.
bool findMappings(Managed& all, CUdeviceptr address, std::size_t bytes,
                  std::map<CUdeviceptr, Mapping>::iterator& begin,
                  std::map<CUdeviceptr, Mapping>::iterator& end) {
  begin = end = all.mappings.find(address);
  CUdeviceptr reached = address;
  for (; end != all.mappings.end() && end->first == reached && reached < address + bytes; ++end)
    reached += end->second.bytes;
  return begin != all.mappings.end() && reached == address + bytes;
}

/// The mapping that holds `address`; null if there is none.
const Mapping* findMapping(const Managed& all, CUdeviceptr address) {
  const auto found = lastNotBehind(all.mappings, address);
  return found != all.mappings.end() && address - found->first < found->second.bytes ? &found->second
                                                                                     : nullptr;
}

}  // namespace
}  // namespace cui::cpu

using namespace cui::cpu;

CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags) {
  if (const cudaError_t error = enter()) return result(error);
  if (bytes == nullptr || properties == nullptr) return result(cudaErrorInvalidValue);
  *bytes = granularity;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  if (const cudaError_t error = enter()) return result(error);
  if (address == nullptr || !isWhole(bytes) || (alignment & (alignment - 1)) != 0 || flags != 0)
    return result(cudaErrorInvalidValue);
  const std::uintptr_t begin = addressSpace().reserveAligned(bytes, std::max(alignment, granularity));
  if (begin == 0) return result(cudaErrorMemoryAllocation);
  std::lock_guard<std::mutex> lock(managed().mutex);
  managed().reservations.emplace(begin, bytes);
  *address = begin;
  return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  if (const cudaError_t error = enter()) return result(error);
  Managed& all = managed();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.reservations.find(address);
  const auto mapping = all.mappings.lower_bound(address);
  if (found == all.reservations.end() || found->second != bytes ||
      (mapping != all.mappings.end() && mapping->first < address + bytes))
    return result(cudaErrorInvalidValue);
  all.reservations.erase(found);
  addressSpace().unreserveAligned(address, bytes);
  return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  if (const cudaError_t error = enter()) return result(error);
  if (handle == nullptr || properties == nullptr || !isWhole(bytes) || flags != 0 ||
      properties->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      (properties->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0)
    return result(cudaErrorInvalidValue);
  if (!isPlace(properties->location)) return result(cudaErrorInvalidDevice);
  if (!addressSpace().takeDeviceBytes(bytes)) return result(cudaErrorMemoryAllocation);
  const int file = memfd_create("cuinstrument device memory", MFD_CLOEXEC);
  auto memory = std::make_shared<Memory>(file, bytes, *properties, true);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) return result(cudaErrorMemoryAllocation);
  std::lock_guard<std::mutex> lock(managed().mutex);
  *handle = newHandle(managed(), std::move(memory));
  return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  if (const cudaError_t error = enter()) return result(error);
  Managed& all = managed();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.handles.find(handle);
  if (found == all.handles.end()) return result(cudaErrorInvalidValue);
  if (--found->second.references == 0) all.handles.erase(found);
  return CUDA_SUCCESS;
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  if (const cudaError_t error = enter()) return result(error);
  Managed& all = managed();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.handles.find(handle);
  const auto reservation = lastNotBehind(all.reservations, address);
  if (found == all.handles.end() || reservation == all.reservations.end() || !isWhole(bytes) ||
      address % granularity != 0 || offset != 0 || flags != 0)
    return result(cudaErrorInvalidValue);
  const std::shared_ptr<Memory>& memory = found->second.memory;
  const std::size_t inside = address - reservation->first;
  if (inside > reservation->second || bytes > reservation->second - inside || bytes > memory->bytes)
    return result(cudaErrorInvalidValue);
  const auto next = all.mappings.lower_bound(address);
  if (next != all.mappings.end() && next->first < address + bytes) return result(cudaErrorInvalidValue);
  if (next != all.mappings.begin())
    if (const auto before = std::prev(next); before->first + before->second.bytes > address)
      return result(cudaErrorInvalidValue);
  if (!addressSpace().map(address, bytes, memory->file, offset, memory->properties.location.id))
    return result(cudaErrorMemoryAllocation);
  all.mappings.emplace(address, Mapping{bytes, memory, {}});
  return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  if (const cudaError_t error = enter()) return result(error);
  Managed& all = managed();
  std::lock_guard<std::mutex> lock(all.mutex);
  std::map<CUdeviceptr, Mapping>::iterator begin, end;
  if (!findMappings(all, address, bytes, begin, end)) return result(cudaErrorInvalidValue);
  for (auto mapping = begin; mapping != end; ++mapping) addressSpace().unmap(mapping->first);
  all.mappings.erase(begin, end);
  return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* list, size_t count) {
  if (const cudaError_t error = enter()) return result(error);
  Managed& all = managed();
  std::lock_guard<std::mutex> lock(all.mutex);
  std::map<CUdeviceptr, Mapping>::iterator begin, end;
  if (list == nullptr || count == 0 || !findMappings(all, address, bytes, begin, end))
    return result(cudaErrorInvalidValue);
  // The host sees a program's device memory here as well; what only it may touch needs no more than that.
  for (std::size_t i = 0; i < count; ++i)
    if (!isPlace(list[i].location) && list[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE)
      return result(cudaErrorInvalidDevice);
  for (auto mapping = begin; mapping != end; ++mapping) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool onDevice = list[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE;
      mapping->second.access[onDevice ? list[i].location.id : cudaCpuDeviceId] = list[i].flags;
    }
    int most = 0;
    for (const auto& access : mapping->second.access) most = std::max<int>(most, access.second);
    const int protection = most == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? PROT_READ | PROT_WRITE
                           : most == CU_MEM_ACCESS_FLAGS_PROT_READ    ? PROT_READ
                                                                      : PROT_NONE;
    if (mprotect(pointerTo(mapping->first), mapping->second.bytes, protection) != 0)
      return result(cudaErrorMemoryAllocation);
  }
  return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  if (const cudaError_t error = enter()) return result(error);
  Managed& all = managed();
  std::lock_guard<std::mutex> lock(all.mutex);
  const Mapping* const mapping = findMapping(all, address);
  if (flags == nullptr || location == nullptr || mapping == nullptr) return result(cudaErrorInvalidValue);
  const auto found =
      mapping->access.find(location->type == CU_MEM_LOCATION_TYPE_DEVICE ? location->id : cudaCpuDeviceId);
  *flags = found == mapping->access.end() ? CU_MEM_ACCESS_FLAGS_PROT_NONE : found->second;
  return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                CUmemGenericAllocationHandle handle) {
  if (const cudaError_t error = enter()) return result(error);
  Managed& all = managed();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.handles.find(handle);
  if (properties == nullptr || found == all.handles.end()) return result(cudaErrorInvalidValue);
  *properties = found->second.memory->properties;
  return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  if (const cudaError_t error = enter()) return result(error);
  Managed& all = managed();
  std::lock_guard<std::mutex> lock(all.mutex);
  const Mapping* const mapping = findMapping(all, reinterpret_cast<CUdeviceptr>(address));
  if (handle == nullptr || mapping == nullptr) return result(cudaErrorInvalidValue);
  for (auto& [number, held] : all.handles)
    if (held.memory == mapping->memory) {
      ++held.references;
      *handle = number;
      return CUDA_SUCCESS;
    }
  *handle = newHandle(all, mapping->memory);
  return CUDA_SUCCESS;
}

CUresult cuMemExportToShareableHandle(void* shareable, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  if (const cudaError_t error = enter()) return result(error);
  Managed& all = managed();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.handles.find(handle);
  if (shareable == nullptr || found == all.handles.end() || flags != 0 ||
      type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
      (found->second.memory->properties.requestedHandleTypes & type) == 0)
    return result(cudaErrorInvalidValue);
  const int file = dup(found->second.memory->file);
  if (file < 0) return result(cudaErrorInvalidValue);
  *static_cast<int*>(shareable) = file;
  return CUDA_SUCCESS;
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* shareable,
                                        CUmemAllocationHandleType type) {
  if (const cudaError_t error = enter()) return result(error);
  struct stat about{};
  const int file = static_cast<int>(reinterpret_cast<std::intptr_t>(shareable));
  if (handle == nullptr || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || fstat(file, &about) != 0 ||
      !isWhole(static_cast<std::size_t>(about.st_size)))
    return result(cudaErrorInvalidValue);
  const int own = dup(file);
  if (own < 0) return result(cudaErrorInvalidValue);
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, currentDevice()};
  auto memory = std::make_shared<Memory>(own, static_cast<std::size_t>(about.st_size), properties, false);
  std::lock_guard<std::mutex> lock(managed().mutex);
  *handle = newHandle(managed(), std::move(memory));
  return CUDA_SUCCESS;
}
