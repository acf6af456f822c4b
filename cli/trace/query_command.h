// `cuinstrument query`, `validate`, `materialize`, `upgrade` and `merge`.
#pragma once

#include <string>
#include <vector>

namespace cui::cli {

struct QueryRequest {
  std::string trace;
  std::string sql;     ///< "-": read from standard input
  std::string format;  ///< table, or one of db's exporters
};
int runQuery(const QueryRequest& request);

/// Prints every finding; 0 only if the trace is complete and consistent.
int runValidate(const std::string& trace);

/// Adds the plain tables access and access_lane to a trace that was too large to get them at once.
int runMaterialize(const std::string& trace);

/// Several traces as one, in a file of its own.
int runMerge(const std::vector<std::string>& traces, const std::string& output);

/// To this program's schema version, in place.
int runUpgrade(const std::string& trace);

}  // namespace cui::cli
