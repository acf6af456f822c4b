// Records that are no accesses: kernels' entries, shared variables, barriers and times. See record_sink.h.
#include <bit>

#include "db/store/record_sink.h"

namespace cui::db {

namespace {
using format::WarpRecord;

constexpr std::uint64_t maxBarriers = 4'000'000;  // rows of 10 to 15 bytes
}  // namespace

void RecordSink::addSharedVariable(std::uint64_t launchId, const WarpRecord& record) {
  const UnitInfo* unit = units_.findByBase(format::siteOf(record));
  const auto number = static_cast<std::size_t>(record.stride);
  if (!unit || number >= unit->variables.size() || unit->variables[number].sharedVariableId == 0) {
    stats_.add("unknown_shared_variable", "error", 1, launchId, "a shared variable that no unit registered");
    return;
  }
  if (!addShared_.handle())
    addShared_.prepare(
        database_,
        "INSERT OR IGNORE INTO launch_shared_variable VALUES(?1, ?2, ?3, CASE ?4 WHEN 0 THEN "
        "ifnull((SELECT dynamic_shared_bytes FROM launch WHERE launch_id = ?1), 0) ELSE ?4 END)");
  addShared_.run(launchId, unit->variables[number].sharedVariableId, record.address, record.activeMask);
}

void RecordSink::addMark(LaunchState& launch, const WarpRecord& record) {
  const bool ofWarp = format::markOf(record.flags) == format::Mark::warpProgress;
  if (ofWarp && record.address == 0) return;  // a graph's run begins; that is the router's
  launch.marked = true;
  if (format::markOf(record.flags) == format::Mark::time) return times_.add(launch.launchId, record);
  if (barrierCount_ == maxBarriers) {
    stats_.add("barriers_not_kept", "info", 1, 0,
               "beyond the first 4 million; races are not looked for there");
    return;
  }
  ++barrierCount_;
  const std::uint64_t sequence = launch.nextSequence + launch.segment.recordCount;
  if (ofWarp) {  // a later one at the same place says more
    if (!addWarpBarrier_.handle())
      addWarpBarrier_.prepare(database_, "REPLACE INTO warp_barrier VALUES(?, ?, ?, ?, ?, ?, ?)");
    addWarpBarrier_.run(launch.launchId, sequence, record.block, format::warpOf(record),
                        std::countr_zero(record.activeMask), static_cast<std::uint32_t>(record.address),
                        record.address >> 32);
    return;
  }
  // Of several with no access in between, one row is kept.
  if (!addBarrier_.handle())
    addBarrier_.prepare(database_,
                        "INSERT INTO barrier VALUES(?, ?, ?, ?) ON CONFLICT DO UPDATE SET grid = max(grid, "
                        "excluded.grid)");
  addBarrier_.run(launch.launchId, record.block, sequence, record.activeMask != 0 ? 1 : 0);
}

void RecordSink::addKernelEntry(std::uint64_t launchId, const WarpRecord& record) {
  const UnitInfo* unit = units_.findByBase(format::siteOf(record));
  const std::uint32_t kernel = format::kernelNumberOf(record.address);
  if (!unit || kernel >= unit->kernelFunctionIds.size()) {
    stats_.add("unknown_kernel", "error", 1, launchId, "a kernel that no unit registered");
    return;
  }
  if (!enterLaunch_.handle())
    enterLaunch_.prepare(
        database_, "UPDATE launch SET entered = 1, instrumented = 1, function_id = ? WHERE launch_id = ?");
  enterLaunch_.run(unit->kernelFunctionIds[kernel], launchId);
}

}  // namespace cui::db
