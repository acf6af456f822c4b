// One pass over the stored accesses, in order of launch and sequence. Memory: a few chunks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "db/analyses/trace_model.h"
#include "db/store/chunk_codec.h"

namespace cui::db {

/// One stored warp access with what the model knows of it.
struct Access {
  const AccessRecord& record;
  const Site& site;
  const Launch& launch;
  std::uint64_t sequence = 0;

  format::Space space() const { return format::spaceOf(record.flags); }
};

struct ScanOptions {
  std::vector<std::uint32_t> siteNumbers;         ///< only these sites' accesses; empty: all
  std::int64_t launchId = 0;                      ///< only this launch; 0: all
  std::uint32_t firstBlock = 0, lastBlock = ~0u;  ///< only blocks between, by their linear index
  std::uint64_t maxRecords = 0;                   ///< stop after so many accesses; 0: never
  unsigned threads = 0;                           ///< that work for visitors; 0: what the machine has
  /// Records seen and in all; true cancels (ErrorCode::cancelled).
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
};

/// Receives the accesses of a scan: one call at a time, in order, from any thread. Other visitors of the scan
/// may be called at the same time.
class AccessVisitor {
 public:
  virtual ~AccessVisitor() = default;
  /// Before the first access of a launch that has any.
  virtual void beginLaunch(const Launch&) {}
  virtual void access(const Access& access) = 0;
  virtual void endLaunch(const Launch&) {}
};

/// `scanned`: how many accesses the visitors saw.
Error scanAccesses(const TraceReader& reader, const TraceModel& model, const ScanOptions& options,
                   const std::vector<AccessVisitor*>& visitors, std::uint64_t& scanned);

}  // namespace cui::db
