// What the checks of TraceReader::validate share, and the checks of the stored records.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/store/chunk_check.h"
#include "db/store/site_info.h"
#include "db/store/sqlite.h"
#include "db/store/trace_reader.h"

namespace cui::db {

/// What was found so far.
class ValidationReport {
 public:
  using Severity = ValidationFinding::Severity;
  explicit ValidationReport(Database& database) : database_(database) {}

  void add(const char* check, Severity severity, std::string detail);
  /// One finding for each row of a query that has the text in its first column.
  void addRows(const char* check, Severity severity, std::string_view sql);
  std::vector<ValidationFinding> take() { return std::move(findings_); }

 private:
  Database& database_;
  std::vector<ValidationFinding> findings_;
  std::map<std::string, int> reported_;
};

/// Decodes and measures every chunk.
class ChunkValidation {
 public:
  /// `threads`: 0: everything on the caller's.
  ChunkValidation(Database& database, ValidationReport& report, const std::function<bool()>& shouldCancel,
                  unsigned threads)
      : database_(database), report_(report), shouldCancel_(shouldCancel), threads_(threads) {}

  void chunks();
  /// After chunks(): what they add up to is what site_metric says.
  void metrics();

 private:
  /// What the stored records of one (launch, site) add up to.
  struct Recount {
    std::int64_t requests = 0, threadAccesses = 0, bytes = 0, sectors = 0, idealSectors = 0, wavefronts = 0,
                 idealWavefronts = 0;
    bool operator==(const Recount&) const = default;
  };
  using RecountKey = std::pair<std::int64_t, std::int64_t>;  ///< launch id, site id

  void take(const ChunkCheck& check, const std::vector<SiteInfo>& sites);
  void checkIndex(const ChunkCheck& check, const std::string& name);
  void recount(std::int64_t launch, std::int64_t site, const SiteTotals& totals);

  Database& database_;
  ValidationReport& report_;
  const std::function<bool()>& shouldCancel_;
  const unsigned threads_;
  std::map<RecountKey, Recount> recounts_;
  Statement index_;
  std::int64_t indexRows_ = 0;
  bool allDecoded_ = true;
};

}  // namespace cui::db
