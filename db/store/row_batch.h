// Rows on their way to the database, as the caller's thread gathers them and another may write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/store/chunk_encoder.h"
#include "db/store/event_values.h"
#include "db/store/integer_insert.h"
#include "db/store/stats.h"
#include "db/store/units.h"

namespace cui::db {

/// A row of `launch`, as far as it is known.
struct LaunchValues {
  std::uint64_t launchId = 0;
  std::string_view kernel;  ///< of what Units keeps
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint64_t dynamicSharedBytes = 0;
  std::int32_t device = 0;
  std::uint64_t stream = 0;
  std::int64_t hostBeginNs = 0, functionId = 0;
  const LaunchInfo* place = nullptr;  ///< lives as long as Units
  bool instrumented = true, entered = false;
  bool byVariable = false;  ///< `kernel` is its name, until the kernel has entered
  struct End {
    std::int64_t hostNs = 0;
    int error = 0;
    std::string errorName;
  };
  struct Interval {
    std::int64_t beginNs = 0, endNs = 0;
  };
  std::optional<End> end;
  std::optional<Interval> onDevice;
};

/// What is learned of a launch whose row has been written; the rest is as it was.
struct LaunchChange {
  std::uint64_t launchId = 0;
  std::optional<LaunchValues::End> end;
  std::optional<LaunchValues::Interval> onDevice;
  std::optional<std::int64_t> enteredFunction;
  bool takesName = false;  ///< that function's, for the launch's own is a variable's
};

/// What shows only when rows are written.
struct RowFindings {
  std::uint64_t notStored = 0;     ///< accesses of chunks that were measured only: the file is full
  std::uint64_t unknownFrees = 0;  ///< of memory whose allocation was not seen
};

/// Written in the order of the members: changes may be of the batch's own launches.
struct RowBatch {
  std::vector<LaunchValues> launches;
  std::vector<LaunchChange> changes;
  std::vector<EventValues> events;
  std::vector<EncodedChunk> chunks;
  /// Of launch_shared_variable, with the launch once more; bytes 0: as many as the launch asked for.
  IntegerRows sharedVariables;
  IntegerRows metrics, counters, barriers, warpBarriers, warpTimes,
      accessTimes;  ///< columns as in the schema
  StatRows stats;
  bool commit = false;     ///< the transaction, and begin the next
  std::size_t weight = 0;  ///< about the rows there are

  RowFindings findings;  ///< out

  /// Empty, with its memory kept. What was found stays.
  void clear() {
    launches.clear();
    changes.clear();
    events.clear();
    chunks.clear();
    for (IntegerRows* const rows :
         {&sharedVariables, &metrics, &counters, &barriers, &warpBarriers, &warpTimes, &accessTimes})
      rows->clear();
    stats.clear();
    commit = false;
    weight = 0;
  }
};

}  // namespace cui::db
