// Host side: kernels that have one without the recorder beside them (cli/compile/plain_kernels.h), and what
// is known of both. All of it with the runtime's lock held.
#pragma once

#include "cuinstrument/backend/cuda/host_runtime.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

/// A kernel that has one without the recorder beside it. Its address is what that is registered as.
struct PlainKernel {
  const void* kernel;
  const format::UnitTable* table;           ///< its unit's,
  const HostUnit* unit;                     ///< which is found with the first launch; null: not yet
  bool splits;                              ///< a sample's blocks may be launched apart
  int device;                               ///< that the following is of; -1: not asked yet
  bool hasPrologue;                         ///< it was compiled for a GPU of compute capability 9.0, or later
  std::size_t mostShared, plainMostShared;  ///< dynamic shared memory that they may have now
  uint32_t askedFor;                        ///< launches of which some are timed
  double nsOfBlock[2];  ///< the last two times of launches that were not split, by their blocks; 0: none
  PlainKernel* next;
};

/// By kernel. Units register theirs before main(), or as a library is loaded; none is ever removed.
struct PlainKernels {
  static constexpr unsigned int size = 1024;
  PlainKernel* first[size];
  static unsigned int placeOf(const void* kernel) {
    return static_cast<unsigned int>(reinterpret_cast<uint64_t>(kernel) >> 4) * 0x9e3779b1u >> 22;
  }
};
inline PlainKernels& plainKernels() {
  static PlainKernels instance = {};
  return instance;
}
inline const void* addPlainKernel(const void* kernel, const format::UnitTable* table, bool splits) {
  PlainKernel* const added = new PlainKernel();
  added->kernel = kernel;
  added->table = table;
  added->splits = splits;
  added->device = -1;
  Lock lock;
  PlainKernel*& first = plainKernels().first[PlainKernels::placeOf(kernel)];
  added->next = first;
  first = added;
  return added;
}
inline PlainKernel* plainKernelOf(const void* kernel) {
  PlainKernel* found = plainKernels().first[PlainKernels::placeOf(kernel)];
  while (found != nullptr && found->kernel != kernel) found = found->next;
  return found;
}

/// The device begins anew: what was set for its kernels is gone.
inline void forgetAttributes(int device) {
  for (PlainKernel* first : plainKernels().first)
    for (; first != nullptr; first = first->next)
      if (first->device == device) first->device = -1;
}

/// Whether the kernel's unit has its state on the device, and records there.
inline bool isPrepared(PlainKernel& plain, int device) {
  if (plain.unit == nullptr) {
    plain.unit = runtime().units;
    while (plain.unit != nullptr && &plain.unit->table() != plain.table) plain.unit = plain.unit->next;
  }
  return plain.unit != nullptr && plain.unit->hasMode && (plain.unit->writtenDevices >> device & 1) != 0;
}

/// What both may have on the current device. The program may have changed its kernel's since.
inline bool askAttributes(PlainKernel& plain, int device) {
  cudaFuncAttributes of, ofPlain;
  if (cudaFuncGetAttributes(&of, plain.kernel) != cudaSuccess ||
      cudaFuncGetAttributes(&ofPlain, &plain) != cudaSuccess)
    return false;
  plain.device = device;
  plain.hasPrologue = of.ptxVersion >= 90;
  plain.mostShared = static_cast<std::size_t>(of.maxDynamicSharedSizeBytes);
  plain.plainMostShared = static_cast<std::size_t>(ofPlain.maxDynamicSharedSizeBytes);
  return true;
}
inline bool canHave(PlainKernel& plain, int device, std::size_t sharedBytes, std::size_t plainSharedBytes) {
  const auto fits = [&] { return sharedBytes <= plain.mostShared && plainSharedBytes <= plain.mostShared; };
  if ((plain.device != device || !fits()) && !askAttributes(plain, device)) return false;
  if (!fits()) return false;
  if (plainSharedBytes <= plain.plainMostShared) return true;
  plain.plainMostShared = plain.mostShared;
  return cudaFuncSetAttribute(&plain, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(plain.mostShared)) == cudaSuccess;
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
