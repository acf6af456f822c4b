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
  const std::uint64_t bytes =
      record.activeMask != 0 ? record.activeMask : launches_.dynamicSharedBytes(launchId);
  append(rows_.add(1).sharedVariables,
         {launchId, static_cast<std::uint64_t>(unit->variables[number].sharedVariableId), record.address,
          bytes, launchId});
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
  if (ofWarp)
    append(rows_.add(1).warpBarriers, {launch.launchId, sequence, record.block, format::warpOf(record),
                                       static_cast<unsigned>(std::countr_zero(record.activeMask)),
                                       static_cast<std::uint32_t>(record.address), record.address >> 32});
  else
    append(rows_.add(1).barriers,
           {launch.launchId, record.block, sequence, record.activeMask != 0 ? 1u : 0u});
}

void RecordSink::addKernelEntry(std::uint64_t launchId, const WarpRecord& record) {
  const UnitInfo* unit = units_.findByBase(format::siteOf(record));
  const std::uint32_t kernel = format::kernelNumberOf(record.address);
  if (!unit || kernel >= unit->kernels.size()) {
    stats_.add("unknown_kernel", "error", 1, launchId, "a kernel that no unit registered");
    return;
  }
  launches_.enter(launchId, unit->kernels[kernel]);
}

}  // namespace cui::db
