// Writes one trace: the interface hostlib's drain thread records through.
//
// One thread at a time. Nothing throws. The first failure (disk full, database broken) is returned by
// the call that met it and kept in error(); from then on the writer is inert, every call returns the
// same error at once, and the file holds what the last successful flush() committed.
//
// Order: addUnit before anything that names the unit; addLaunch before or after the launch's records
// (they meet by launch id). Strings and tables are copied; nothing is kept beyond a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "cuinstrument/format/record.h"
#include "cuinstrument/format/unit.h"
#include "db/store/access_sums.h"
#include "db/store/error.h"
#include "db/store/slot_memory.h"

namespace cui::db {

struct WriterOptions {
  /// Up to this many warp records the plain tables access and access_lane are written at each flush
  /// (CUINSTRUMENT_MATERIALIZE); beyond it they are dropped and trace_stat says so. 0: never.
  std::uint64_t materializeLimit = 2'000'000;
  /// Records per compressed chunk, and the bound on bytes of records that wait to be encoded.
  std::uint32_t chunkRecords = 32'768;
  std::uint64_t bufferedBytes = std::uint64_t{64} << 20;
  /// Threads that measure and compress records (CUINSTRUMENT_ENCODERS), from the second chunk on; beside them
  /// is one that writes rows. 0: the caller's does it all.
  unsigned encoderThreads = 0;
  /// The file's largest size (CUINSTRUMENT_MAX_TRACE): from there on accesses are measured, not stored, and
  /// trace_stat says how many. Everything else is still recorded. 0: no limit.
  std::uint64_t maxFileBytes = 0;
  /// False: a profile. Accesses are measured, not stored (CUINSTRUMENT_MODE).
  bool storeAccesses = true;
  /// Where records tell their times, those of single accesses are stored, too (CUINSTRUMENT_TIMESTAMPS).
  bool accessTimes = false;
  std::string toolVersion;  ///< "" = the version the library was built as
  std::string backend;      ///< "cuda" or "cpu"
  std::string program;      ///< executable's path
  std::string commandLine;
  std::string workingDirectory;
  std::int64_t monotonicNs = 0;  ///< CLOCK_MONOTONIC (the clock of every *_ns) …
  std::int64_t realtimeNs = 0;   ///< … and CLOCK_REALTIME at one instant
};

struct DeviceRow {
  std::int32_t device = 0;
  std::string_view name, backend, driverVersion, runtimeVersion;
  std::int32_t computeMajor = 0, computeMinor = 0, multiprocessors = 0;
  std::uint64_t memoryBytes = 0, l2Bytes = 0, sharedBytesPerBlock = 0;
};

/// `unit` null: a call the rewriter did not see; then `entry` is ignored and the names below are used.
struct LaunchRow {
  std::uint64_t launchId = 0;  ///< 1, 2, … in host order
  const format::UnitTable* unit = nullptr;
  std::uint32_t entry = 0;  ///< index into unit->launches
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint64_t dynamicSharedBytes = 0;
  std::int32_t device = 0;
  std::uint64_t stream = 0;  ///< handle's value; becomes stream_id as it is
  std::int64_t hostBeginNs = 0;
  std::string_view kernel;   ///< in place of what the entry says, if it is not empty
  bool instrumented = true;  ///< the kernel is of a rewritten file
};

struct AllocationRow {
  const format::UnitTable* unit = nullptr;
  std::uint32_t entry = 0;  ///< index into unit->calls
  std::string_view api;
  std::uint64_t address = 0, bytes = 0, pitch = 0;
  std::int32_t device = 0;
  format::Space space = format::Space::global;
  std::int64_t timeNs = 0;
};

struct MemoryOperationRow {
  const format::UnitTable* unit = nullptr;
  std::uint32_t entry = 0;
  std::string_view api;
  int direction = 0;  ///< cudaMemcpyKind; -1: memset
  std::uint64_t destination = 0, source = 0, bytes = 0;
  std::int32_t device = 0;
  std::uint64_t stream = 0;
  std::int64_t beginNs = 0, endNs = 0;
  int error = 0;
};

struct SynchronizationRow {
  const format::UnitTable* unit = nullptr;
  std::uint32_t entry = 0;
  std::string_view api;
  std::int32_t device = 0;
  std::uint64_t stream = 0;
  std::int64_t beginNs = 0, endNs = 0;
  int error = 0;
};

/// What accesses of one site in one launch add up to: the columns of site_metric.
struct AccessTotals : AccessSums {
  std::uint32_t site = 0;                        ///< process-wide index
  std::uint64_t minAddress = 0, maxAddress = 0;  ///< first and last byte touched
};

class TraceWriter {
 public:
  /// Creates the trace. An older trace of that name is replaced; a file that is not a trace, or one
  /// that a live process is writing, is left alone and is an error. Null on error.
  static std::unique_ptr<TraceWriter> open(const std::string& path, const WriterOptions& options,
                                           Error& error);
  /// Closes as after a crash (no completion mark) unless close() was called.
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Registers a unit whose site n has the process-wide index siteBase + n in records. Sites with the
  /// same stable id, from any unit, are one row.
  Error addUnit(const format::UnitTable& unit, std::uint32_t siteBase);
  Error addDevice(const DeviceRow& row);
  /// One more key of the meta table; replaces the key's earlier value.
  Error setMeta(std::string_view key, std::string_view value);

  Error addLaunch(const LaunchRow& row);
  /// The launch call returned. error: 0 or the runtime's code.
  Error updateLaunch(std::uint64_t launchId, std::int64_t hostEndNs, int error, std::string_view errorName);
  /// The GPU (or CPU backend) execution interval, on the host clock.
  Error setLaunchTime(std::uint64_t launchId, std::int64_t beginNs, std::int64_t endNs);

  Error addAllocation(const AllocationRow& row);
  /// Closes the live allocation at `address`; one that is not known becomes a trace_stat info row.
  Error setFreed(std::uint64_t address, std::string_view api, std::int64_t timeNs);
  /// The live allocation at `address` gets the variable, type and place of unit.calls[entry].
  Error nameAllocation(std::uint64_t address, const format::UnitTable& unit, std::uint32_t entry);
  /// The address of a file-scope variable: unit->variables[variable].
  Error addVariable(const format::UnitTable& unit, std::uint32_t variable, std::uint64_t address,
                    std::uint64_t bytes, std::int32_t device);
  Error addMemoryOperation(const MemoryOperationRow& row);
  Error addSynchronization(const SynchronizationRow& row);
  /// A range that the program marks; ids are the caller's, `parent` 0: none.
  Error beginPhase(std::uint64_t id, std::uint64_t parent, std::string_view name, std::int64_t beginNs);
  Error endPhase(std::uint64_t id, std::int64_t endNs);

  /// Whole records of one launch, headers with their payload, in arrival order: that order becomes
  /// `sequence`, but a GPU's (addDevice()) is only kept within each warp. `slots` is slotCount *
  /// format::slotBytes bytes, 16-byte aligned; generation tags are ignored. Small batches are fine. Records
  /// of every RecordType are taken.
  Error addRecords(std::uint64_t launchId, const void* slots, std::size_t slotCount);
  /// The same of accesses that are one slot each, well-formed and with their size, whose site indices are
  /// from `minSite` to `maxSite`. Many at once cost little more than copying them.
  Error addSingles(std::uint64_t launchId, const void* slots, std::size_t slotCount, std::uint32_t minSite,
                   std::uint32_t maxSite);
  /// The same of accesses at the front of `memory`, which the store may keep: then there is other memory in
  /// it afterwards, or none. No more than chunkRecords; at least half as many cost next to nothing.
  Error takeSingles(std::uint64_t launchId, SlotMemory& memory, std::size_t slotCount, std::uint32_t minSite,
                    std::uint32_t maxSite);
  /// The device's own count for (launch, process-wide site index); counts of one pair add up.
  Error addCounters(std::uint64_t launchId, std::uint32_t site, std::uint64_t requests,
                    std::uint64_t threadAccesses);
  /// Adds to site_metric what was measured elsewhere, without records.
  Error addTotals(std::uint64_t launchId, const AccessTotals& totals);
  /// severity: "info", "data_loss" or "error". Values of one (name, severity, launch) add up; the first
  /// detail stays. launchId 0: the whole trace.
  Error addStat(std::string_view name, std::string_view severity, std::int64_t value, std::uint64_t launchId,
                std::string_view detail);

  /// The launches so far have ended: their records have come, or nearly all.
  Error settleLaunches();
  /// Commits what has arrived as soon as it is written, without waiting for that; records that have not been
  /// encoded by then come with the next call.
  Error commit();
  /// Commits all that has arrived, so that it survives SIGKILL. Cheap when nothing has.
  Error flush();
  /// Commits, indexes, marks the trace complete and leaves a single file. The writer is inert then.
  Error close();

  /// The first failure, or no error. Once set, the writer does nothing any more.
  const Error& error() const;
  /// What is missing from the trace or wrong in it, by trace_stat.name: the sums of all that is not info.
  std::map<std::string, std::int64_t> losses() const;
  /// Access records taken so far.
  std::uint64_t recordCount() const;
  /// Grows while a call is under way, which can take minutes. Any thread may ask.
  std::uint64_t workDone() const;

 private:
  class Impl;
  explicit TraceWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cui::db
