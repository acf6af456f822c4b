// Device memory of another process: its allocation is a file there (exportAllocation), which this process
// opens by the other's number of it. So both must be one user's, and the other one must live when this one
// opens it.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "address_space.h"
#include "graph.h"
#include "interprocess.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

/// What is in a handle: no more than 64 bytes.
struct Shared {
  std::uint64_t mark;
  std::int64_t process;
  std::int32_t file, device;
  std::uint64_t bytes, offset;
};
constexpr std::uint64_t memoryMark = 0x79726f6d654d5543;
static_assert(sizeof(Shared) <= CUDA_IPC_HANDLE_SIZE && sizeof(Shared) <= sizeof(cudaMemPoolPtrExportData));

/// What this process has opened, by the file's identity: opening it again gives the same address.
struct Opened {
  std::uintptr_t address;
  unsigned references;
};
std::mutex sharedMutex;
using Files = std::map<std::pair<dev_t, ino_t>, Opened>;
Files& opened() {
  static auto* created = new Files;
  return *created;
}

cudaError_t share(void* pointer, Shared& shared) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Allocation a;
  if (!addressSpace().find(address, a) || a.kind != MemoryKind::device || a.backing == Backing::mapped ||
      a.backing == Backing::imported)
    return cudaErrorInvalidValue;
  if (!addressSpace().exportAllocation(address, a)) return cudaErrorMemoryAllocation;
  shared = {memoryMark, getpid(), a.file, a.device, a.bytes, address - a.address};
  return cudaSuccess;
}

/// What cudaIpcGetMemHandle and cudaMemPoolExportPointer do, into what each of them fills.
template <class Handle>
cudaError_t shareIn(Handle* handle, void* pointer) {
  if (const cudaError_t error = enter()) return leave(error);
  if (handle == nullptr) return leave(cudaErrorInvalidValue);
  Shared shared{};
  if (const cudaError_t error = share(pointer, shared)) return leave(error);
  *handle = {};
  std::memcpy(handle->reserved, &shared, sizeof shared);
  return cudaSuccess;
}

template <class Handle>
Shared sharedIn(const Handle& handle) {
  Shared shared{};
  std::memcpy(&shared, handle.reserved, sizeof shared);
  return shared;
}

cudaError_t open(const Shared& shared, std::uintptr_t& address) {
  if (shared.mark != memoryMark) return cudaErrorInvalidValue;
  if (shared.process == getpid()) return cudaErrorDeviceUninitialized;  // as CUDA says it
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%lld/fd/%d", static_cast<long long>(shared.process), shared.file);
  const int file = ::open(path, O_RDWR | O_CLOEXEC);
  struct stat about{};
  if (file < 0) return cudaErrorMapBufferObjectFailed;
  if (fstat(file, &about) != 0 || static_cast<std::uint64_t>(about.st_size) < shared.bytes) {
    close(file);
    return cudaErrorMapBufferObjectFailed;
  }
  std::lock_guard<std::mutex> lock(sharedMutex);
  const auto known = opened().find({about.st_dev, about.st_ino});
  if (known != opened().end()) {
    close(file);
    ++known->second.references;
    address = known->second.address;
    return cudaSuccess;
  }
  address = addressSpace().importAllocation(file, shared.bytes, shared.device);
  if (address == 0) {
    close(file);
    return cudaErrorMapBufferObjectFailed;
  }
  opened().emplace(std::pair{about.st_dev, about.st_ino}, Opened{address, 1});
  return cudaSuccess;
}

}  // namespace

bool closeShared(void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  std::lock_guard<std::mutex> lock(sharedMutex);
  for (auto i = opened().begin(); i != opened().end(); ++i) {
    if (i->second.address != address) continue;
    if (--i->second.references == 0) {
      addressSpace().closeImported(address);
      opened().erase(i);
    }
    return true;
  }
  return false;
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return shareIn(handle, pointer);
}

// Gives the allocation's beginning, wherever in it the handle's pointer was: so does CUDA.
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (pointer == nullptr || (flags & ~unsigned{cudaIpcMemLazyEnablePeerAccess}) != 0)
    return leave(cudaErrorInvalidValue);
  std::uintptr_t address = 0;
  if (const cudaError_t error = open(sharedIn(handle), address)) return leave(error);
  *pointer = pointerTo(address);
  return cudaSuccess;
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  if (const cudaError_t error = enter()) return leave(error);
  return leave(closeShared(pointer) ? cudaSuccess : cudaErrorInvalidValue);
}

// --- memory pools: the allocations in them are what is shared; the pool's own file says nothing

cudaError_t cudaMemPoolExportToShareableHandle(void* shareable, cudaMemPool_t pool,
                                               enum cudaMemAllocationHandleType type, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (shareable == nullptr || !isPool(pool) || type != cudaMemHandleTypePosixFileDescriptor || flags != 0)
    return leave(cudaErrorInvalidValue);
  const int file = memfd_create("cuinstrument memory pool", MFD_CLOEXEC);
  if (file < 0) return leave(cudaErrorInvalidValue);
  *static_cast<int*>(shareable) = file;
  return cudaSuccess;
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* shareable,
                                                 enum cudaMemAllocationHandleType type, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  const int file = static_cast<int>(reinterpret_cast<std::intptr_t>(shareable));
  if (pool == nullptr || type != cudaMemHandleTypePosixFileDescriptor || flags != 0 ||
      fcntl(file, F_GETFD) < 0)
    return leave(cudaErrorInvalidValue);
  return cudaDeviceGetDefaultMemPool(pool, 0);
}

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData* data, void* pointer) {
  return shareIn(data, pointer);
}

cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData* data) {
  if (const cudaError_t error = enter()) return leave(error);
  if (pointer == nullptr || data == nullptr || !isPool(pool)) return leave(cudaErrorInvalidValue);
  const Shared shared = sharedIn(*data);
  std::uintptr_t address = 0;
  if (const cudaError_t error = open(shared, address)) return leave(error);
  *pointer = pointerTo(address + shared.offset);
  return cudaSuccess;
}
