// Device side: the functions that sites call. They are compiled in every unit (recorder.h, together.h,
// loop.h), or once, as a module that is linked to the unit's own (CUI_RECORDER_LINKED;
// devlib/cuda/recorder.cu): then these declarations are all that a unit sees of the recorder, and nvcc has
// that much less to do.
#pragma once

#include <cstddef>

#include "cuinstrument/backend/cuda/modes.h"
#include "cuinstrument/device/accessed.h"
#include "cuinstrument/format/record.h"

// With -rdc=true a function has the registers that the calling convention gives it, up to 255, and a kernel
// as many as any function that it may call. The module is compiled with a limit.
#if defined(__CUDACC_RDC__) && !defined(CUI_RECORDER_MODULE) && !defined(CUI_RECORDER_LINKED)
#define CUI_FEW_REGISTERS
#endif
// Elsewhere what the short ways leave to others is called through pointers (recorder.h).
#if defined(__CUDACC_RDC__) || defined(CUI_RECORDER_LINKED)
#define CUI_SLOW_PATH(function) function
#endif

namespace cui {
namespace backend {

/// An access of the calling lanes, without values.
CUI_OF_MODES __device__ __noinline__ void recordWarp(const DeviceUnit& unit, unsigned int keyAndMode,
                                                     unsigned long long address, unsigned int bytes);

/// Likewise, with a value (where it lies, or null), after having asked whether anything is recorded, and for
/// the address's space. In the module only: units with very many sites call it.
CUI_OF_MODES __device__ __noinline__ void recordAtSite(const DeviceUnit& unit, unsigned int site,
                                                       const void* address, unsigned int bytes,
                                                       const void* value);
/// Several of one expression, likewise.
CUI_OF_MODES __device__ __noinline__ void recordTwoAtSite(const DeviceUnit& unit, unsigned int siteA,
                                                          const void* a, unsigned int siteB, const void* b,
                                                          unsigned int bytes);
CUI_OF_MODES __device__ __noinline__ void recordThreeAtSite(const DeviceUnit& unit, unsigned int siteA,
                                                            const void* a, unsigned int siteB, const void* b,
                                                            unsigned int siteC, const void* c,
                                                            unsigned int bytes);
/// Calls of these one behind the other, of `count` accesses: `accesses` are two words of each
/// (format::inARowShift). Our ptxas makes one of many (cli/compile/calls_in_a_row.h).
CUI_OF_MODES __device__ __noinline__ void recordInARow(const DeviceUnit& unit, const unsigned int* accesses,
                                                       const void* const* addresses, unsigned int count);

// Several of one expression. Scalars: a structure would be passed in local memory.
CUI_OF_MODES __device__ __noinline__ void recordTwo(const DeviceUnit& unit, unsigned int keyA,
                                                    unsigned long long a, unsigned int keyB,
                                                    unsigned long long b, unsigned int bytes);
CUI_OF_MODES __device__ __noinline__ void recordThree(const DeviceUnit& unit, unsigned int keyA,
                                                      unsigned long long a, unsigned int keyB,
                                                      unsigned long long b, unsigned int keyC,
                                                      unsigned long long c, unsigned int bytes);

// All times round a loop, of up to three accesses and of any number. False if nothing was done.
CUI_OF_MODES __device__ __noinline__ bool recordLoopOne(const DeviceUnit& unit, unsigned int key,
                                                        unsigned long long a, int step, unsigned int bytes,
                                                        unsigned int times);
CUI_OF_MODES __device__ __noinline__ bool recordLoopTwo(const DeviceUnit& unit, unsigned int keyA,
                                                        unsigned long long a, int stepA, unsigned int keyB,
                                                        unsigned long long b, int stepB, unsigned int bytes,
                                                        unsigned int times);
CUI_OF_MODES __device__ __noinline__ bool recordLoopThree(const DeviceUnit& unit, unsigned int keyA,
                                                          unsigned long long a, int stepA, unsigned int keyB,
                                                          unsigned long long b, int stepB, unsigned int keyC,
                                                          unsigned long long c, int stepC, unsigned int bytes,
                                                          unsigned int times);
CUI_OF_MODES __device__ __noinline__ bool recordLongLoop(const DeviceUnit& unit, const LoopPlace* places,
                                                         unsigned int count, unsigned int times);
/// The same of a whole warp whose lanes have been found to follow rules (loop_site.h), in registers: lane i
/// has what there is to know of the i-th access. `first`, `second`, `row`: where lane 0, lane 1 and the first
/// of the second row are, the first time round.
CUI_OF_MODES __device__ __noinline__ bool recordGatheredLoop(const DeviceUnit& unit, unsigned int key,
                                                             unsigned long long first, unsigned int second,
                                                             unsigned int row, int step, unsigned int bytes,
                                                             unsigned int count, unsigned int times);

// The same of loops whose places surely advance evenly: they record all of it, whatever the lanes do. What is
// not to be recorded has 0 bytes.
CUI_OF_MODES __device__ __noinline__ void recordFixedOne(const DeviceUnit& unit, unsigned int key,
                                                         unsigned long long a, long long step,
                                                         unsigned int bytes, unsigned int times);
CUI_OF_MODES __device__ __noinline__ void recordFixedTwo(const DeviceUnit& unit, unsigned int keyA,
                                                         unsigned long long a, long long stepA,
                                                         unsigned int keyB, unsigned long long b,
                                                         long long stepB, unsigned int bytes,
                                                         unsigned int times);
CUI_OF_MODES __device__ __noinline__ void recordFixedThree(const DeviceUnit& unit, unsigned int keyA,
                                                           unsigned long long a, long long stepA,
                                                           unsigned int keyB, unsigned long long b,
                                                           long long stepB, unsigned int keyC,
                                                           unsigned long long c, long long stepC,
                                                           unsigned int bytes, unsigned int times);
CUI_OF_MODES __device__ __noinline__ void recordFixedLoop(const DeviceUnit& unit, const LoopPlace* places,
                                                          unsigned int count, unsigned int times);

// The same where something is to be asked about the mode first (hasMode()): profiles, samples of warps,
// times. Where the recorder is linked its callers ask, see sitesAskForMode; elsewhere the functions above do.
CUI_OF_MODES __device__ __noinline__ void warpInMode(const DeviceUnit& unit, unsigned int keyAndMode,
                                                     unsigned long long address, unsigned int bytes);
CUI_OF_MODES __device__ __noinline__ void twoInMode(const DeviceUnit& unit, unsigned int keyA,
                                                    unsigned long long a, unsigned int keyB,
                                                    unsigned long long b, unsigned int bytes);
CUI_OF_MODES __device__ __noinline__ void threeInMode(const DeviceUnit& unit, unsigned int keyA,
                                                      unsigned long long a, unsigned int keyB,
                                                      unsigned long long b, unsigned int keyC,
                                                      unsigned long long c, unsigned int bytes);
CUI_OF_MODES __device__ __noinline__ bool loopOneInMode(const DeviceUnit& unit, unsigned int key,
                                                        unsigned long long a, int step, unsigned int bytes,
                                                        unsigned int times);
CUI_OF_MODES __device__ __noinline__ bool loopTwoInMode(const DeviceUnit& unit, unsigned int keyA,
                                                        unsigned long long a, int stepA, unsigned int keyB,
                                                        unsigned long long b, int stepB, unsigned int bytes,
                                                        unsigned int times);
CUI_OF_MODES __device__ __noinline__ bool loopThreeInMode(const DeviceUnit& unit, unsigned int keyA,
                                                          unsigned long long a, int stepA, unsigned int keyB,
                                                          unsigned long long b, int stepB, unsigned int keyC,
                                                          unsigned long long c, int stepC, unsigned int bytes,
                                                          unsigned int times);

// What a row of blocks accesses at one place (profile_row.h), by a warp for all of them.
constexpr unsigned int mostOfRow = 3;  ///< accesses at such a place
/// Where that has come to. The module's own: sites set aside the memory.
struct RowState {
  unsigned int first, blocks;  ///< of the row, that are accounted for
  unsigned int corners,
      beyond;                 ///< of a block; the guard does not hold for so many blocks, as far as is known
  unsigned int period;        ///< of blocks whose accesses cost the same; 0: not yet known
  unsigned int block;         ///< of these
  unsigned int warp, single;  ///< first of some warps; 1 + which of them is asked by itself
  unsigned int times;         ///< round a loop; 1 elsewhere
  unsigned int turns;         ///< of those after which accesses cost the same again; 0: not yet known
  unsigned int turn, nextTurn;     ///< of these; how much further the calling warp's next one is
  bool even;                       ///< the calling lane's places advance evenly from turn to turn
  long long steps[mostOfRow];      ///< of each access of the calling lane, from block to block, in bytes
  long long turnSteps[mostOfRow];  ///< and from turn to turn
};
/// Whose places a lane is to compute: x | y << 10 | z << 20, in the block with that number in x.
struct RowPoint {
  unsigned int block, thread;
};
constexpr unsigned int noBlock = ~0u;  ///< nothing is left to be done
/// The thread's own memory, as the module takes it: ptxas computes a generic pointer to it as the kernel
/// begins, or the high half of an address, and keeps it, in local memory as likely as not, for whoever never
/// needs it.
#if defined(CUI_CPU_BACKEND)
using OwnMemory = std::size_t;  // it is the host's
#else
using OwnMemory = unsigned int;  // all of it is less than 2^24 bytes
#endif
template <class T>
static __device__ __forceinline__ OwnMemory ownMemory(const T* of) {
  return static_cast<OwnMemory>(__cvta_generic_to_local(of));
}
template <class T>
static __device__ __forceinline__ T* inOwnMemory(OwnMemory address) {
  return static_cast<T*>(__cvta_local_to_generic(address));
}
/// Of `blocks` blocks from `first` on, as far as the guard holds for them, which has so many corners to be
/// asked at; 0: there is none. `times`: round a loop, the block's warps share them; else 0. `begun`: so many
/// of the loop's accesses have been accounted for before. `state`: a RowState.
CUI_OF_ANY_MODE __device__ __noinline__ RowPoint beginRow(OwnMemory state, unsigned int first,
                                                          unsigned int blocks, unsigned int corners,
                                                          unsigned int times, unsigned int begun);
/// With the places that were asked for (Accessed, or LoopPlace), none if the guard does not hold. What is the
/// thread's own has 0 bytes.
CUI_OF_MODES __device__ __noinline__ RowPoint stepOfRow(const DeviceUnit& unit, OwnMemory state,
                                                        OwnMemory places, unsigned int count);
CUI_OF_MODES __device__ __noinline__ RowPoint stepOfLoopRow(const DeviceUnit& unit, OwnMemory state,
                                                            OwnMemory places, unsigned int count);

// What is rare, or slow anyway.
CUI_OF_MODES __device__ __noinline__ void recordGeneral(DeviceContext* context, unsigned int mask,
                                                        unsigned int key, unsigned long long address,
                                                        unsigned int bytes, const void* value);
CUI_OF_MODES __device__ __noinline__ void recordFact(DeviceContext* context, unsigned int mask,
                                                     format::RecordType type, unsigned int site,
                                                     unsigned long long address, unsigned int size,
                                                     unsigned int block, int number);
CUI_OF_MODES __device__ __noinline__ void tellTime(DeviceContext* context, unsigned int mask);
CUI_OF_MODES __device__ __noinline__ void passBarrier(DeviceContext* context, unsigned int mask, bool ofGrid);
CUI_OF_MODES __device__ __noinline__ unsigned int beginRun(DeviceContext* context, unsigned int mask);

}  // namespace backend
}  // namespace cui
