// Where the drain writes: the trace (trace_sink.h), or a list in memory in the tests. Calls come from one
// thread at a time. After the first failure a sink does nothing any more and says so through failure().
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "cuinstrument/host/abi.h"
#include "db/store/trace_writer.h"
#include "hostlib/slot.h"

namespace cui::hostlib {

class RecordSink {
 public:
  virtual ~RecordSink() = default;

  virtual void addUnit(const format::UnitTable& unit, std::uint32_t siteBase) = 0;
  virtual void addDevice(const CuiDevice& device) = 0;
  /// `instrumented`: the kernel is of a unit.
  virtual void addLaunch(std::uint64_t launchId, const CuiLaunch& launch, bool instrumented) = 0;
  /// A launch by code that was not rewritten, which has been made.
  virtual void addLibraryLaunch(std::uint64_t launchId, const CuiLibraryLaunch& launch) = 0;
  /// A launch that nobody announced, known from its records only.
  virtual void addUnannouncedLaunch(std::uint64_t launchId, std::string_view kernel, std::uint32_t blocks,
                                    std::uint32_t threads, std::int32_t device) = 0;
  virtual void endLaunch(std::uint64_t launchId, std::int64_t hostEndNs, int error,
                         std::string_view errorName) = 0;
  virtual void timeLaunch(std::uint64_t launchId, std::int64_t beginNs, std::int64_t endNs) = 0;
  virtual void addAllocation(const CuiAllocation& allocation) = 0;
  virtual void addFree(std::uint64_t address, std::string_view api, std::int64_t timeNs) = 0;
  /// The live allocation that begins at `address` has the variable, type and place of unit.calls[callEntry].
  virtual void nameAllocation(std::uint64_t address, const format::UnitTable& unit,
                              std::uint32_t callEntry) = 0;
  virtual void addVariable(const format::UnitTable& unit, std::uint32_t variable, std::uint64_t address,
                           std::uint64_t bytes, std::int32_t device) = 0;
  virtual void addMemoryOperation(const CuiMemoryOperation& operation) = 0;
  virtual void addSynchronization(const CuiSynchronization& synchronization) = 0;
  /// `parent` 0: none.
  virtual void beginPhase(std::uint64_t id, std::uint64_t parent, std::string_view name,
                          std::int64_t beginNs) = 0;
  virtual void endPhase(std::uint64_t id, std::int64_t endNs) = 0;
  /// Whole records, in order; launch 0: it could not be told which.
  virtual void addRecords(std::uint64_t launchId, const Slot* slots, std::size_t count) = 0;
  /// The same of accesses that are one slot each, whole and of known size, of sites from `minSite` to
  /// `maxSite`.
  virtual void addSingles(std::uint64_t launchId, const Slot* slots, std::size_t count,
                          std::uint32_t /*minSite*/, std::uint32_t /*maxSite*/) {
    addRecords(launchId, slots, count);
  }
  /// The same of those at the front of `memory`, which may be kept: then there is other memory in it, or
  /// none.
  virtual void takeSingles(std::uint64_t launchId, db::SlotMemory& memory, std::size_t count,
                           std::uint32_t minSite, std::uint32_t maxSite) {
    addSingles(launchId, reinterpret_cast<const Slot*>(memory.data()), count, minSite, maxSite);
  }
  virtual void addCounter(std::uint64_t launchId, const CuiCounter& counter) = 0;
  /// What accesses of one (launch, site) add up to, in place of records of them; adds to what was there.
  virtual void addTotals(std::uint64_t launchId, const db::AccessTotals& totals) = 0;
  virtual void addStat(std::string_view name, std::string_view severity, std::int64_t value,
                       std::uint64_t launchId, std::string_view detail) = 0;
  /// The launches so far have ended: their records have come, or nearly all.
  virtual void settleLaunches() {}
  /// Commits what has arrived by and by; flush() has done so when it returns.
  virtual void commit() { flush(); }
  virtual void flush() = 0;
  virtual void close() = 0;
  /// Grows while a call is under way. Any thread may ask.
  virtual std::uint64_t workDone() const { return 0; }

  /// What the sink itself found missing, by statistic; complete after close().
  virtual std::map<std::string, std::int64_t> losses() const { return {}; }
  /// The first failure, one line.
  virtual std::optional<std::string> failure() const = 0;
};

}  // namespace cui::hostlib
