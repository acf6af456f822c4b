// Host side: what all units of the program share, kept in function-local statics that are never
// destroyed, so that launches in static constructors and destructors are safe. Uses no standard library
// containers: this header precedes the user's code, and every name it would bring in could clash.
#pragma once

#include <cuda_runtime.h>
#include <pthread.h>

#include <cstddef>

#include "cuinstrument/backend/cuda/counter_room.h"
#include "cuinstrument/backend/cuda/device_state.h"
#include "cuinstrument/backend/cuda/host_unit.h"
#include "cuinstrument/format/unit.h"
#include "cuinstrument/host/abi.h"

// Where every unit compiles the host's side (host_side.h), that takes GCC longer at -O3 than the rest of a
// small unit. nvcc hands the pragma on to GCC, with a warning.
#if defined(__NVCC__) && defined(__GNUC__) && !defined(__clang__)
#define CUI_HOST_SIDE_BEGIN                                                                    \
  _Pragma("GCC push_options") _Pragma("nv_diag_suppress 1675") _Pragma("GCC optimize(\"O1\")") \
      _Pragma("nv_diag_default 1675")
#define CUI_HOST_SIDE_END _Pragma("GCC pop_options")
#else
#define CUI_HOST_SIDE_BEGIN
#define CUI_HOST_SIDE_END
#endif

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

constexpr int maxDevices = 64;

/// What a kernel's last two timed launches took, in ns a block. 0: not known.
struct LaunchNs {
  double ofBlock[2];
  /// The host may be held up between event and launch at any time.
  double shorter() const { return ofBlock[1] == 0 || ofBlock[0] < ofBlock[1] ? ofBlock[0] : ofBlock[1]; }
};

/// A launch whose events have not been harvested.
struct PendingLaunch {
  uint64_t id;
  LaunchNs* timed;  ///< is told how long it took, with so many blocks; null: nobody is
  uint64_t blocks;
  cudaEvent_t begin, end;
  cudaStream_t stream;
  bool selected;
  bool mayWake;       ///< it was made while nothing is recorded, by code that records
  bool beginInEntry;  ///< `begin` was not recorded: the kernel says it
  PendingLaunch* next;
};

/// The pool (pool.h, collect.h) as the host knows it. `units` null: there is none.
struct Pool {
  unsigned char* units;
  Cursor* cursors;  ///< followed by unitUsed and newestLogs, in one allocation of stateBytes
  unsigned short* unitUsed;
  unsigned int* newestLogs;
  unsigned int hardwareWarps, firstUnits, unitCount;
  unsigned int lap;  ///< tag of the headers, 1 to 255: another one after each emptying
  std::size_t stateBytes;
  char* pinned;           ///< a copy of cursors and unitUsed, then two staging buffers
  unsigned short* taken;  ///< by a chunk's first unit: slots handed on
  unsigned short* open;   ///< likewise: slots there are; used while collecting
  bool held;              ///< some of these are not known (in_place.h); likewise
};

/// Memory of ours that another process can map (device_memory.h).
struct ExportedMemory {
  const char* begin;
  std::size_t bytes;
};

/// One of a device's contexts (contexts.h).
struct Device {
  enum State { unused, ready, failed };
  State state;
  int ordinal;          ///< the device's number for the CUDA runtime; ring.device is its place here
  void* driverContext;  ///< that it was readied in
  unsigned long long contextNumber;  ///< 0: not known, and then there is no other of this device
  bool mayEnd;                       ///< the program made the context, and may destroy it
  unsigned int unreadLaunches;       ///< since all that the device had recorded was taken over
  cudaStream_t stream;               ///< ours, non-blocking: never waits for the user's streams
  DeviceContext* context;
  CounterTable* counters;
  DeviceContext* contextCopy;   ///< pinned
  CounterTable* countersCopy;   ///< pinned
  CounterTable* countersKnown;  ///< what hostlib has been told
  Pool pool;
  CuiRing ring;
  CuiChunks chunks;  ///< none: chunkCount is 0
  void* mapping;     ///< ring, consumed word, chunks and the pinned copies above: mmap'ed and registered
  std::size_t mappingBytes;
  DeviceContext* scratch;  ///< for what calibrations store
  cudaEvent_t reference;   ///< completed at referenceNs of the host clock
  int64_t referenceNs;
  int64_t timerOffsetNs;          ///< what %globaltimer must have added to it to be on that scale
  int64_t timersComparedNs;       ///< when events and %globaltimer were last compared
  unsigned int launchesInFlight;  ///< between announceLaunch and concludeLaunch
  PendingLaunch* first;
  PendingLaunch* last;
  PendingLaunch* spare;  ///< events to use again; they belong to the device
  unsigned int pendingCount;
  bool untimedLaunches;  ///< some were made without events since the device was last known to be idle
  uint64_t dropped, abandoned, overflow;  ///< told to hostlib
  int64_t countersReadNs, collectedNs;
  unsigned int uncountedLaunches;  ///< since the counters were read
  CounterRoom counterRoom;
  bool graphs;            ///< a launch was captured: kernels may run that no launch announced
  uint64_t oldestSeen;    ///< the first pending launch when the collector last looked
  bool collectionFailed;  ///< the collector cannot reach it
  RunCount* runs;         ///< of kernels that run again and again; null: there are no graphs
  unsigned int unitsPrepared;
  std::size_t stackLimit;        ///< of a thread, where it was raised for the recorder; 0: it was not
  unsigned int pendingSelected;  ///< of the pending launches, those to be recorded
  unsigned int pendingMayWake;   ///< likewise
  bool someMayBeSilent;  ///< left out while others were recorded: whether they say that they begin is not
                         ///< known
  // Profile mode (profile_collect.h).
  static constexpr unsigned int maxOldProfiles = 16;
  unsigned int warpSlots;  ///< of the hardware
  ProfileSlots profileSlots;
  ProfileTable profile, oldProfiles[maxOldProfiles];
  unsigned int oldProfileCount;
  unsigned int profiledLaunches;  ///< since the table's rows were last free
  uint64_t profiledEntries;       ///< slots of the ring that had been taken when sums were last read
  char* profileStaging;           ///< pinned; two times stagingBytes
  ExportedMemory exported[CUI_MOST_EXPORTS];
  unsigned char exportHandles[CUI_MOST_EXPORTS][CUI_EXPORT_HANDLE_BYTES];
  unsigned int exportCount;
  char uuid[16];
  CuiRescue* rescue;  ///< null: the device is well, or was given up
  bool closed;        ///< the units do not record now: no launch under way is to be recorded
  // Launches of samples (split_launch.h).
  format::SplitTable* splits;        ///< pinned; null: there are none
  uint32_t splitGrids, splitBlocks;  ///< of the table's that are in use
  uint32_t splitNumbered;            ///< the blocks below are in it, if a sample takes them
  unsigned int multiprocessors;
  int64_t splitLaunches, plainLaunches;  ///< that hostlib has not been told of
  int64_t talliedLaunches;               ///< of kernels with sums in registers, since it was known to be idle
};

/// The driver's functions for contexts (contexts.h). Its own types are in cuda.h, which programs need not
/// have included.
struct DriverContexts {
  using Get = int (*)(void** context);
  using Set = int (*)(void* context);
  using Number = int (*)(void* context, unsigned long long* number);
  using PrimaryState = int (*)(int device, unsigned int* flags, int* active);
  using RetainPrimary = int (*)(void** context, int device);
  using ReleasePrimary = int (*)(int device);
  bool asked, known;
  Get get;
  Set set;
  Number number;
  PrimaryState primaryState;
  RetainPrimary retainPrimary;
  ReleasePrimary releasePrimary;
};

struct Runtime {
  pthread_mutex_t mutex;
  HostUnit* units;
  unsigned int unitCount;
  Device devices[maxDevices];
  int deviceCount;  ///< that the program sees; 0: not asked yet
  bool closeRegistered;
  bool recursive;                      ///< some unit is
  bool collectorRuns, collectorStops;  ///< long_kernels.h
  pthread_t collector;
  pthread_cond_t collectorWakes;
  DriverContexts driverContexts;
};
inline Runtime& runtime() {
  static Runtime instance = {
      PTHREAD_MUTEX_INITIALIZER, nullptr, 0, {}, 0, false, false, false, false, {}, {}, {}};
  return instance;
}

class Lock {
 public:
  Lock() { pthread_mutex_lock(&runtime().mutex); }
  ~Lock() { pthread_mutex_unlock(&runtime().mutex); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

/// Brackets our own runtime calls: the user's cudaGetLastError() must not see them, nor the trace. An error
/// that was there before could not be restored, so then no call that may fail is made: ask allowed(). Also
/// keeps our calls legal while another thread captures a graph.
class QuietCalls {
 public:
  QuietCalls() : before_(cudaPeekAtLastError()), mode_(cudaStreamCaptureModeRelaxed), exchanged_(false) {
    cuiBeginInnerCalls();
    if (allowed()) exchanged_ = cudaThreadExchangeStreamCaptureMode(&mode_) == cudaSuccess;
  }
  ~QuietCalls() {
    if (exchanged_) cudaThreadExchangeStreamCaptureMode(&mode_);
    forget();
    cuiEndInnerCalls();
  }
  QuietCalls(const QuietCalls&) = delete;
  QuietCalls& operator=(const QuietCalls&) = delete;
  bool allowed() const { return before_ == cudaSuccess; }
  cudaError_t before() const { return before_; }
  /// Clears an error of ours; a sticky one stays and will meet the user as it would without us.
  void forget() const {
    if (allowed() && cudaPeekAtLastError() != cudaSuccess) (void)cudaGetLastError();
  }

 private:
  cudaError_t before_;
  cudaStreamCaptureMode mode_;
  bool exchanged_;
};

/// Registers the unit with hostlib and links it into the program's list; again is harmless. `version`: the
/// host side's, which is 0 where units compile it.
inline void linkUnit(HostUnit& unit, uint32_t version) {
  if (__atomic_load_n(&unit.linked, __ATOMIC_ACQUIRE)) return;
  Lock lock;
  if (unit.linked) return;
  cuiHostSide(&unit.table(), version, version);
  unit.siteBase = cuiRegisterUnit(CUI_ABI_VERSION, &unit.table());
  unit.hasMode = cuiUnitModes(&unit.table(), unit.modes) != 0;
  if (unit.recursive) runtime().recursive = true;
  unit.next = runtime().units;
  runtime().units = &unit;
  __atomic_fetch_add(&runtime().unitCount, 1u, __ATOMIC_RELEASE);
  __atomic_store_n(&unit.linked, true, __ATOMIC_RELEASE);
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
