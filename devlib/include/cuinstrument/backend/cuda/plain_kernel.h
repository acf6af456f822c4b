// Host side: kernels that have others beside them, without the recorder (cli/compile/plain_kernels.h) or for
// one mode (cli/compile/mode_kernels.h), and what is known of both. All of it with the runtime's lock
// held.
#pragma once

#include "cuinstrument/backend/cuda/host_runtime.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

/// What it is, as units say it (CuiOtherKernel): those that bring their host side have no kernels registered,
/// and read that header again behind text that has been preprocessed.
enum class OtherKind { plainWhole, plainRest, profiled, traced, tallied, inPlace, logged };

/// How many blocks of a kernel a multiprocessor runs at a time, of so many threads and bytes of dynamic
/// shared memory.
struct Occupancy {
  int device;
  unsigned int threads;  ///< 0: not asked yet
  std::size_t sharedBytes;
  int blocks;
};

/// One beside a kernel. Its address is what it is registered as.
struct OtherKernel {
  const void* kernel;  ///< beside which it is
  OtherKind kind;
  const format::UnitTable* table;           ///< its unit's,
  const HostUnit* unit;                     ///< which is found with the first launch; null: not yet
  int device;                               ///< that the following is of; -1: not asked yet
  bool hasPrologue;                         ///< it was compiled for a GPU of compute capability 9.0, or later
  std::size_t mostShared, otherMostShared;  ///< dynamic shared memory that they may have now
  uint32_t askedFor;                        ///< launches of which some are timed
  Occupancy occupancy;                      ///< of the last such launch
  LaunchNs whole, split;                    ///< of launches that were not split, and of those that were
  OtherKernel* next;
};

/// By kernel. Units register theirs before main(), or as a library is loaded; none is ever removed.
struct OtherKernels {
  static constexpr unsigned int size = 1024;
  OtherKernel* first[size];
  static unsigned int placeOf(const void* kernel) {
    return static_cast<unsigned int>(reinterpret_cast<uint64_t>(kernel) >> 4) * 0x9e3779b1u >> 22;
  }
};
inline OtherKernels& otherKernels() {
  static OtherKernels instance = {};
  return instance;
}
inline const void* addOtherKernel(const void* kernel, const format::UnitTable* table, OtherKind kind) {
  OtherKernel* const added = new OtherKernel();
  added->kernel = kernel;
  added->kind = kind;
  added->table = table;
  added->device = -1;
  Lock lock;
  OtherKernel*& first = otherKernels().first[OtherKernels::placeOf(kernel)];
  added->next = first;
  first = added;
  return added;
}
inline bool isForMode(const OtherKernel& other) {
  return other.kind >= OtherKind::profiled;
}
/// The kernel's first one of which `is` says so; null: none.
template <class Is>
inline OtherKernel* otherKernelOf(const void* kernel, const Is& is) {
  OtherKernel* found = otherKernels().first[OtherKernels::placeOf(kernel)];
  while (found != nullptr && (found->kernel != kernel || !is(*found))) found = found->next;
  return found;
}

/// The device begins anew: what was set for its kernels is gone.
inline void forgetAttributes(int device) {
  for (OtherKernel* first : otherKernels().first)
    for (; first != nullptr; first = first->next)
      if (first->device == device) first->device = -1;
}

/// Whether the kernel's unit has its state on the device, and records there.
inline bool isPrepared(OtherKernel& other, int device) {
  if (other.unit == nullptr) {
    other.unit = runtime().units;
    while (other.unit != nullptr && &other.unit->table() != other.table) other.unit = other.unit->next;
  }
  return other.unit != nullptr && other.unit->hasMode && (other.unit->writtenDevices >> device & 1) != 0;
}

/// What both may have on the current device. The program may have changed its kernel's since.
inline bool askAttributes(OtherKernel& other, int device) {
  cudaFuncAttributes of, ofOther;
  if (cudaFuncGetAttributes(&of, other.kernel) != cudaSuccess ||
      cudaFuncGetAttributes(&ofOther, &other) != cudaSuccess)
    return false;
  other.device = device;
  other.hasPrologue = of.ptxVersion >= 90;
  other.mostShared = static_cast<std::size_t>(of.maxDynamicSharedSizeBytes);
  other.otherMostShared = static_cast<std::size_t>(ofOther.maxDynamicSharedSizeBytes);
  return true;
}
inline bool canHave(OtherKernel& other, int device, std::size_t sharedBytes, std::size_t otherSharedBytes) {
  const auto fits = [&] { return sharedBytes <= other.mostShared && otherSharedBytes <= other.mostShared; };
  if (other.device == device && fits() && otherSharedBytes <= other.otherMostShared) return true;
  const QuietCalls quiet;
  if ((other.device != device || !fits()) && !askAttributes(other, device)) return false;
  if (!fits()) return false;
  if (otherSharedBytes <= other.otherMostShared) return true;
  other.otherMostShared = other.mostShared;
  return cudaFuncSetAttribute(&other, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(other.mostShared)) == cudaSuccess;
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
