// The C interface between instrumented programs (devlib's host side) and hostlib, which is compiled once and
// without CUDA. All functions are thread-safe, never throw, never fail the
// user's program, and return at once where recording is off. Times: CLOCK_MONOTONIC ns (cuiNow()).
#pragma once

#include <cstddef>

#include "cuinstrument/format/profile.h"
#include "cuinstrument/format/record.h"
#include "cuinstrument/format/unit.h"

extern "C" {

/// Bumped with any change here; cuiRegisterUnit refuses (one line on stderr, recording off) another.
enum : cui::uint32_t { CUI_ABI_VERSION = 20 };

/// Nanoseconds of CLOCK_MONOTONIC.
cui::int64_t cuiNow(void);

/// Registers a unit's tables (which live as long as the process), after reading the rows of its sites.
/// Returns the unit's first site index: the record's site is this base + the site's number in the unit. A
/// unit owns at least one index. Calling again with the same table returns the same base. Opens the session
/// on the first call.
cui::uint32_t cuiRegisterUnit(cui::uint32_t abiVersion, const cui::format::UnitTable* unit);

/// CUDA backend, before cuiRegisterUnit: the host side that drives the devices for a unit, and the one that
/// the unit was compiled for. 0: compiled by the units themselves, else the version of that in
/// libcuinstrument.a. There is one in a process: at another, or where the two differ, one line on stderr and
/// recording off.
void cuiHostSide(const cui::format::UnitTable* unit, cui::uint32_t expected, cui::uint32_t present);

/// CUINSTRUMENT_MODE's values. Macros, because the preprocessor compares them.
#define CUI_MODE_TRACE 1
#define CUI_MODE_PROFILE 2
/// CUDA backend, after cuiRegisterUnit: the modes that the unit is compiled for. 0 if the present one is not
/// among them: the unit's accesses cannot be recorded, which a line on stderr (of the first such unit) and a
/// row in trace_stat say.
int cuiUnitModes(const cui::format::UnitTable* unit, cui::uint32_t modes);

/// 0: recording is off (CUINSTRUMENT=off, or the store failed); callers skip all work.
int cuiRecording(void);

/// Not 0: a unit's device code without the recorder is the one to load, as recording is off from the start or
/// none of its kernels is to be recorded (CUINSTRUMENT_KERNELS), by the environment. Called before any unit
/// is registered. The answer stays the same.
int cuiTakesPlainCode(const cui::format::UnitTable* unit);

/// What the session was configured to do, from the environment. Plain data; fields are only appended.
struct CuiOptions {
  cui::uint64_t bufferBytes;      ///< CUINSTRUMENT_BUFFER: record ring (CUDA) or queue (CPU)
  cui::uint64_t waitNs;           ///< CUINSTRUMENT_WAIT_MS: longest wait for space before a drop
  cui::uint32_t recordValues;     ///< the program was rewritten with --values and CUINSTRUMENT_VALUES!=0
  cui::uint32_t cpuThreads;       ///< CUINSTRUMENT_CPU_THREADS, default 1 (deterministic)
  cui::uint64_t poolBytes;        ///< CUINSTRUMENT_POOL: device memory for records (CUDA)
  cui::uint32_t sampleLimit;      ///< CUINSTRUMENT_SAMPLE_BLOCKS: for format::isSampled()
  cui::uint32_t warpSampleLimit;  ///< CUINSTRUMENT_SAMPLE_WARPS: likewise
  cui::uint32_t profile;          ///< CUINSTRUMENT_MODE=profile: totals per launch and site, no records
  cui::uint32_t timestamps;       ///< CUINSTRUMENT_TIMESTAMPS: records tell their times (CUDA)
  cui::uint32_t barriers;         ///< CUINSTRUMENT_BARRIERS: warps tell the barriers they pass (CUDA)
  cui::uint64_t chunkBytes;       ///< CUINSTRUMENT_CHUNKS: pinned host memory beyond the pool (CUDA)
  cui::uint32_t plainLaunches;    ///< CUINSTRUMENT_PLAIN_LAUNCHES: 0 never, 1 where they pay, 2 always (CUDA)
  cui::uint32_t choosesLaunches;  ///< nonzero: CUINSTRUMENT_LAUNCHES, so launches of one kernel differ (CUDA)
};
const CuiOptions* cuiOptions(void);

struct CuiLaunch {
  const cui::format::UnitTable* unit;
  cui::uint32_t launchEntry;  ///< index into unit->launches
  cui::uint32_t grid[3], block[3];
  cui::uint64_t dynamicSharedBytes;
  cui::int32_t device;
  cui::uint64_t stream;  ///< the handle's value; 0: default stream
  cui::int64_t hostBeginNs;
  cui::uint32_t captured;  ///< nonzero: became a node of a graph, which may run any number of times, or never
  cui::uint32_t silent;    ///< nonzero: it is left out, and says nothing of itself for certain
  const char* kernel;      ///< null: as the entry says; else as launch.kernel has it, of static storage
};
/// Announces a launch (CPU backend: before it runs; CUDA: records may come first and wait for it). Returns
/// its launch id (1, 2, … in host order).
cui::uint64_t cuiLaunchBegin(const CuiLaunch* launch);
/// Whether a launch is to be recorded (CUINSTRUMENT_KERNELS, CUINSTRUMENT_LAUNCHES). `launchId` 0: not known
/// yet, it is one of the next. One whose kernel a variable holds is, as its name comes with the kernel's
/// entry. Records of others may be handed over all the same: they are left out.
int cuiLaunchSelected(const cui::format::UnitTable* unit, cui::uint32_t launchEntry, cui::uint64_t launchId);
/// `error`: 0 or the runtime's error code (the launch was refused; its row keeps the code).
void cuiLaunchEnd(cui::uint64_t launchId, cui::int64_t hostEndNs, int error, const char* errorName);
/// cuiLaunchBegin() and cuiLaunchEnd() in one, of a launch that has been made. Less of both for the program.
cui::uint64_t cuiLaunchMade(const CuiLaunch* launch, cui::int64_t hostEndNs, int error,
                            const char* errorName);
/// As a launch's beginNs: the kernel's entry says it (format::kernelBeganOf(), cuiDeviceTimer()).
enum : cui::int64_t { CUI_BEGIN_IN_ENTRY = -0x7fffffffffffffff - 1 };
/// GPU (or CPU backend) execution interval, once known. Converted to the host clock by the caller.
void cuiLaunchTime(cui::uint64_t launchId, cui::int64_t beginNs, cui::int64_t endNs);
/// CUDA backend: a call made a graph's kernel node, or gave it other parameters.
enum CuiNodeChange {
  CUI_NODE_ADDED = 0,
  CUI_NODE_SET = 1,          ///< what is instantiated from here on has these
  CUI_NODE_INSTANCE_SET = 2  ///< one instance of the graph has, others do not
};
struct CuiGraphNode {
  CuiLaunch launch;    ///< what the node launches; the entry is the call's, `kernel` null if it is not known
  cui::uint64_t node;  ///< the handle's value
  cui::uint32_t change;  ///< CuiNodeChange
};
/// Announces what may run from here on: each run of a node is a launch, and has a row only then.
void cuiGraphNode(const CuiGraphNode* node);
/// A kernel's symbol, perhaps mangled, as launch.kernel has it; of static storage.
const char* cuiKernelName(const char* symbol);
/// CUDA backend: how many launches that have their rows by cuiLaunchBegin() this thread is making (they
/// nest), and the last that it said.
void cuiSetLaunchesUnderWay(int count);
int cuiLaunchesUnderWay(void);

/// CUDA backend: a launch by code that was not rewritten (library_calls.def), after it was made.
struct CuiLibraryLaunch {
  const char* kernel;  ///< as launch.kernel has it; "" if the runtime cannot tell
  cui::uint32_t grid[3], block[3];
  cui::uint64_t dynamicSharedBytes;
  cui::int32_t device;
  cui::uint64_t stream;
  cui::int64_t hostBeginNs, hostEndNs;
  int error;
  const char* errorName;
};
void cuiLibraryLaunch(const CuiLibraryLaunch* launch);
/// CUDA backend: device `device` numbers its grids so that the next launch gets `nextGridId`.
void cuiDeviceGridBase(cui::int32_t device, cui::uint64_t nextGridId);
/// CUDA backend, after cuiDeviceGridBase: %globaltimer of device `device` and `offsetNs` make the host's
/// clock, as the ends of launches have it.
void cuiDeviceTimer(cui::int32_t device, cui::int64_t offsetNs);

struct CuiAllocation {
  const cui::format::UnitTable* unit;  ///< null: a call the rewriter did not see
  cui::uint32_t callEntry;             ///< index into unit->calls
  const char* api;
  cui::uint64_t address;
  cui::uint64_t bytes;
  cui::uint64_t pitch;  ///< 0 unless pitched
  cui::int32_t device;
  cui::format::Space space;  ///< global, or generic for host memory the device may reach
  cui::int64_t timeNs;
};
void cuiAllocated(const CuiAllocation* allocation);
void cuiFreed(cui::uint64_t address, const char* api, cui::int64_t timeNs);
/// A container that the program names holds memory at `address`, `bytes` of it (0: not known). If a live
/// allocation of no unit is meant, its row says what unit->calls[callEntry] does: name, type and line.
void cuiHolds(const cui::format::UnitTable* unit, cui::uint32_t callEntry, cui::uint64_t address,
              cui::uint64_t bytes);
/// Brackets calls of the CUDA runtime that have their row already or are not the program's; they nest.
/// Between them, on this thread, cuiInnerCall() is not 0: what library calls (library_calls.def) are made
/// then has no row of its own.
void cuiBeginInnerCalls(void);
void cuiEndInnerCalls(void);
int cuiInnerCall(void);
/// A __device__/__constant__/__managed__ variable's address, once per unit, variable and device.
void cuiVariable(const cui::format::UnitTable* unit, cui::uint32_t variableEntry, cui::uint64_t address,
                 cui::uint64_t bytes, cui::int32_t device);

struct CuiMemoryOperation {
  const cui::format::UnitTable* unit;
  cui::uint32_t callEntry;
  const char* api;
  int direction;  ///< cudaMemcpyKind; -1: memset
  cui::uint64_t destination, source, bytes;
  cui::int32_t device;
  cui::uint64_t stream;
  cui::int64_t beginNs, endNs;
  int error;
};
void cuiMemoryOperation(const CuiMemoryOperation* operation);

struct CuiSynchronization {
  const cui::format::UnitTable* unit;
  cui::uint32_t callEntry;
  const char* api;
  cui::int32_t device;
  cui::uint64_t stream;
  cui::int64_t beginNs, endNs;
  int error;
};
void cuiSynchronization(const CuiSynchronization* synchronization);

struct CuiDevice {
  cui::int32_t device;
  const char* name;
  cui::int32_t computeMajor, computeMinor, multiprocessors;
  cui::uint64_t memoryBytes, l2Bytes, sharedBytesPerBlock;
  const char* backend;  ///< "cuda" or "cpu"
  const char* driverVersion;
  const char* runtimeVersion;
};
void cuiDevice(const CuiDevice* device);

/// CPU backend: hands over whole records (headers with their payload), in order. Copies; may block
/// while the bounded queue is full.
void cuiSubmit(const void* slots, std::size_t slotCount);

/// CUDA backend: likewise, with records of `device` that carry grid numbers and may be of several launches;
/// those of one warp are in order. Their kernels' entries came with the device's ring.
void cuiSubmitGrids(cui::int32_t device, const void* slots, std::size_t slotCount);

/// CUDA backend: likewise, what lanes of a sample's blocks have logged (format/lane_log.h): whole logs.
/// `last`: no more will come of the warps of these and of those before.
void cuiSubmitLaneLogs(cui::int32_t device, const void* logs, std::size_t slotCount, int last);

/// CUDA backend: a ring in pinned mapped host memory that the drain polls without any CUDA call.
/// Slot `ticket % slotCount` holds ticket's slot; its generation tag is 1 + (ticket / slotCount) % 255.
/// The drain overwrites the tags of payload slots it has consumed, so that no stale payload can pass for a
/// header one lap later; then it publishes the number of slots consumed in *consumed.
struct CuiRing {
  void* slots;                       ///< slotCount * 32 bytes
  cui::uint64_t slotCount;           ///< power of two
  volatile cui::uint64_t* consumed;  ///< host word, mapped; the device reads it when the ring looks full
  cui::int32_t device;
};
void cuiAttachRing(const CuiRing* ring);
/// Blocks until every slot below `produced` has been consumed or `timeoutNs` passed; then, if `last`,
/// forgets the ring. Returns the slots consumed.
cui::uint64_t cuiDrainRing(const CuiRing* ring, cui::uint64_t produced, cui::int64_t timeoutNs, int last);

/// CUDA backend: chunks in pinned mapped host memory, for records that find no room on their device. The
/// device takes the numbers of free ones out of one queue, in order; of each it fills the slots from the
/// first on, whose headers have one tag, and then says in the other queue that it is full (format/chunks.h).
/// The drain reads the chunk, clears it and puts its number back, all without a CUDA call. All memory is 0 at
/// first.
struct CuiChunks {
  void* chunks;
  cui::uint32_t chunkCount;
  cui::uint32_t log2QueueSize;        ///< of both queues, which can hold all chunks
  volatile cui::uint64_t* fullQueue;  ///< by ticket modulo the queue's size: format::fullChunkWord()
  volatile cui::uint32_t* freeQueue;  ///< likewise: number of a chunk + 1, or 0 once the device has read that
  volatile cui::uint64_t*
      freed;  ///< tickets of the latter so far; the device reads it when it has used them up
  cui::int32_t device;
};
void cuiAttachChunks(const CuiChunks* chunks);
/// Takes the records in chunks that have not been handed over, after those that have. `taken`: tickets of the
/// queue of free chunks that the device has used. `again`: the device knows nothing of these chunks any more,
/// they are free; otherwise they stay out of use.
void cuiTakeOpenChunks(cui::int32_t device, cui::uint64_t taken, int again);
/// Blocks until all that was to be taken has been and the chunks are not touched any more; 0: that took too
/// long. 1 also where there are none.
int cuiDetachChunks(cui::int32_t device);

/// The device's own count of records and thread accesses for one (launch, site), for `validate`.
struct CuiCounter {
  cui::uint64_t launchKey;  ///< as in WarpRecord::launch
  cui::uint32_t site;       ///< process-wide site index
  cui::uint64_t requests, threadAccesses;
};
void cuiCounters(cui::int32_t device, const CuiCounter* counters, std::size_t count);

/// CUDA backend, profile mode: what accesses of one (launch, site) add up to; several of one pair add up,
/// too.
struct CuiProfile {
  cui::uint64_t launchKey;  ///< as in WarpRecord::launch; ~0: of launches that could not be told apart
  cui::uint32_t site;       ///< process-wide site index
  cui::format::ProfileSums sums[2];  ///< memory in sectors; shared memory
};
/// `count` 0: all has been told that there is, and the sums are written.
void cuiProfile(cui::int32_t device, const CuiProfile* profiles, std::size_t count);

/// Of memory that another process may map: a handle's size, as the runtime and the driver have it, and how
/// many at most.
enum : std::size_t { CUI_EXPORT_HANDLE_BYTES = 64 };
enum : cui::uint32_t { CUI_MOST_EXPORTS = 32 };
/// CUDA backend: reads memory of a device that has failed, which gives its own process nothing any more, by
/// another process that maps it. `uuid`: the device's, 16 bytes; `handles`: `count` (CUI_MOST_EXPORTS at
/// most) of the runtime's handles for other processes, made while all was well. Null if that is not
/// possible here.
struct CuiRescue;
CuiRescue* cuiRescueBegin(const void* uuid, const void* handles, cui::uint32_t count);
/// Copies bytes of the memory with that handle; 0: it could not be read.
int cuiRescueRead(CuiRescue* rescue, cui::uint32_t which, cui::uint64_t offset, void* to, std::size_t bytes);
void cuiRescueEnd(CuiRescue* rescue);

/// Anything a reader of the trace must know: drops, time-outs, overflows. severity: "info", "data_loss"
/// or "error". launchId 0: the whole trace. Values of one (name, launch) add up.
void cuiStat(const char* name, const char* severity, cui::int64_t value, cui::uint64_t launchId,
             const char* detail);

/// Registers a function to run first when the session closes (drains devices); runs at most once.
void cuiAtClose(void (*function)(void));
/// Commits what has arrived so far. Called by synchronising API wrappers; cheap when there is nothing.
void cuiFlush(void);
}
