#include "db/analyses/launch_barriers.h"

#include <bit>

#include "db/analyses/site_rows.h"

namespace cui::db {

Error LaunchBarriers::askWhatIsKnown(const TraceReader& reader, std::int64_t launchId) {
  known_ = Known::nothing;
  const Value id = launchId;
  // A barrier that is a skipped site is one of the kernel that it stands in; in a function, of any kernel.
  return reader.query(
      "SELECT ifnull((SELECT backend FROM device WHERE device_id = l.device_id), (SELECT min(backend) FROM "
      "process)), EXISTS (SELECT 1 FROM meta WHERE key = 'warp_barriers'), EXISTS (SELECT 1 FROM "
      "trace_stat WHERE name = 'barriers_not_kept'), EXISTS (SELECT 1 FROM trace_stat WHERE name IN "
      "('pool_exhausted', 'records_dropped')), EXISTS (SELECT 1 FROM site s LEFT JOIN function f "
      "USING(function_id) WHERE s.status = 'skipped' AND s.reason LIKE 'barrier: %' AND (f.is_kernel IS NOT "
      "1 OR s.function_id = l.function_id)) FROM launch l WHERE launch_id = ?",
      [this](cui::db::Row row) {
        const bool cpu = asText(row[0]) == "cpu", kept = asInteger(row[2]) == 0;
        if (cpu && kept) known_ = Known::ofBlocks;
        // Where records took another way than what tells of barriers, which came first is not known.
        const bool inOrder = asInteger(row[3]) == 0, all = asInteger(row[4]) == 0;
        if (!cpu && kept && asInteger(row[1]) != 0 && inOrder && all) known_ = Known::ofWarps;
        return true;
      },
      {&id, 1});
}

Error LaunchBarriers::begin(const TraceReader& reader, std::int64_t launchId) {
  rows_.clear();
  passed_.clear();
  next_ = 0;
  if (Error error = askWhatIsKnown(reader, launchId); error || known_ == Known::nothing) return error;
  const Value id = launchId;
  const auto number = [](const Value& value) { return static_cast<std::uint32_t>(asInteger(value)); };
  if (known_ == Known::ofWarps)
    return reader.query(
        "SELECT sequence, block, warp, lane, passed, grid FROM warp_barrier WHERE launch_id = ? ORDER BY "
        "sequence",
        [&](cui::db::Row row) {
          rows_.push_back({static_cast<std::uint64_t>(asInteger(row[0])),
                           laneOf(number(row[1]), number(row[2]), number(row[3])),
                           {number(row[4]), number(row[5])}});
          return true;
        },
        {&id, 1});
  return reader.query(
      "SELECT sequence, block, row_number() OVER before, sum(grid) OVER before FROM barrier WHERE launch_id "
      "= ? "
      "WINDOW before AS (PARTITION BY block ORDER BY sequence) ORDER BY sequence",
      [&](cui::db::Row row) {
        rows_.push_back({static_cast<std::uint64_t>(asInteger(row[0])),
                         number(row[1]),
                         {number(row[2]), number(row[3])}});
        return true;
      },
      {&id, 1});
}

LaunchBarriers::Passed LaunchBarriers::passed(const AccessRecord& record, std::uint64_t sequence) {
  for (; next_ < rows_.size() && rows_[next_].sequence <= sequence; ++next_)
    passed_[rows_[next_].who] = rows_[next_].passed;
  const std::uint64_t who =
      known_ == Known::ofBlocks
          ? record.block
          : laneOf(record.block, record.warp, static_cast<unsigned>(std::countr_zero(record.mask)));
  const auto found = passed_.find(who);
  return found == passed_.end() ? Passed() : found->second;
}

}  // namespace cui::db
