// Checks of a trace: assertions about chosen sites, from a file or from comments in the source.
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "cli/check/assertion.h"
#include "db/analyses/analyses.h"
#include "db/store/trace_reader.h"

namespace cui::cli {

/// Which sites a check is about; "" or 0: any. Names are globs.
struct SiteSelector {
  std::string function, file, expression, array, kind, space;
  std::uint32_t line = 0;  ///< sites whose expression touches this line
};

struct Check {
  std::string name;
  SiteSelector sites;
  std::vector<std::string> analyses;  ///< then the assertions count their findings
  std::vector<Assertion> assertions;
  bool total = false;     ///< of all chosen sites together, instead of each
  bool optional = false;  ///< no such site is fine
  // Where the check stands.
  std::string originFile;
  std::uint32_t originLine = 0;
};

/// One assertion of one check on what it was evaluated for.
struct CheckResult {
  const Check* check = nullptr;
  std::string assertion;  ///< "" where the check itself could not be evaluated
  bool passed = false;
  std::string message;  ///< "sectors_per_request is 32, expected <= 4"
  db::Place place;      ///< the site; without a line, the check's own place is what there is to show
  double seconds = 0;   ///< its part of what evaluating the check took
};

/// Adds the checks of a TOML file. Throws Error (usage) naming file and line.
void readChecks(const std::string& path, std::vector<Check>& checks);

/// Adds the `// cui:` comments of the trace's sources. `missing`: sources that are not here. Throws Error for
/// a source that is not the one the program was built from, or a comment that is no assertion.
void readSourceChecks(const db::TraceReader& trace, std::vector<Check>& checks,
                      std::vector<std::string>& missing);

std::vector<CheckResult> evaluateChecks(const db::TraceReader& trace, const std::vector<Check>& checks,
                                        const db::AnalysisOptions& options);

/// `begin`: when evaluating them began.
std::string checksAsJUnit(const std::vector<CheckResult>& results, std::time_t begin);
/// `root`: files below it are named relative to it.
std::string checksAsSarif(const std::vector<CheckResult>& results,
                          const std::map<std::string, std::string>& absolute, const std::string& root);

}  // namespace cui::cli
